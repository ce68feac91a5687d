"""Orders of a game that was played: every ruling is drawn once and told in its own words, and in few bytes."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from gamesmaster.board import Position
from gamesmaster.formats.phases import PhaseLine
from gamesmaster.formats.replay import Replay
from gamesmaster.judge import adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.pictures import Look
from gamesmaster.pictures.orders.model import plan
from gamesmaster.pictures.orders.overlay import draw_orders, order_key
from gamesmaster.pictures.style import STYLES
from gamesmaster.rules import Result, Ruling
from gamesmaster.variant import find_variant

from .overlay import RULES, STANDARD, Drawn, overlay, standard_grid

GAME = Path(__file__).parents[2] / "examples/recorded_game.jsonl"
PHASES = list(Replay(find_variant).phases(GAME))
IDS = [phase.phase.code for phase in PHASES]

SHARE = 25_000
"""Bytes that the orders of a phase may take of the changing layer's 40,000."""


def draw(phase: PhaseLine, style: str = "light", layout: str = "wide") -> str:
    """The overlay of a phase with what became of its orders."""
    return draw_orders(
        STANDARD.board, standard_grid(), phase.position, phase.adjudication.rulings, Look(style=style, layout=layout)
    )


@pytest.mark.parametrize("phase", PHASES, ids=IDS)
def test_every_ruling_once(phase: PhaseLine) -> None:
    """There is one group for each ruling, with its text as its title, and classes for verb, result and cause."""
    found = list(overlay(draw(phase)).values())
    rulings = list(phase.adjudication.rulings)
    assert len(found) == len(rulings)
    for one in found:
        (ruling,) = [ruling for ruling in rulings if _tells(one, ruling)]
        rulings.remove(ruling)
        assert ruling.result.value.replace(" ", "-") in one.classes
        assert ruling.cause.name.lower().replace("_", "-") in one.classes
        assert ("dislodged" in one.classes) == ruling.dislodged
        assert one.strokes
    assert not rulings


def _tells(one: Drawn, ruling: Ruling) -> bool:
    """Is this the group of this ruling?"""
    unit = str(ruling.unit.number) if ruling.unit else "x"
    told = one.title.startswith(f"{ruling.power}: ") and ruling.text.casefold() in one.title.casefold()
    return told and one.key.partition("-")[0] == unit


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_in_few_bytes(style: str, layout: str) -> None:
    """The fullest phase takes no more than its share, in every style and layout."""
    fullest = max(PHASES, key=lambda phase: len(phase.adjudication.rulings))
    assert len(fullest.adjudication.rulings) == 34
    assert len(draw(fullest, style, layout).encode()) < SHARE


def test_the_same_bytes() -> None:
    """Drawing twice gives the same text."""
    assert draw(PHASES[16]) == draw(PHASES[16])


@pytest.mark.parametrize("style", STYLES)
def test_only_classes_that_the_style_sheet_knows(style: str) -> None:
    """Every stroke has a class that the overlay's own style sheet describes, all rules are under its own class."""
    text = draw(PHASES[16], style)
    sheet = text.partition("<style>")[2].partition("</style>")[0]
    name = "." + text.split('class="')[1].split('"')[0]
    selectors = [rule.partition("{")[0] for rule in sheet.split("}") if rule]
    assert all(selector == name or selector.startswith(f"{name} ") for selector in selectors)
    used = {kind for one in overlay(text).values() for kind in one.strokes}
    assert used <= {selector.rpartition(".")[2] for selector in selectors}
    colours = set(re.findall("#[0-9a-f]{6}", sheet))
    assert colours == {"#000000", "#ffffff"} if style == "print" else len(colours) > 4


def test_styles_differ_in_colour_alone() -> None:
    """The lines are the same in every style, so that black and white tell as much as colours."""
    light, dark, paper = (overlay(draw(PHASES[16], style)) for style in STYLES)
    assert light == dark == paper


def test_no_number_of_a_path_is_broken() -> None:
    """Path data hold nothing but commands and whole numbers within sight of the page."""
    for phase in PHASES:
        for path in re.findall(r' d="([^"]*)"', draw(phase)):
            assert re.fullmatch(r"(?:[Mclahvz](?: ?-?\d+)*)+", path), path
            assert all(abs(int(n)) < 6000 for n in re.findall(r"-?\d+", path))


def test_the_orders_alone() -> None:
    """The orders of a phase are drawn without their results by the same lines, none of them solid or broken by fate."""
    phase = PHASES[16]
    orders = {
        power: [r.order for r in phase.adjudication.rulings if r.order and r.power == power] for power in _powers()
    }
    planned = plan(phase.position, orders)
    found = overlay(draw_orders(STANDARD.board, standard_grid(), phase.position, planned))
    assert len(found) == sum(map(len, orders.values()))
    assert all("planned" in one.classes for one in found.values())
    assert not {kind for one in found.values() for kind in one.strokes} & {"B", "C", "V", "D"}


def _powers() -> list[str]:
    return [power.name for power in STANDARD.powers]


# -- the key ---------------------------------------------------------------------------------------------------------


def test_the_key_explains_what_is_drawn() -> None:
    """The key has a row for each kind of line, and for a phase only those rows that it needs."""
    whole = [row.label for row in order_key("light")]
    assert len(whole) == len(set(whole)) == 18
    for phase in PHASES:
        rulings = phase.adjudication.rulings
        labels = [row.label for row in order_key("light", "wide", rulings)]
        assert labels == [label for label in whole if label in labels]
        assert ("is stopped" in labels) == any(r.result is Result.BOUNCES for r in rulings)
        assert ("not carried out" in labels) == any(r.result is Result.VOID for r in rulings)
        assert ("is dislodged" in labels) == any(r.dislodged for r in rulings)
        assert (phase.phase.kind is PhaseKind.ADJUSTMENTS) == bool({"is built", "is removed"} & {*labels})
        assert (phase.phase.kind is PhaseKind.RETREATS) == bool({"retreats", "disbands"} & {*labels})


def test_who_leaves_a_build_unused() -> None:
    """Builds that are waived are named in the key, with the powers, since there is no place to draw them."""
    position = Position(owners={"PAR": "France", "BRE": "France"})
    rulings = adjudicate(RULES, PhaseKind.ADJUSTMENTS, position, {"France": ["Waive", "Waive"]}).rulings
    assert [row.label for row in order_key("light", "wide", rulings)] == ["leaves a build unused: France"]


def test_no_key_for_nothing() -> None:
    """Where nothing is drawn the key is empty."""
    assert order_key("light", "wide", ()) == ()


@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_samples_fit_their_boxes(layout: str) -> None:
    """A sample is drawn about (0, 0) within the width and height that it states, by the overlay's classes."""
    rows = order_key("print", layout)
    scope = draw(PHASES[0], "print", layout).partition('class="')[2].partition('"')[0]
    for row in rows:
        assert row.sample.startswith(f'<g class="{scope}">')
        assert "<path" in row.sample
        for x, y in re.findall(r"M(-?\d+) (-?\d+)", row.sample):
            assert abs(int(x)) <= row.width / 2
            assert abs(int(y)) <= row.height / 2
    assert all(one.sample != other.sample for one, other in pairwise(rows))


def test_nothing_is_drawn_for_no_rulings() -> None:
    """Without orders the overlay is an empty group."""
    assert overlay(draw_orders(STANDARD.board, standard_grid(), Position(), ())) == {}
