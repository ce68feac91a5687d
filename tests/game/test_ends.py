"""Ends of a game beside the number of centres: a lead, a last year, provinces held, and years without a capture."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from gamesmaster.batches import supports
from gamesmaster.board import Finding
from gamesmaster.errors import BadFile, BadRulebook, NotFound
from gamesmaster.game import Game, Outcome, Termination, dumps, loads, verify
from gamesmaster.testing import check_variant
from gamesmaster.variant import HouseRules, Variant, find_variant, lint_variant, shelf, variant_facts
from gamesmaster.variant.reading import variant_of_data
from gamesmaster.variant.sources import variant_data
from tests.scenarios.setup import with_ends

from .conftest import Builder

STANDARD = shelf() / "standard"
ARMIES = {"France": ["A PAR"], "Germany": ["A MUN"]}


def standard(victory: dict[str, Any] | None = None, **mechanics: dict[str, Any]) -> Variant:
    """The standard game with these keys of `[victory]`, and these mechanics by their names."""
    named = [{"name": name.replace("_", "-"), **given} for name, given in mechanics.items()]
    return with_ends(find_variant("standard"), victory=victory, mechanics=named)


def events(game: Game) -> list[tuple[str, str]]:
    """The events of the last phase but for captures: word and power."""
    return [(e.kind.value, e.power) for e in game.records[-1].events if e.kind.value != "takes"]


def errors(variant: Variant) -> list[Finding]:
    """What the linter calls an error."""
    return [finding for finding in lint_variant(variant) if finding.level == "error"]


def fall(game: Game) -> Game:
    """The game after its next Fall, in which units hold unless they are ordered otherwise."""
    while not game.phase.code.startswith("F"):
        game = game.process()
    return game.process()


# -- a lead ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("owned", "year", "winner"),
    [
        ("PAR MAR BRE BEL SPA", 1901, "France"),  # 5 to 1 is a lead of 4
        ("PAR MAR BRE BEL", 1901, ""),
        ("PAR MAR BRE BEL", 1902, "France"),  # and 3 are enough in the next year
        ("PAR BEL", 1904, "France"),
        ("PAR BEL", 1930, "France"),  # one is the least
        ("PAR", 1930, ""),
    ],
)
def test_a_lead_wins(standing: Builder, owned: str, year: int, winner: str) -> None:
    """A power wins that owns so many centres more than every other one; the lead may fall each turn (STD-2.d)."""
    variant = standard({"lead": {"centres": 4, "falls": 1}})
    game = standing(f"F{year}M", ARMIES, {"France": owned, "Germany": "MUN"}, variant)
    lead = len(owned.split()) - 1
    needed = max(1, 4 - (year - 1901))
    line = f"France: leads by {lead} of the {needed} centre{'s' * (needed > 1)} that win in this turn"
    assert game.ledger.sections.get("Victory", ()) == ((line,) if lead else ())
    over = game.process()
    assert (over.outcome.winners if over.outcome else ()) == ((winner,) if winner else ())
    assert events(over) == ([("leads", winner)] if winner else [])


def test_the_number_wins_beside_a_lead(standing: Builder) -> None:
    """Who has the number that wins needs no lead, and no lead is told of; equals go on."""
    variant = standard({"centres": 2, "lead": {"centres": 30}})
    over = standing("F1901M", ARMIES, {"France": "PAR MAR", "Germany": "MUN"}, variant).process()
    assert over.outcome == Outcome(Termination.VICTORY, ("France",), "F1901M")
    assert events(over) == []
    tied = standing("F1901M", ARMIES, {"France": "PAR MAR", "Germany": "MUN BER"}, variant).process()
    assert tied.outcome is None


# -- the last year ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "french", "termination", "winners"),
    [
        ("most centres", "PAR MAR", "victory", ("France",)),
        ("most centres", "PAR", "victory", ("France", "Germany")),
        ("survivors share", "PAR MAR", "draw", ("France", "Germany")),
    ],
)
def test_the_last_year(standing: Builder, then: str, french: str, termination: str, winners: tuple[str, ...]) -> None:
    """The game ends at the last year's count, and not before: most centres win, or all survivors share (STD-2.e)."""
    variant = standard({"last_year": 1905, "then": then})
    owners = {"France": french, "Germany": "MUN"}
    assert standing("F1904M", ARMIES, owners, variant).process().outcome is None
    assert standing("S1905M", ARMIES, owners, variant).process().outcome is None
    over = standing("F1905M", ARMIES, owners, variant).process()
    assert over.outcome == Outcome(Termination(termination), winners, "F1905M")
    word = "first" if termination == "victory" else "survives"
    assert events(over) == [(word, power) for power in winners]
    assert {one.phase for one in verify(over)} == {"F1905M"}  # where the game was begun in its middle; its end is right


