"""The searching player: what it foresees, how it weighs what it tries, and that it does what the heuristic cannot."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean

import pytest

from gamesmaster.board import Dislodged, Location, Position, Unit, units_from
from gamesmaster.judge import adjudicate
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.players import Heuristic, Player, Searcher, Tastes, play, views
from gamesmaster.players.search import Foresight, Scales, Standing, Trials
from gamesmaster.variant import find_variant, variant_names

from .table import STANDARD, at, seen, told

HASTY = Searcher(samples=3, tries=4)
START = views(at(STANDARD, "S1901M", STANDARD.start))


# -- foresight -------------------------------------------------------------------------------------------------------


def test_it_guesses_as_the_heuristic_player_orders() -> None:
    """Every other power is guessed to order what the heuristic player could; another number gives another guess."""
    foresight = Foresight(START["France"], Heuristic())
    guesses = [foresight.sheets(number) for number in range(6)]
    assert guesses == [foresight.sheets(number) for number in range(6)]
    assert all(sorted(guess) == sorted(set(START) - {"France"}) for guess in guesses)
    assert any(guess != guesses[0] for guess in guesses)
    calm = Foresight(START["France"], Heuristic(Tastes(whim=0))).sheets(0)
    assert sorted(calm["Italy"]) == told(Heuristic(Tastes(whim=0)), START["Italy"])


def test_it_knows_no_secrets() -> None:
    """What the others have sent does not touch what it orders."""
    game = at(STANDARD, "S1901M", STANDARD.start)
    sent = game.submit("Germany", "A Mun - Tyr")
    assert told(HASTY, views(game)["France"]) == told(HASTY, views(sent)["France"])


def test_nobody_guesses_at_those_who_do_not_play() -> None:
    """Powers in civil disorder, and those without a unit, are left out."""
    view = seen("France", "S1901M", {"France": ["A PAR"], "Germany": ["A MUN"], "Italy": ["A ROM"]})
    assert sorted(Foresight(view, Heuristic()).sheets(0)) == ["Germany", "Italy"]
    gone = replace(view, disorder=frozenset({"Italy"}))
    assert sorted(Foresight(gone, Heuristic()).sheets(0)) == ["Germany"]


# -- trials ----------------------------------------------------------------------------------------------------------


def test_orders_are_worth_their_mean() -> None:
    """A trial gives the mean worth of the positions that the judge makes of the orders with each guess."""
    view = START["France"]
    foresight, standing = Foresight(view, Heuristic()), Standing(view, Scales())
    guesses = [foresight.sheets(number) for number in range(4)]
    orders = list(Heuristic().orders(view))
    texts = [view.rules.notation.write(order) for order in orders]
    ends = [adjudicate(view.rules, view.phase.kind, view.position, {**g, "France": texts}).position for g in guesses]
    assert Trials(view, guesses, standing).worth(orders) == pytest.approx(mean(map(standing.of, ends)))


def test_hopeless_orders_are_given_up() -> None:
    """Orders that do far worse than the best, guess by guess, are not tried against all of them."""
    units = {"France": ["A PAR", "A MAR", "A BUR"], "Germany": ["A MUN"]}
    view = seen("France", "F1901M", units, {"Germany": "MUN", "France": "PAR MAR"})
    foresight = Foresight(view, Heuristic())
    trials = Trials(view, [foresight.sheets(number) for number in range(8)], Standing(view, Scales()))
    read = view.rules.notation.read
    good = trials.worth([read("A Bur H"), read("A Par H"), read("A Mar - Spa")])
    bad = trials.worth([read("A Bur - Ruh"), read("A Par - Pic"), read("A Mar - Gas")])
    assert good > 0
    assert bad == float("-inf")


# -- what a position is worth ----------------------------------------------------------------------------------------


def test_a_centre_taken_is_worth_more_than_one_to_come() -> None:
    """When owners are settled a centre counts in full; before that, standing in it counts for a part."""
    units = {"France": ["A SPA"]}
    fall = Standing(seen("France", "F1901M", units), Scales())
    spring = Standing(seen("France", "S1901M", units), Scales())
    taken, empty = Position(units_from(units)), Position(units_from({"France": ["A GAS"]}))
    assert fall.of(taken) - fall.of(empty) > spring.of(taken) - spring.of(empty) > 0


def test_own_centres_are_worth_less_in_danger() -> None:
    """An own centre with a foreign unit in it, or beside it with nobody there, is worth less than a safe one."""
    standing = Standing(seen("France", "S1901M", {"France": ["A MAR"]}, {"France": "PAR MAR"}), Scales())

    def worth(german: str) -> float:
        units = units_from({"France": ["A MAR"], "Germany": [german]})
        return standing.of(Position(units, {"PAR": "France", "MAR": "France"}))

    assert worth("A KIE") > worth("A PIC") > worth("A PAR")


# -- search ----------------------------------------------------------------------------------------------------------


def test_it_sees_what_comes_of_its_orders() -> None:
    """It strikes where the others are sure to leave: a lone unit walks into the centre that is about to be empty."""
    units = {"France": ["A GAS"], "Germany": ["A SPA"]}
    view = seen("France", "F1901M", units, {"France": "PAR BRE MAR", "Germany": "MUN BER KIE SPA"})
    orders = told(Searcher(), view)
    assert orders == told(Searcher(), view)
    assert len(orders) == 1


def test_it_retreats_and_winters() -> None:
    """A dislodged unit takes the centre that is free; a unit is built, and a useless one removed."""
    beaten = Dislodged(Unit(1, "A", "France", Location("BUR")), "MUN", tuple(map(Location, ("PAR", "PIC", "BEL"))))
    position = Position(units_from({"Germany": ["A BUR"]}), {"PAR": "France"}, (beaten,))
    assert told(HASTY, views(at(STANDARD, "F1901R", position))["France"]) == ["A Bur - Bel"]
    rich = Position(units_from({"France": ["A MAR"]}), {"PAR": "France", "MAR": "France"})
    assert told(HASTY, views(at(STANDARD, "W1901A", rich))["France"]) == ["Build A Par"]
    poor = Position(units_from({"France": ["A PAR", "F BAR"]}), {"PAR": "France"})
    assert told(HASTY, views(at(STANDARD, "W1901A", poor))["France"]) == ["Remove F Bar"]


def test_time_ends_a_search() -> None:
    """Without any time left it gives the best of what the heuristic player would order."""
    view = START["France"]
    first = Searcher(samples=2, seconds=0.0).orders(view)
    assert first
    longer = Searcher(samples=2).orders(view)
    standing = Standing(view, Scales())
    foresight = Foresight(view, Heuristic())
    guesses = [foresight.sheets(number) for number in range(2)]
    assert Trials(view, guesses, standing).worth(longer) >= Trials(view, guesses, standing).worth(first)


@pytest.mark.parametrize("name", variant_names())
def test_it_plays_every_variant(name: str) -> None:
    """In a turn of every variant all its orders are possible, and nothing is left unanswered."""
    variant = find_variant(name)
    power = variant.powers[0].name
    players: dict[str, Player] = {p.name: Heuristic() for p in variant.powers} | {power: HASTY}
    match = play(variant, players, seed=1, until=variant.calendar.first_year + variant.calendar.years_per_turn)
    assert match.lapses == ()
    rulings = [r for record in match.game.records for r in match.game.adjudication(record).rulings]
    assert [r.given for r in rulings if r.power == power and r.given and not r.possible] == []


def test_it_beats_the_heuristic_player() -> None:
    """One among heuristic players has much more than an equal share of the centres, on the average of some games."""
    variant = find_variant("conquest2")
    last, shares = variant.calendar.first_year + 4 * variant.calendar.years_per_turn, []
    for seed, power in enumerate(("Holland", "Spain", "England")):
        players: dict[str, Player] = {p.name: Heuristic() for p in variant.powers} | {power: HASTY}
        centres = play(variant, players, seed=seed, until=last).centres
        shares.append(centres[power] * len(players) / sum(centres.values()))
    assert mean(shares) > 1.3


def test_holds_are_told_from_other_orders() -> None:
    """All of its orders in a movement are for units of its own, one each."""
    orders = HASTY.orders(START["Turkey"])
    assert len({order.at for order in orders}) == len(START["Turkey"].units)
    assert all(order.verb in (Verb.HOLD, Verb.MOVE, Verb.SUPPORT, Verb.CONVOY) for order in orders)
    assert START["Turkey"].phase.kind is PhaseKind.MOVEMENT
