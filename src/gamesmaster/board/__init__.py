"""Boards and positions: provinces, locations, steps between them, and the units on them."""

from gamesmaster import lazy
from gamesmaster.board.file import DEEPEST_BOARD as DEEPEST_BOARD
from gamesmaster.board.file import LARGEST_BOARD as LARGEST_BOARD
from gamesmaster.board.file import board_data as board_data
from gamesmaster.board.file import board_schema as board_schema
from gamesmaster.board.file import read_board as read_board
from gamesmaster.board.lint import Finding as Finding
from gamesmaster.board.lint import components as components
from gamesmaster.board.lint import fold as fold
from gamesmaster.board.lint import lint as lint
from gamesmaster.board.model import ARMY as ARMY
from gamesmaster.board.model import FLEET as FLEET
from gamesmaster.board.model import FLEET_WAY as FLEET_WAY
from gamesmaster.board.model import LANDING as LANDING
from gamesmaster.board.model import Board as Board
from gamesmaster.board.model import Closure as Closure
from gamesmaster.board.model import Edge as Edge
from gamesmaster.board.model import Form as Form
from gamesmaster.board.model import Location as Location
from gamesmaster.board.model import Province as Province
from gamesmaster.board.model import Terrain as Terrain
from gamesmaster.board.model import Traits as Traits
from gamesmaster.board.position import Dislodged as Dislodged
from gamesmaster.board.position import Position as Position
from gamesmaster.board.position import Unit as Unit
from gamesmaster.board.position import coast_words as coast_words
from gamesmaster.board.position import place_code as place_code
from gamesmaster.board.position import place_name as place_name
from gamesmaster.board.position import place_words as place_words
from gamesmaster.board.position import province_name as province_name
from gamesmaster.board.position import unit_and_power as unit_and_power
from gamesmaster.board.position import unit_code as unit_code
from gamesmaster.board.position import unit_name as unit_name
from gamesmaster.board.position import units_from as units_from
from gamesmaster.board.position import with_coast as with_coast
from gamesmaster.board.text import board_text as board_text
from gamesmaster.board.value import Value as Value

__all__ = lazy.exported(globals())