@pytest.mark.parametrize(
    ("rules", "french", "termination", "winners"),
    [
        ({}, "PAR MAR", "victory", ("France",)),
        ({}, "PAR", "victory", ("France", "Germany")),
        ({"last_year_ends": "survivors_share"}, "PAR MAR", "draw", ("France", "Germany")),
    ],
)
def test_the_last_year_of_a_table(
    rules: dict[str, Any], french: str, termination: str, winners: tuple[str, ...], standing: Builder
) -> None:
    """A table may set a last year in any variant, which takes the place of the variant's own (STD-2.h)."""
    for variant in (standard(), standard({"last_year": 1903}), standard({"last_year": 1909})):
        begun = Game.start(variant, seed=bytes(32), house_rules={"last_year": 1905, **rules})
        at = standing("F1905M", ARMIES, {"France": french, "Germany": "MUN"}, variant)
        game = replace(begun, phase=at.phase, position=at.position)
        assert game.ledger.sections["Victory"][0].startswith("The last year is 1905: then ")
        assert replace(game, phase=variant.calendar.read("F1904M")).process().outcome is None
        over = game.process()
        assert over.outcome == Outcome(Termination(termination), winners, "F1905M")
        assert {one.phase for one in verify(over)} == {"F1905M"}
    again = loads(dumps(begun), find=lambda _: variant)
    assert (again.house_rules, again.variant.victory.last_year) == (begun.house_rules, 1905)
    assert again.variant is begun.variant


def test_a_last_year_is_not_before_the_first() -> None:
    """A table's last year must be one of the game; years BC are below 0, and others have at most four digits."""
    with pytest.raises(BadRulebook, match=r"last_year cannot be 1900: the game begins in 1901"):
        Game.start(find_variant("standard"), seed=bytes(32), house_rules={"last_year": 1900})
    for year in (-10_000, 10_000, "190x"):
        with pytest.raises(BadRulebook, match="a number from -9999 to 9999"):
            HouseRules.of({"last_year": year})
    assert HouseRules.of({"last_year": "-480"}).sentence("last_year") == "In 480 BC, at the last count of that year."


def test_a_victory_goes_before_the_last_year(standing: Builder) -> None:
    """Who wins by numbers in the last year has won, and nobody shares."""
    variant = standard({"centres": 2, "last_year": 1905, "then": "survivors share"})
    over = standing("F1905M", ARMIES, {"France": "PAR MAR", "Germany": "MUN"}, variant).process()
    assert over.outcome == Outcome(Termination.VICTORY, ("France",), "F1905M")


# -- provinces that a winner needs, and teams --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("powers", "french", "number", "winner"),
    [
        ([], "PAR MAR ROM", 0, ""),
        ([], "PAR MAR ROM VIE", 0, "France"),
        ([], "PAR MAR ROM", 1, "France"),
        ([], "PAR MAR", 1, ""),
        (["Germany"], "PAR MAR", 0, "France"),
    ],
)
def test_provinces_are_needed(powers: list[str], french: str, number: int, winner: str, standing: Builder) -> None:
    """A power that has the number that wins does not win without the provinces that it needs (STD-2.j)."""
    needed = {"provinces": ["ROM", "VIE"], "number": number, "powers": powers}
    variant = standard({"centres": 2}, needed_provinces=needed)
    game = standing("F1901M", ARMIES, {"France": french, "Germany": "MUN"}, variant)
    owned = len({"ROM", "VIE"} & {*french.split()})
    needs = f"{number or 2} province{'s' * (number != 1)}"
    line = f"France: owns {owned} of ROM, VIE; a winner needs {needs}"
    assert game.ledger.sections.get("Victory", ()) == ((line,) if owned and not powers else ())
    over = game.process()
    assert (over.outcome.winners if over.outcome else ()) == ((winner,) if winner else ())
    assert events(over) == ([] if winner else [("lacking", "France")])
    assert dict(variant_facts(variant))["victory"].startswith("2 centres; ")


TEAMS: dict[str, Any] = {"teams": [["France", "Germany"], ["Russia", "Turkey"]], "centres": 3}


