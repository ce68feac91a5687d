"""Beside its own reason a ruling has something to say wherever others had a hand in it, and where all went well."""

from __future__ import annotations

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.game.reasons import further_reasons, idle_builds
from gamesmaster.judge import adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant

RULES = Rules.of(find_variant("standard"))
M, A = PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS
SEVASTOPOL = {"Turkey": ["F BLA", "A RUM"], "Russia": ["A SEV"]}
TAKEN = {"Turkey": ["F Bla - Sev", "A Rum S F Bla - Sev"]}
WALES = {"England": ["A WAL", "F ENG", "F NTH"]}


def said(units: dict[str, list[str]], orders: dict[str, list[str]], of: str) -> list[tuple[str, str]]:
    """What is said beside the ruling on this order, or on the unit that had none."""
    judged = adjudicate(RULES, M, Position(units_from(units)), orders)
    (ruling,) = (r for r in judged.rulings if of in (r.given, "" if r.given else str(r.unit)))
    return [(reason.text, reason.clause) for reason in further_reasons(RULES.board, judged, ruling)]


@pytest.mark.parametrize(
    ("units", "orders", "of", "told"),
    [
        (SEVASTOPOL, TAKEN, "A SEV",
         [("F Bla (Turkey) attacks it with a strength of 2; it holds with 1.", "STD-6.b")]),
        (SEVASTOPOL, TAKEN, "F Bla - Sev", [("It dislodges A Sev (Russia): 2 against 1.", "STD-6.b")]),
        (SEVASTOPOL, TAKEN, "A Rum S F Bla - Sev", [("The move that it supports, F Bla - Sev, succeeds.", "")]),
        ({"France": ["A PAR"]}, {"France": ["A Par - Bur"]}, "A Par - Bur",
         [("Nobody stands in its way to Burgundy.", "")]),
        ({"France": ["A PAR", "A MAR"], "Germany": ["A MUN"]},
         {"France": ["A Par - Bur", "A Mar S A Par - Bur"], "Germany": ["A Mun - Bur"]}, "A Par - Bur",
         [("A Mun (Germany) tries to go there as well: 2 against 1.", "STD-6.a")]),
        ({"France": ["A PAR"], "Germany": ["A BUR"]}, {"France": ["A Par - Bur"], "Germany": ["A Bur H"]}, "A Bur H",
         [("A Par (France) attacks it with a strength of 1; it holds with 1.", "STD-6.b")]),
        ({"France": ["A PAR"], "Germany": ["A BUR"]}, {"Germany": ["A Bur H"]}, "A Bur H",
         [("Nobody attacks it.", "")]),
        ({"Germany": ["A BUR", "A RUH"]}, {"Germany": ["A Bur H", "A Ruh S A Bur"]}, "A Ruh S A Bur",
         [("The unit that it supports, A Bur (Germany), is attacked by nobody.", "")]),
        ({"France": ["A PAR"], "Germany": ["A BUR", "A RUH"]},
         {"France": ["A Par - Bur"], "Germany": ["A Bur H", "A Ruh S A Bur"]}, "A Ruh S A Bur",
         [("The unit that it supports, A Bur (Germany), is attacked, and stands.", "")]),
        (WALES, {"England": ["A Wal - Nwy", "F Eng C A Wal - Nwy", "F Nth C A Wal - Nwy"]}, "F Nth C A Wal - Nwy",
         [("The move that it carries, A Wal - Nwy, succeeds.", "")]),
        (WALES, {"England": ["A Wal - Nwy", "F Nth C A Wal - Nwy"]}, "A Wal - Nwy",
         [("Only F Nth (England) had orders to carry it, and that is not the whole way.", ""),
          ("The way lacks an order to F Eng (England).", "")]),
        (WALES, {"England": ["A Wal - Nwy"]}, "A Wal - Nwy",
         [("No fleet had an order to carry it there.", ""),
          ("The way lacks an order to F Eng (England) and one to F Nth (England).", "")]),
        ({"England": ["A WAL", "F IRI", "F NAO", "F NTH"], "France": ["F ENG", "F NWG"]},
         {"England": ["A Wal - Nwy", "F Nth C A Wal - Nwy", "F Iri C A Wal - Nwy"]}, "A Wal - Nwy",
         [("Only F Nth (England), F Iri (England) had orders to carry it, and that is not the whole way.", ""),
          ("The way lacks an order to F Eng (France).", "")]),
        ({"France": ["A PAR", "A MAR"], "Germany": ["A MUN", "A RUH"]},
         {"France": ["A Par - Bur", "A Mar S A Par - Bur"], "Germany": ["A Mun - Bur", "A Ruh S A Mun - Bur"]},
         "A Mar S A Par - Bur",
         [("The move that it supports, A Par - Bur, fails: it is stood off by A Mun (Germany) (2 against 2).", "")]),
    ],
)  # fmt: skip
def test_what_else_decided(
    units: dict[str, list[str]], orders: dict[str, list[str]], of: str, told: list[tuple[str, str]]
) -> None:
    """Attackers and their strengths, rivals, the fleets that were missing, the fate of what was supported."""
    assert said(units, orders, of) == told


def test_a_removal_that_nobody_ordered() -> None:
    """A unit that goes for want of an order is told from one that its owner gave up."""
    position = Position(units_from({"Germany": ["A KIE", "A MUN"]}), {"BER": "Germany"})
    judged = adjudicate(RULES, A, position, {})
    (ruling,) = judged.rulings
    assert [reason.clause for reason in further_reasons(RULES.board, judged, ruling)] == ["STD-10.g"]
    asked = adjudicate(RULES, A, position, {"Germany": ["Remove A Mun"]})
    assert further_reasons(RULES.board, asked, asked.rulings[0]) == ()


def test_builds_that_nobody_used() -> None:
    """Builds without an order are counted; those that were made, or waived by an order, are not."""
    position = Position((), {"BER": "Germany", "KIE": "Germany", "MUN": "Germany", "PAR": "France"})
    judged = adjudicate(RULES, A, position, {"Germany": ["Build A Mun", "Waive"], "France": ["Build F Par"]})
    found = [(one.text, one.clause) for one in idle_builds(RULES, position, judged)]
    assert sorted(found) == [
        ("France gave no order for 1 build.", "STD-10.e"),
        ("Germany gave no order for 1 build.", "STD-10.e"),
    ]


def test_every_phase_of_a_game() -> None:
    """Nothing that a random game of any kind of rules comes to is beyond words."""
    from gamesmaster.testing.conformance import play

    for name in ("scottomacy", "conquest2", "1000ad"):
        for game, orders in play(find_variant(name), 25, 4):
            judged = adjudicate(game.rules, game.phase.kind, game.position, orders)
            for ruling in judged.rulings:
                assert all(reason.text.endswith(".") for reason in further_reasons(game.variant.board, judged, ruling))
