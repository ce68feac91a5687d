"""Adjudication on numbers: plain functions over columns, which know no orders, rules or mechanics.

Columns are lists in ordinary Python, and arrays for which Numba compiles the same source.  `kernel` decides who beats
whom, `convoys`, `aftermath`, `winter` and `endings` what comes before and after; `heuristic` is the heuristic player.
"""

from gamesmaster import lazy
from gamesmaster.engine.company import row_of as row_of
from gamesmaster.engine.convoys import scaled as scaled
from gamesmaster.engine.convoys import weakened as weakened
from gamesmaster.engine.endings import ahead_by as ahead_by
from gamesmaster.engine.endings import claim as claim
from gamesmaster.engine.endings import is_alive as is_alive
from gamesmaster.engine.endings import lead as lead
from gamesmaster.engine.endings import weigh_last as weigh_last
from gamesmaster.engine.problem import NOWHERE as NOWHERE
from gamesmaster.engine.problem import Problem as Problem
from gamesmaster.engine.rows import ABSENT as ABSENT
from gamesmaster.engine.rows import ALONE as ALONE
from gamesmaster.engine.rows import BLUNT as BLUNT
from gamesmaster.engine.rows import CARRIED as CARRIED
from gamesmaster.engine.rows import CONVOY as CONVOY
from gamesmaster.engine.rows import FAINT as FAINT
from gamesmaster.engine.rows import FREE as FREE
from gamesmaster.engine.rows import GONE as GONE
from gamesmaster.engine.rows import HOLD as HOLD
from gamesmaster.engine.rows import LEAVES as LEAVES
from gamesmaster.engine.rows import MOVE as MOVE
from gamesmaster.engine.rows import NOWAY as NOWAY
from gamesmaster.engine.rows import PASS as PASS
from gamesmaster.engine.rows import POWERLESS as POWERLESS
from gamesmaster.engine.rows import SAILS as SAILS
from gamesmaster.engine.rows import SUPPORT as SUPPORT
from gamesmaster.engine.rows import Column as Column
from gamesmaster.engine.rows import Rows as Rows
from gamesmaster.engine.winter import cost_of as cost_of
from gamesmaster.engine.winter import may_be_removed as may_be_removed

__all__ = lazy.exported(globals())
