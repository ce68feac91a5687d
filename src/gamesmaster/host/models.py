"""All models of the host in one module, where Django looks for them."""

from gamesmaster.host.accounts.likeness import Likeness
from gamesmaster.host.accounts.people import Absence, OneTimeLink, Profile, SignIn, SignUp
from gamesmaster.host.accounts.tokens import ApiToken
from gamesmaster.host.games.queue import Wish
from gamesmaster.host.games.ratings import RatedSeat, Rating
from gamesmaster.host.gm.remarks import Question, Remark
from gamesmaster.host.moderation.oversight import Complaint, Trace
from gamesmaster.host.press.correspondence import Mute, ReadMark
from gamesmaster.host.site.clock import Heartbeat, Outage
from gamesmaster.host.site.jobs import Job
from gamesmaster.host.site.limits import SharedValue
from gamesmaster.host.site.processes import Process
from gamesmaster.host.tables.models import (
    AuditLine,
    Ballot,
    Device,
    HeldLetter,
    Helper,
    HookCall,
    InMail,
    Invitation,
    KeptEdition,
    Message,
    Notice,
    OutMail,
    PhaseRow,
    Receipt,
    Seat,
    SeatState,
    Sheet,
    Standby,
    Table,
    TableState,
    WebHook,
)
from gamesmaster.host.tables.shelf import OwnVariant
