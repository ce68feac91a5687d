"""What the host keeps, one module a subject."""

from gamesmaster.host.models.accounts import SharedValue, SignIn
from gamesmaster.host.models.api import ApiToken, HookCall
from gamesmaster.host.models.editions import KeptEdition
from gamesmaster.host.models.mail import InMail
from gamesmaster.host.models.opinions import Complaint, Question, RatedSeat, Rating, Remark
from gamesmaster.host.models.people import Absence, Profile
from gamesmaster.host.models.press import Message, Mute, ReadMark
from gamesmaster.host.models.room import AuditLine, OneTimeLink, Outage, OutMail, Pulse, WebHook
from gamesmaster.host.models.sheets import Ballot, Receipt, Sheet
from gamesmaster.host.models.standbys import Standby
from gamesmaster.host.models.tables import Invitation, PhaseRow, Seat, SeatState, Table, TableState
from gamesmaster.host.models.traces import SignUp, Trace

__all__ = [
    "Absence",
    "ApiToken",
    "AuditLine",
    "Ballot",
    "Complaint",
    "HookCall",
    "InMail",
    "Invitation",
    "KeptEdition",
    "Message",
    "Mute",
    "OneTimeLink",
    "OutMail",
    "Outage",
    "PhaseRow",
    "Profile",
    "Pulse",
    "Question",
    "RatedSeat",
    "Rating",
    "ReadMark",
    "Receipt",
    "Remark",
    "Seat",
    "SeatState",
    "SharedValue",
    "Sheet",
    "SignIn",
    "SignUp",
    "Standby",
    "Table",
    "TableState",
    "Trace",
    "WebHook",
]