@pytest.mark.parametrize(
    ("owners", "winners"),
    [
        ({"France": "PAR", "Germany": "MUN BER", "Russia": "MOS WAR"}, ("France", "Germany")),
        ({"France": "PAR MAR BRE", "Russia": "MOS"}, ("France", "Germany")),  # Germany has a unit
        ({"France": "PAR", "Germany": "MUN", "Italy": "ROM NAP VEN"}, ()),
        ({"France": "PAR", "Germany": "MUN BER", "Russia": "MOS WAR STP"}, ()),  # equal
        ({"Russia": "MOS WAR STP", "France": "PAR"}, ("Russia",)),  # Turkey is gone
    ],
)
def test_a_team_wins(owners: dict[str, str], winners: tuple[str, ...], standing: Builder) -> None:
    """A team wins with so many centres, and more than any other team; its powers share the victory (STD-2.k)."""
    game = standing("F1901M", ARMIES, owners, standard(teams=TEAMS))
    centres = len(owners.get("France", "").split() + owners.get("Germany", "").split())
    line = f"France and Germany: {centres} of the 3 centres with which a team wins"
    assert game.ledger.sections["Teams"][0] == line
    over = game.process()
    assert (over.outcome.winners if over.outcome else ()) == winners
    assert [event for event in events(over) if event[0] == "team"] == [("team", power) for power in winners]


def test_teams_are_checked() -> None:
    """Powers are in one team at most, and there are two teams; a power that wins alone goes before its team."""
    for teams in ([["France"]], [["France"], []], [["France"], ["France"]]):
        with pytest.raises(BadFile, match="at least two teams"):
            standard(teams={"teams": teams, "centres": 3})
    with pytest.raises(BadFile, match="did you mean France"):
        standard(teams={"teams": [["Frane"], ["Russia"]], "centres": 3})
    for name in ("needed_provinces", "teams"):
        given: dict[str, Any] = {"teams": TEAMS, "needed_provinces": {"provinces": ["ROM"]}}[name]
        assert check_variant(standard({"centres": 6}, **{name: given}), phases=25) == []


# -- provinces held --------------------------------------------------------------------------------------------------

HELD = {"provinces": ["PAR", "MUN", "ROM"], "number": 2, "counts": 2}


def test_provinces_are_held(standing: Builder) -> None:
    """A power wins that owns so many of the provinces at so many counts in a row (STD-2.f)."""
    variant = standard(held_provinces=HELD)
    once = standing("F1901M", ARMIES, {"France": "PAR ROM", "Germany": "MUN"}, variant).process()
    assert once.outcome is None
    assert once.ledger.sections["Victory"] == (
        "France: owns 2 of the 2 provinces that win, held at 1 of 2 counts",
        "Germany: owns 1 of the 2 provinces that win, held at 0 of 2 counts",
    )
    twice = fall(once)
    assert twice.outcome == Outcome(Termination.VICTORY, ("France",), "F1902M")
    assert events(twice) == [("held", "France")]
    lost = replace(once, position=replace(once.position, owners={"PAR": "France", "MUN": "Germany"}))
    assert fall(lost).position.state == {}


def test_two_that_hold_enough_go_on(standing: Builder) -> None:
    """Of two powers that come to it at the same count neither wins until the other has lost it (STD-2.f)."""
    variant = standard(held_provinces={"provinces": ["PAR", "MUN"], "number": 1})
    tied = standing("F1901M", ARMIES, {"France": "PAR", "Germany": "MUN"}, variant).process()
    assert tied.outcome is None
    left = replace(tied.position, units=(), owners={"PAR": "France", "BER": "Germany"})
    assert fall(replace(tied, position=left)).outcome == Outcome(Termination.VICTORY, ("France",), "F1902M")


# -- years without a capture -----------------------------------------------------------------------------------------


def test_nothing_changes_hands() -> None:
    """After so many counts without a capture the survivors share a draw (STD-2.g)."""
    once = fall(Game.start(standard(no_captures={"counts": 2}), seed=bytes(32)))
    assert once.position.state == {"no-captures": 1}
    line = "No supply centre changed hands at 1 of the 2 counts that end the game"
    assert once.ledger.sections["Victory"] == (line,)
    over = fall(once)
    assert over.outcome == Outcome(Termination.DRAW, tuple(p.name for p in over.variant.powers), "F1902M")
    assert events(over) == [("still", "")]


def test_a_capture_begins_anew() -> None:
    """A centre that is taken sets the number of counts back to nothing."""
    once = fall(Game.start(standard(no_captures={"counts": 2}), seed=bytes(32)))
    moved = once.submit("Austria", "F Tri - Alb").submit("Italy", "A Ven - Tri").process()
    taken = fall(moved)
    assert (taken.position.owners["TRI"], taken.position.state, taken.outcome) == ("Italy", {}, None)


