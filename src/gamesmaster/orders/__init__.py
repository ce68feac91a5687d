"""What players say: orders, and the one notation for every door."""

from gamesmaster import lazy
from gamesmaster.orders.model import BREAKS_UP as BREAKS_UP
from gamesmaster.orders.model import BUILDS as BUILDS
from gamesmaster.orders.model import DASH as DASH
from gamesmaster.orders.model import GOES_ABOARD as GOES_ABOARD
from gamesmaster.orders.model import GOES_ASHORE as GOES_ASHORE
from gamesmaster.orders.model import NO_THOUGHT as NO_THOUGHT
from gamesmaster.orders.model import RIDES as RIDES
from gamesmaster.orders.model import SAILS_LADEN as SAILS_LADEN
from gamesmaster.orders.model import TAKES_IN as TAKES_IN
from gamesmaster.orders.model import UNREAD as UNREAD
from gamesmaster.orders.model import AnyVerb as AnyVerb
from gamesmaster.orders.model import GivenOrder as GivenOrder
from gamesmaster.orders.model import Order as Order
from gamesmaster.orders.model import PhaseKind as PhaseKind
from gamesmaster.orders.model import Phrase as Phrase
from gamesmaster.orders.model import Unread as Unread
from gamesmaster.orders.model import Verb as Verb
from gamesmaster.orders.notation import STANDARD_KINDS as STANDARD_KINDS
from gamesmaster.orders.notation import Notation as Notation
from gamesmaster.orders.sentence import LONGEST_ORDER as LONGEST_ORDER
from gamesmaster.orders.sentence import defect as defect

__all__ = lazy.exported(globals())
