"""The tutorial: each scene of `tutorial_turns` is played at a small sandbox of its own, by the real desk and judge.

Such a sandbox belongs to nobody and is in no list; `Table.forked_from` says which scene it began with.  A newcomer
orders for one power, and the orders of the others lie there from the beginning, unseen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from fnmatch import fnmatchcase

from django.utils.translation import gettext

from gamesmaster.game import Game, find_variant, read_state
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Table
from gamesmaster.host.service import beginning, clock, past, rows, tables
from gamesmaster.host.service.table_view import TableView
from gamesmaster.host.service.tutorial_turns import MARK, POWER, SCENES, VARIANT, Scene, first_scene
from gamesmaster.judge import Ruling
from gamesmaster.pictures.orders_told import wording


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a scene: was its goal reached, and what is there to say?"""

    reached: bool
    says: str


def begin(number: int, *, now: datetime | None = None) -> Table:
    """A new sandbox for the scene of this number, or for the one that leads to it.  Raises `Refused`."""
    if not 0 <= number < len(SCENES):
        raise Refused("no-turn", "The tutorial has no such turn.")
    while not SCENES[number].phase:
        number -= 1
    scene, at = SCENES[number], now or clock.now()
    made = tables.create(None, VARIANT, name=gettext("Learn the game in five turns"), sandbox=True, now=at)
    with rows.locked(made) as table:
        table.forked_from = f"{MARK}{number}"
        beginning.begin(table, _set_up(scene, beginning.new_game(table)), at)
        past.lay_down(table, scene.others, None, at)
    return table


def _set_up(scene: Scene, game: Game) -> Game:
    """The game in the phase and position of a scene."""
    told: dict[str, object] = {"variant": VARIANT, "phase": scene.phase}
    if scene.units is not None:
        told["units"] = {power: list(units) for power, units in scene.units.items()}
    if scene.centres is not None:
        told["centers"] = {power: list(centres) for power, centres in scene.centres.items()}
    state = read_state(told, find_variant)
    return replace(game, phase=state.phase, position=state.position)


def number_of(view: TableView, ordinal: int | None = None) -> int | None:
    """The number of the scene that is played at a sandbox in this phase, the present one if none is named.

    None at any other sandbox, and where the phase belongs to no scene: the goal was missed, or no scene goes on here.
    """
    began = first_scene(view.forked_from) if view.sandbox else None
    if began is None:
        return None
    over = view.ordinal if ordinal is None else ordinal
    number = began + over
    if over and (number >= len(SCENES) or SCENES[number].phase or not verdict(view, over - 1).reached):
        return None
    return number


def is_tutorial(view: TableView) -> bool:
    """Is this sandbox one of the tutorial?"""
    return view.sandbox and first_scene(view.forked_from) is not None


def verdict(view: TableView, ordinal: int) -> Verdict:
    """What the judge made of the newcomer's orders in a phase that is over, and what to say of it; raises `Refused`."""
    number = number_of(view, ordinal)
    if number is None:
        raise Refused("no-turn", "The tutorial has no such turn.")
    scene = SCENES[number]
    found = [_line(view, one) for one in view.adjudication(ordinal).rulings if one.power == POWER]
    if all(any(fnmatchcase(line, wanted) for line in found) for wanted in scene.goal):
        return Verdict(True, gettext(scene.well))
    fits = (hint.says for hint in scene.hints if any(fnmatchcase(line, hint.result) for line in found))
    return Verdict(False, gettext(next(fits, scene.hint)))


def _line(view: TableView, ruling: Ruling) -> str:
    """An order and what became of it, as goals and hints have them."""
    result = "dislodged" if ruling.dislodged else ruling.result.value
    return f"{wording(view.variant.board, ruling)}: {result}"