# -- records ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("victory", "mechanics"),
    [
        ({"last_year": 1902, "then": "survivors share"}, {}),
        ({}, {"no_captures": {"counts": 2}}),
        ({}, {"held_provinces": {"provinces": ["PAR"], "counts": 2}}),
    ],
)
def test_records_end_so_again(victory: dict[str, Any], mechanics: dict[str, Any]) -> None:
    """A record comes to the same end when it is judged again; another end, or none, is found; it can go back."""
    variant = standard(victory, **mechanics)
    over = fall(fall(Game.start(variant, seed=bytes(32))))
    assert over.outcome
    text = dumps(over)
    assert loads(text, find=lambda name: variant) == over
    forged = json.loads(text)
    del forged["outcome"]
    with pytest.raises(BadFile, match="end of the game"):
        loads(json.dumps(forged), find=lambda name: variant)
    assert over.rollback("F1902M").process() == over
    with pytest.raises(NotFound, match="was not played"):  # it ended before that phase began
        over.rollback(over.phase.code)


def test_random_games_keep_their_ends() -> None:
    """In random phases nothing is lost in files or state documents, and every end follows from the orders."""
    variant = standard(
        {"last_year": 1903, "lead": {"centres": 5, "falls": 1}},
        held_provinces={"provinces": ["PAR", "MUN", "BUD", "BEL"], "number": 2, "counts": 2},
        no_captures={"counts": 2},
    )
    assert check_variant(variant, phases=40) == []


# -- files -----------------------------------------------------------------------------------------------------------


def test_the_ends_are_told() -> None:
    """The facts of a variant tell all its ends."""
    victory = {"lead": {"centres": 9, "falls": 1}, "last_year": 1910}
    variant = standard(victory, held_provinces=HELD, no_captures={"counts": 3})
    assert dict(variant_facts(variant))["victory"] == (
        "18 centres; or 9 centres more than every other power, 1 fewer each turn; the last year is 1910: then most "
        "centres win; 2 of PAR, MUN, ROM at 2 counts in a row; a draw of the survivors after 3 counts without a capture"
    )


def test_absent_keys_change_nothing() -> None:
    """A variant without them is the variant that it was."""
    assert variant_of_data(STANDARD, variant_data(STANDARD)).digest == find_variant("standard").digest


@pytest.mark.parametrize(
    ("victory", "code"),
    [
        ({"lead": {"centres": 35}}, "victory-out-of-reach"),
        ({"lead": {"centres": 1}}, "won-at-start"),
        ({"last_year": 1900}, "over-at-start"),
    ],
)
def test_what_cannot_happen_is_found(victory: dict[str, Any], code: str) -> None:
    """A lead that nobody can have, one that somebody has at the start, and a last year before the first."""
    assert {finding.code for finding in errors(standard(victory))} == {code}


def test_provinces_without_a_centre_are_found() -> None:
    """Nobody can own a province without a supply centre."""
    variant = standard(held_provinces={"provinces": ["BUR", "PAR"]})
    assert [(f.code, f.where) for f in errors(variant)] == [("goal-without-centre", "BUR")]


@pytest.mark.parametrize(
    ("victory", "mechanics", "text"),
    [
        ({"count": "units", "lead": {"centres": 3}}, {}, "a lead counts centres"),
        ({"then": "nobody"}, {}, "most centres"),
        ({}, {"held_provinces": {"provinces": ["PAR"], "number": 2}}, "no larger number"),
        ({}, {"held_provinces": {"provinces": ["PAX"]}}, "no province 'PAX'"),
        ({}, {"no_captures": {"counts": 0}}, "1 to 1,000 counts"),
    ],
)
def test_faults_are_refused(victory: dict[str, Any], mechanics: dict[str, Any], text: str) -> None:
    """Values that mean nothing are refused when the file is read."""
    with pytest.raises(BadFile, match=text):
        standard(victory, **mechanics)


def test_batches_name_what_they_refuse() -> None:
    """Batches carry out a lead and a last year of most centres; what they cannot do they refuse by name."""
    assert supports(standard({"lead": {"centres": 5}, "last_year": 1905}))
    refused = standard({"last_year": 1905, "then": "survivors share"}, held_provinces=HELD, no_captures={"counts": 3})
    assert supports(refused).why_not == (
        "the mechanic HeldProvinces (batches do not keep how long provinces are held)",
        "the mechanic NoCaptures (batches do not keep how long no centre has changed hands)",
        "a last year whose survivors share the game",
    )
