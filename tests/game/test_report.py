"""Reports: what a Gamesmaster posts, complete, readable, and without secrets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamesmaster.errors import NotFound
from gamesmaster.game import Game, history, report
from gamesmaster.game.reports import WIDTH
from gamesmaster.variant import find_variant

from .conftest import Builder

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def test_the_beginning() -> None:
    """Before the first phase: powers, players, units, the options in force (STD-11.c), the commitment, what is due."""
    players = ["Ann", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gus"]
    game = Game.start(find_variant("standard"), seed=bytes(32), rulebook={"convoy_paradox": "1982"}, players=players)
    text = report(game)
    assert "Russia: A Mos, F Sev, F Stp/SC, A War\n" in text
    assert all(f"played by {name}" in text for name in players)
    assert "Rulebook: convoy paradox: 1982\n" in text
    assert game.dice.commitment in text
    assert text.endswith("  Turkey: orders for 3 units\n")


def test_a_movement_phase(game: Game) -> None:
    """Orders stand as the notation writes them, each with its result, and with the reason where it failed."""
    game = game.submit("France", "par - bur; a mar s a par-burgundy; F BRE").submit("Germany", "A Munich - Burgundy")
    text = report(game.process())
    assert text.startswith("Diplomacy: Spring 1901 Movement (S1901M)\n====")
    assert "\nFrance\n  A Par - Bur          succeeds\n  A Mar S A Par - Bur  succeeds\n" in text
    assert "  A Mun - Bur          bounces: is stood off by A Par (France) (1 against 2) [STD-6.a]\n" in text
    assert '  "F BRE"              void: cannot be read: ' in text
    assert text.count("has no order and holds") == 19
    assert "\nDue for Fall 1901 Movement (F1901M)\n  Austria: orders for 3 units\n" in text


def test_retreats_and_the_count(standing: Builder) -> None:
    """Dislodged units and their ways out, retreats, centres that change hands, and the counts are told."""
    units = {"France": ["A MUN", "A RUH", "A GAL"], "Germany": ["A KIE"], "Austria": ["A VIE"]}
    game = standing("F1903M", units, {"France": "MUN", "Germany": "KIE BER", "Austria": "VIE"})
    game = game.submit("France", "A Mun - Kie; A Ruh S A Mun - Kie").process()
    text = report(game)
    assert "\nDislodged\n  A Kie (Germany), attacked from Mun, may retreat to Ber or Den or Hol\n" in text
    assert "Supply centres" not in text
    assert text.endswith("Due for Fall 1903 Retreats (F1903R)\n  Germany: a retreat\n")
    text = report(game.submit("Germany", "A Kie - Den").process())
    assert "Germany\n  A Kie - Den  succeeds\n" in text
    assert "\nEvents\n  Germany takes Denmark. [STD-10.a]\n  France takes Kiel from Germany. [STD-10.a]\n" in text
    assert "\nSupply centres\n  Austria: 1 unit, 1 centre: Vie\n  France: 3 units, 2 centres: Kie Mun\n" in text
    assert text.endswith("Due for Winter 1903 Adjustments (W1903A)\n  France: a removal\n  Germany: a build\n")
    text = report(game.submit("Germany", "A Kie - Den").process().process())
    assert "  Remove A Gal  succeeds, because no order was given\n" in text


def test_where_units_stand_after_a_winter(standing: Builder) -> None:
    """After a Winter, played or passed over, all units are listed, and at the end of the list those of no power."""
    units = {"France": ["A PAR", "F BRE"], "Germany": ["A KIE"]}
    owned = {"France": "PAR BRE MAR", "Germany": "KIE"}
    text = report(standing("W1903A", units, owned).submit("France", "Build A Mar").process())
    assert "\nUnits\n  France: F Bre, A Mar, A Par\n  Germany: A Kie\n\n" in text
    passed = report(standing("F1903M", units, {"France": "PAR BRE", "Germany": "KIE"}).process())
    assert "\nUnits\n  France: F Bre, A Par\n  Germany: A Kie\n\n" in passed
    assert "\nUnits\n" not in report(standing("S1903M", units, owned).process())


def test_units_of_no_power_are_listed() -> None:
    """Standing parties that remain are told of with the places of all others, at the beginning and after a Winter."""
    game = Game.start(find_variant("indianomacy"), seed=bytes(32))
    assert "\nNeutral: W 3 (Cree), W 15 (Huron), " in report(game)
    text = report(game.process().process())  # nobody moves, so that nobody builds either
    assert "\n  Neutral: W 3 (Cree), W 15 (Huron), W 18 (Chippewa), W 21 (Assiniboine)," in text
    assert not [line for line in text.splitlines() if line.endswith(" W") or line.endswith(" A")]


def test_no_order_no_retreat(standing: Builder) -> None:
    """A unit that disbands for want of an order, and one that had nowhere to go, are told apart."""
    units = {"France": ["A MUN", "A RUH"], "Germany": ["A KIE"]}
    game = standing("S1903M", units, {"France": "MUN", "Germany": "BER"})
    game = game.submit("France", "A Mun - Kie; A Ruh S A Mun - Kie").process().process()
    assert "  A Kie D  succeeds, because no order was given\n" in report(game)
    units = {"France": ["A RUH", "A BUR", "A TYR", "A BOH", "A SIL", "A KIE", "A BER"], "Germany": ["A MUN"]}
    game = standing("S1903M", units, {"France": "PAR", "Germany": "MUN"})
    text = report(game.submit("France", "A Bur - Mun; A Ruh S A Bur - Mun").process())
    assert "  A Mun (Germany), attacked from Bur, has nowhere to retreat\n" in text
    assert "Germany's unit from Munich has nowhere to retreat and disbands. [STD-9.e]" in text


def test_civil_disorder(game: Game) -> None:
    """A power whose player is gone is marked, and nothing is asked of it (STD-10.h)."""
    text = report(game.set_disorder("Italy").process())
    assert "\nItaly (civil disorder)\n  F Nap     is in civil disorder and holds\n" in text
    assert "  Italy: civil disorder, no orders expected\n" in text


def test_a_phase_by_name(england: Game) -> None:
    """Any phase that is over can be told again, without what is due now; others are refused."""
    text = report(england, "Spring 1902")
    assert text.startswith("Diplomacy: Spring 1902 Movement (S1902M)")
    assert "over" not in text
    with pytest.raises(NotFound, match="S1901R is not over, or was not played"):
        report(england, "S1901R")
    with pytest.raises(NotFound, match="W1910A is not over"):
        report(england, "W1910A")


def test_the_end(england: Game, game: Game) -> None:
    """When the game is over the winner is told and the seed published."""
    assert report(england).endswith(f"The game is over (F1910R): England won.\nSeed: {'00' * 32}\n")
    for power in POWERS:
        game = game.vote_draw(power)
    assert "The game is over (S1901M): Austria, England, France, Germany, Italy, Russia and Turkey share" in report(
        game
    )


def test_secrets(game: Game) -> None:
    """While the game goes on no report shows the seed, orders not yet processed, or votes."""
    quiet = replace(game, seed=bytes(range(32)))
    told = quiet.submit("France", "A Par - Bur").vote_draw("Germany")
    assert report(told) == report(quiet)
    assert history(told) == history(quiet)
    assert quiet.seed.hex() not in history(quiet.process())


def test_a_whole_game(england: Game) -> None:
    """The history has every phase once, in order, fits the page, and is the same each time."""
    text = history(england)
    titles = [line for line in text.splitlines() if line.startswith("Diplomacy: ")]
    calendar = england.variant.calendar
    phases = [f"Diplomacy: {calendar.name(r.phase)} ({r.phase.code})" for r in england.records]
    assert titles == ["Diplomacy: the beginning", *phases]
    assert max(map(len, text.splitlines())) <= WIDTH
    assert text == history(england)


def test_hostile_words(game: Game) -> None:
    """Control characters never reach the reader's screen, and nonsense is clipped."""
    game = game.submit("France", ["A Par \x1b[2J\x00 - Bur\u202e", "A " + "Bur " * 90])
    text = history(replace(game, players={"France": "\x1b]0;Ann\x07"}).process())
    assert all(c.isprintable() or c == "\n" for c in text)
    assert max(map(len, text.splitlines())) <= WIDTH
