"""All models of the host in one module, where Django looks for them."""
# ruff: noqa: F403

from gamesmaster.host.accounts.likeness import *
from gamesmaster.host.accounts.people import *
from gamesmaster.host.accounts.tokens import *
from gamesmaster.host.games.queue import *
from gamesmaster.host.games.ratings import *
from gamesmaster.host.gm.remarks import *
from gamesmaster.host.moderation.oversight import *
from gamesmaster.host.press.correspondence import *
from gamesmaster.host.site.clock import *
from gamesmaster.host.site.jobs import *
from gamesmaster.host.site.limits import *
from gamesmaster.host.site.processes import *
from gamesmaster.host.tables.models import *
from gamesmaster.host.tables.shelf import *
