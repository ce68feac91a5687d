"""The tutorial: each turn is played in a small sandbox, with the normal order form and judge.

The turns, for a newcomer who plays France, are in `tutorial_turns.toml`. A scene is one phase: the position, the task,
the other powers' orders, and comments on the results. Results are compared as lines such as `A Pic - Bel: bounces`: the
order as the report has it, and its result. In patterns, `*` matches anything, and three question marks match any
province. The texts are translated when they are shown.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path
from typing import Annotated

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods
from pydantic import BeforeValidator, TypeAdapter

from gamesmaster.game import Game, read_state
from gamesmaster.host.games import hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.phases import past
from gamesmaster.host.site import clock, limits
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from gamesmaster.host.tables.access import MARK, POWER, first_scene
from gamesmaster.host.tables.models import Table
from gamesmaster.host.tables.view import TableView
from gamesmaster.pictures import drawable_words
from gamesmaster.rules import Ruling
from gamesmaster.variant import find_variant

VARIANT = "standard"
TURNS = 5


def _places(listed: str) -> Mapping[str, list[str]]:
    """Return places, units or orders by power: `England F Nth H, A Yor - Nwy; Germany A Kie - Den`."""
    powers = (text.split(" ", 1) for text in listed.split("; "))
    return {power: texts.split(", ") for power, texts in powers}


Places = Annotated[Mapping[str, tuple[str, ...]], BeforeValidator(_places)]


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice for a player one of whose results matches `result`."""

    result: str
    says: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A phase of the tutorial."""

    turn: int  # turn that the scene belongs to, from 1
    title: str
    task: tuple[str, ...]  # paragraphs
    look: tuple[str, ...]  # provinces to highlight
    goal: tuple[str, ...]  # patterns, each of which one of the player's results must match
    well: str  # comment if the goal is reached
    hint: str  # comment if not, and no hint matches
    model: tuple[str, ...]  # orders that reach the goal
    hints: tuple[Hint, ...] = ()  # the first that matches is shown
    phase: str = ""  # "": goes on where the scene before it ended
    units: Places | None = None  # by power; None: as at the start of the game
    centres: Places | None = None
    others: Places = field(default_factory=dict)  # the other powers' orders


SCENES = TypeAdapter(tuple[Scene, ...]).validate_python(
    tomllib.loads(Path(__file__).with_name("tutorial_turns.toml").read_text(encoding="utf-8"))["scene"]
)
"""The phases of the tutorial, in order."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a scene: whether its goal was reached, and what to tell the player."""

    reached: bool
    says: str


def begin(number: int, *, now: datetime | None = None) -> Table:
    """Create a sandbox for the scene with this number, or for the one that leads to it; raise `Refused`."""
    if not 0 <= number < len(SCENES):
        raise Refused("no-turn", "The tutorial has no such turn.")
    while not SCENES[number].phase:
        number -= 1
    scene, at = SCENES[number], now or clock.now()
    made = hosting.create(None, GameChoice(VARIANT, name=gettext("Learn the game in five turns")), sandbox=True, now=at)
    with store.lock(made) as table:
        table.forked_from = f"{MARK}{number}"
        seats.begin(table, _set_up(scene, seats.new_game(table)), at)
        past.lay_down(table, scene.others, None, at)
    return table


def _set_up(scene: Scene, game: Game) -> Game:
    """Return the game in the phase and position of a scene."""
    data: dict[str, object] = {"variant": VARIANT, "phase": scene.phase}
    if scene.units is not None:
        data["units"] = {power: list(units) for power, units in scene.units.items()}
    if scene.centres is not None:
        data["centers"] = {power: list(centres) for power, centres in scene.centres.items()}
    state = read_state(data, find_variant)
    return replace(game, phase=state.phase, position=state.position)


def number_of(view: TableView, ordinal: int | None = None) -> int | None:
    """Return the number of the scene played in this phase of a sandbox, by default the current phase.

    None outside the tutorial, and for a phase without a scene: the goal was missed, or the last scene is over.
    """
    began = first_scene(view.forked_from) if view.sandbox else None
    if began is None:
        return None
    over = view.ordinal if ordinal is None else ordinal
    number = began + over
    if over and (number >= len(SCENES) or SCENES[number].phase or not verdict(view, over - 1).reached):
        return None
    return number


def verdict(view: TableView, ordinal: int) -> Verdict:
    """Return the result of the scene in a finished phase; raise `Refused` if it has no scene."""
    number = number_of(view, ordinal)
    if number is None:
        raise Refused("no-turn", "The tutorial has no such turn.")
    scene = SCENES[number]
    lines = [_line(view, one) for one in view.adjudication(ordinal).rulings if one.power == POWER]
    if all(any(fnmatchcase(line, wanted) for line in lines) for wanted in scene.goal):
        return Verdict(True, gettext(scene.well))
    fits = (hint.says for hint in scene.hints if any(fnmatchcase(line, hint.result) for line in lines))
    return Verdict(False, gettext(next(fits, scene.hint)))


def _line(view: TableView, ruling: Ruling) -> str:
    """Return an order and its result in the form that goals and hints use."""
    result = "dislodged" if ruling.dislodged else ruling.result.value
    return f"{drawable_words(view.variant.board, ruling)}: {result}"


BEGINNINGS = limits.Limit("tutorial", 60, 3600)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a page shows of a scene."""

    scene: Scene
    before: int | None  # scene to go back to, if any
    after: int | None  # scene to go on to, if any
    verdict: Verdict | None = None  # the result, once the phase is over
    goes_on: bool = False  # the next scene is the next phase of this sandbox
    power: str = POWER
    turns: int = TURNS


def lesson(view: TableView, ordinal: int | None = None) -> Lesson | None:
    """Return the scene played now, or with `ordinal` in a finished phase; None outside the tutorial."""
    number = number_of(view, ordinal)
    if number is None:
        return None
    beginnings = [n for n, scene in enumerate(SCENES) if scene.phase]
    before = max((n for n in beginnings if n < number), default=None)
    after = min((n for n in beginnings if n > number), default=None)
    if ordinal is None:
        return Lesson(SCENES[number], before, after)
    result = verdict(view, ordinal)
    goes_on = result.reached and number + 1 < len(SCENES) and not SCENES[number + 1].phase
    return Lesson(SCENES[number], before, after, result, goes_on)


def scenes_over(view: TableView) -> bool:
    """Return whether this is a sandbox of the tutorial without a scene left to play."""
    taught = view.sandbox and first_scene(view.forked_from) is not None
    return taught and (view.outcome is not None or number_of(view) is None)


@require_http_methods(["GET", "HEAD", "POST"])
def tutorial(request: HttpRequest) -> HttpResponse:
    """Show the contents of the tutorial; with POST begin a scene, by default the first."""
    if request.method != "POST":
        turns = [(turn, [*scenes]) for turn, scenes in groupby(enumerate(SCENES), lambda pair: pair[1].turn)]
        return render(request, "tutorial/list.html", {"turns": turns})
    number = request.POST.get("scene", "0")
    if not number.isascii() or not number.isdigit() or int(number[:4]) >= len(SCENES):
        raise Http404("There is no such turn.")
    try:
        limits.check(BEGINNINGS, request)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("tutorial")
    return redirect("table", begin(int(number)).key)


urlpatterns: list[URLPattern] = [
    path("tutorial/", tutorial, name="tutorial"),
]
