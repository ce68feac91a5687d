"""Boats: what is carried, lost, destroyed and built, and which orders are void (IND-6 to IND-8, SCO-10 to SCO-14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest

from gamesmaster.board import Board, Position, Province, Terrain
from gamesmaster.errors import BadFile
from gamesmaster.judge import Adjudication, LegalOrders, adjudicate, legal_orders, order_tree
from gamesmaster.mechanics import Boats, make_mechanic
from gamesmaster.mechanics.boats.values import BoatEvent, BoatPlacement, pick
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Event, Result, Rules
from tests.mechanics.boats_help import BUNCHES, CANOES, driven_out, lying, moved, position, results, rules, standing

Told = Mapping[str, Sequence[str]]


class Case(NamedTuple):
    """A season: units and boats, orders with their results, and the boats and units afterwards."""

    says: str
    game: str
    units: Told
    boats: str
    orders: Mapping[str, Mapping[str, str]]
    left: str
    stand: str
    raw: str = ""


CAME, HELD = "succeeds: CAME", "holds: HELD"

CASES = (
    Case("a boat goes along with who carries it, and lies where it lands", "canoes",
         {"Iroquois": ["W 12", "W/CF h"]}, "12 * *",
         {"Iroquois": {"W 12 - 13 with CF": CAME, "W/CF h - 12": CAME}}, "12 * *, 13 *", "W 12, W 13"),
    Case("putting out makes the unit another kind, and its number stays", "canoes",
         {"Iroquois": ["W 12"]}, "12 *", {"Iroquois": {"W 12 - h with CF": CAME}}, "h *", "W/CF h"),
    Case("a boat behind a marcher stays", "canoes",
         {"Iroquois": ["W 12"]}, "12 *", {"Iroquois": {"W 12 - 60": CAME}}, "12 *", "W 60"),
    Case("without a boat nobody goes by water", "canoes",
         {"Iroquois": ["W 12", "W 13"]}, "",
         {"Iroquois": {"W 12 - h": "void: NOT_ADJACENT", "W 13 - h with CF": "void: NO_BOAT"}}, "", "W 12, W 13"),
    Case("one boat to a unit, and none is built two at a time", "canoes",
         {"Iroquois": ["W 12", "W 13"]}, "12 * *",
         {"Iroquois": {"W 12 - h with 2 CF": "void: TOO_MANY", "W 13 builds 2 CF": "void: TOO_MANY"}}, "12 * *",
         "W 12, W 13"),
    Case("boats have no names here", "canoes",
         {"Iroquois": ["W 12"]}, "12 *", {"Iroquois": {"W 12 - h with CF of Iroquois": "void: NO_BOAT"}},
         "12 *", "W 12"),
    Case("yards need water that is in play, and a unit ashore", "canoes",
         {"Caddo": ["W 109"], "Muskhogeans": ["W 113"], "Iroquois": ["W/CF h"]}, "",
         {"Caddo": {"W 109 builds CF": "void: NO_YARD"}, "Muskhogeans": {"W 113 builds CF": "void: NO_YARD"},
          "Iroquois": {"W/CF h builds CF": "void: AFLOAT"}}, "h *", "W 109, W 113, W/CF h"),
    Case("a foreign march spoils the work, one's own does not, a boat neither", "canoes",
         {"Iroquois": ["W 12", "W 14", "W 13", "W 10"], "Illinois": ["W 60", "W/CF g", "W/CF c"]}, "",
         {"Iroquois": {"W 12 builds CF": "fails: DISTURBED", "W 14 builds CF": "succeeds: BOAT_MADE",
                       "W 13 - 14": "bounces: OWN_UNIT", "W 10 builds CF": "succeeds: BOAT_MADE"},
          "Illinois": {"W 60 - 12": "bounces: RESISTED", "W/CF g - 14": "bounces: WITHDREW",
                       "W/CF c - 10": "bounces: WITHDREW"}},
         "10 *, 14 *, c *, g *", "W 10, W 12, W 13, W 14, W 60, W/CF c, W/CF g"),
    Case("a void march is no attack", "canoes",
         {"Iroquois": ["W 12"], "Illinois": ["W 62"]}, "",
         {"Iroquois": {"W 12 builds CF": "succeeds: BOAT_MADE"}, "Illinois": {"W 62 - 12": "void: NOT_ADJACENT"}},
         "12 *", "W 12, W 62"),
    Case("a unit afloat supports nobody, and nobody supports a move with a boat", "canoes",
         {"Iroquois": ["W/CF h", "W 12", "W 13", "W/CF g", "W 15"]}, "12 *",
         {"Iroquois": {"W/CF h S W 13": "void: AFLOAT", "W 13 S W 12 - 60": "void: CARRIES", "W 12 - 60 with CF": CAME,
                       "W/CF g - 58": CAME, "W 15 S W/CF g - 58": "void: CARRIES"}},
         "58 *, 60 *, h *", "W 13, W 15, W 58, W 60, W/CF h"),
    Case("the only boat carried off leaves nothing to destroy, the one left behind burns", "canoes",
         {"Iroquois": ["W 12", "W 14"]}, "12 *, 14 * *",
         {"Iroquois": {"W 12 destroys CF": "void: BOAT_GONE", "W 12 - h with CF": CAME,
                       "W 14 destroys CF": "succeeds: BOAT_DESTROYED", "W 14 - g with CF": CAME}},
         "g *, h *", "W/CF g, W/CF h"),
    Case("the first order that names a boat lying there counts", "clans",
         {"MacDonald": ["A 44"]}, "44 MacDonald MacLeod",
         {"MacDonald": {"A 44 destroys BB of Keith": "void: NO_BOAT", "A 44 destroys BB": "succeeds: BOAT_DESTROYED",
                        "A 44 destroys BB of MacLeod": "void: SECOND", "A 44 - 43": CAME}}, "44 MacLeod", "A 43"),
    Case("afloat one destroys a second boat if one stays, and never the boat one sits in", "clans",
         {"MacDonald": ["A/BB o", "A/BB k", "A/BB q"]}, "o MacDonald MacLeod, k MacDonald MacLeod, q MacLeod",
         {"MacDonald": {"A/BB o destroys BB of MacLeod": "succeeds: BOAT_DESTROYED",
                        "A/BB k destroys BB": "void: BOAT_GONE", "A/BB k - m": CAME,
                        "A/BB q destroys BB": "void: AFLOAT"}},
         "m MacDonald MacLeod, o MacDonald, q MacLeod", "A/BB m, A/BB o, A/BB q"),
    Case("own boats go first, then by name, unless they are named", "clans",
         {"MacDonald": ["A 44"], "Campbell": ["A 62"], "Stewart": ["A 80"]},
         "44 Fraser MacDonald MacLeod, 62 Keith Stewart Stewart, 80 Gordon Keith",
         {"MacDonald": {"A 44 - o with 2 BB": CAME}, "Campbell": {"A 62 - g with 2 BB of Stewart": CAME},
          "Stewart": {"A 80 - f with 2 BB of Keith Gordon": CAME}},
         "44 MacLeod, 62 Keith, f Gordon Keith, g Stewart Stewart, o Fraser MacDonald", "A/BB f, A/BB g, A/BB o"),
    Case("named boats must all be there", "clans",
         {"MacDonald": ["A 44"]}, "44 MacDonald MacLeod",
         {"MacDonald": {"A 44 - o with 2 BB of MacDonald": "void: NO_BOAT"}}, "44 MacDonald MacLeod", "A 44"),
    Case("all boats go along with who is afloat", "clans",
         {"MacDonald": ["A/BB o"]}, "o Keith MacDonald", {"MacDonald": {"A/BB o - 44": CAME}}, "44 Keith MacDonald",
         "A 44"),
    Case("coasts do not count, and shallow water carries boats", "clans",
         {"MacDonald": ["A 30"], "Campbell": ["A 62"], "England": ["A 86"]}, "30 MacDonald, 62 Campbell, 86 Stewart",
         {"MacDonald": {"A 30 - s with BB": CAME}, "Campbell": {"A 62 - h with BB": CAME},
          "England": {"A 86 - c with BB": CAME}}, "c Stewart, h Campbell, s MacDonald", "A/BB c, A/BB h, A/BB s"),
    Case("fleets have no hand for boats", "clans",
         {"England": ["F 73", "F bb", "A 90"]}, "73 Graham",
         {"England": {"F 73 - ff with BB": "void: ASHORE", "F bb destroys BB": "void: ASHORE",
                      "A 90 builds BB": "void: NO_BUILDER"}}, "73 Graham", "A 90, F 73, F bb"),
    Case("never inland", "clans",
         {"Fraser": ["A 31"]}, "31 Fraser", {"Fraser": {"A 31 - 32 with BB": "void: NOT_ADJACENT"}},
         "31 Fraser", "A 31"),
    Case("a unit stays where it is", "clans",
         {"Fraser": ["A 31"]}, "31 Fraser", {"Fraser": {"A 31 - 31 with BB": "void: NOWHERE"}}, "31 Fraser", "A 31"),
    Case("built inland it is raw, and is brought to the coast", "clans",
         {"Gordon": ["A 36", "A 34"]}, "",
         {"Gordon": {"A 34 builds BB": "succeeds: BOAT_MADE", "A 36 - 38 with BB": CAME}},
         "34 Gordon!, 38 Gordon", "A 34, A 38", raw="36 Gordon"),
    Case("its builder may do nothing else, and holds if it tries", "clans",
         {"Gordon": ["A 36", "A 34"]}, "",
         {"Gordon": {"A 36 builds BB": "void: PORTAGE", "A 36 S A 34": "void: PORTAGE", "A 36 - 37": "void: PORTAGE",
                     "A 36 destroys BB": "void: NO_BOAT", "A 34 S A 36": "succeeds: GIVEN"}},
         "", "A 34, A 36", raw="36 Gordon"),
    Case("one boat is all that it can carry", "clans",
         {"Gordon": ["A 36"]}, "", {"Gordon": {"A 36 - 38 with 2 BB": "void: NO_BOAT"}}, "", "A 36", raw="36 Gordon"),
    Case("turned back it is lost", "clans",
         {"Gordon": ["A 36"], "Keith": ["A 38"]}, "",
         {"Gordon": {"A 36 - 38 with BB": "bounces: WITHDREW"}, "Keith": {"A 38 H": HELD}}, "", "A 36, A 38",
         raw="36 Gordon"),
    Case("where there is room for fewer, the lowest numbers build", "clans",
         {"MacDonald": ["A 45", "A 13", "A 29"]}, "60 MacDonald",
         {"MacDonald": {"A 45 builds BB": "fails: BOATS_ENOUGH", "A 13 builds BB": "succeeds: BOAT_MADE",
                        "A 29 builds BB": "succeeds: BOAT_MADE"}}, "13 MacDonald, 29 MacDonald, 60 MacDonald",
         "A 13, A 29, A 45"),
    Case("a raw boat that is lost makes room", "clans",
         {"Gordon": ["A 34", "A 20"]}, "19 Gordon, 21 Gordon",
         {"Gordon": {"A 34 H": HELD, "A 20 builds BB": "succeeds: BOAT_MADE"}}, "19 Gordon, 20 Gordon, 21 Gordon",
         "A 20, A 34", raw="36 Gordon"),
    Case("two different orders cancel each other, a destruction beside them stands", "clans",
         {"MacDonald": ["A 44"]}, "44 MacDonald",
         {"MacDonald": {"A 44 - o with BB": "void: CONTRADICTED", "A 44 builds BB": "void: CONTRADICTED",
                        "A 44 destroys BB": "succeeds: BOAT_DESTROYED"}}, "", "A 44"),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.says)
def test_season(case: Case) -> None:
    """Orders come to their results, and boats and units are where the rules put them."""
    done = moved(
        case.game,
        position(case.units, case.boats, raw=case.raw),
        **{power: list(orders) for power, orders in case.orders.items()},
    )
    assert results(done) == {text: result for orders in case.orders.values() for text, result in orders.items()}
    assert (lying(done.position), standing(done.position)) == (case.left, case.stand)
    assert not done.position.problems(rules(case.game).board)
    assert all(r.text and "{" not in r.text and r.clause for r in done.rulings)


def test_numbers_stay() -> None:
    """A unit that puts out and lands keeps its number: only its kind changes (IND-6.q)."""
    now = position({"Iroquois": ["W 12"]}, "12 *")
    out = moved("canoes", now, Iroquois=["W 12 - h with CF"]).position
    back = moved("canoes", out, Iroquois=["W/CF h - 13"]).position
    assert [(u.number, u.kind) for p in (now, out, back) for u in p.units] == [(1, "W"), (1, "W/CF"), (1, "W")]


def test_a_raw_boat_that_is_not_carried_is_told() -> None:
    """The loss of a raw boat is an event of its builder's, and so is that of boats that go down in a retreat."""
    done = moved("clans", position({"Gordon": ["A 34"]}, raw="36 Gordon"), Gordon=["A 34 - 36"])
    assert done.happened == (Event(BoatEvent.WRECKED, "Gordon", "36"),)


# -- retreats and Winter ---------------------------------------------------------------------------------------------


def fled(game: str, now: Position, **orders: Sequence[str]) -> Adjudication:
    """A season of retreats."""
    return adjudicate(rules(game), PhaseKind.RETREATS, now, orders)


def test_an_army_afloat_is_dislodged_and_flees_with_its_boats() -> None:
    """Two Fleets drive it off; it goes to a sea or ashore, and its boats with it (SCO-11.f)."""
    now = position({"Keith": ["A/BB z"], "England": ["F bb", "F ff"]}, "z Keith Keith")
    done = moved("clans", now, England=["F bb - z", "F ff S F bb - z"], Keith=["A/BB z - v"])
    assert done.position.at("v")  # a move that succeeds has left
    done = moved("clans", now, England=["F bb - z", "F ff S F bb - z"])
    (beaten,) = done.position.dislodged
    assert sorted(map(str, beaten.retreats)) == sorted(["3", "v", "w", "y", "aa"])
    assert lying(done.position) == "z Keith Keith"
    ashore = fled("clans", done.position, Keith=["A/BB z R 3"]).position
    assert (standing(ashore), lying(ashore)) == ("A 3, F ff, F z", "3 Keith Keith")
    afloat = fled("clans", done.position, Keith=["A/BB z R w"]).position
    assert (standing(afloat), lying(afloat)) == ("A/BB w, F ff, F z", "w Keith Keith")


@pytest.mark.parametrize("orders", [{}, {"Keith": ["A/BB z D"]}, {"Keith": ["A/BB z R bb"]}])
def test_lost_in_retreat(orders: Told) -> None:
    """An army afloat that does not get away takes its boats down (SCO-12.b)."""
    now = position({"England": ["F z"]}, "z Keith, 3 Keith", beaten=[driven_out("Keith", "A/BB z", "bb", "3", "v")])
    done = fled("clans", now, **orders)
    assert (standing(done.position), lying(done.position)) == ("F z", "3 Keith")
    assert done.happened == (Event(BoatEvent.WRECKED, "Keith", "z"),)


def test_two_that_flee_to_one_place_are_lost_with_their_boats() -> None:
    """In retreat nobody gives way (SCO-1.f)."""
    beaten = [driven_out("Keith", "A/BB z", "bb", "3"), driven_out("Campbell", "A 5", "4", "3", number=91)]
    done = fled("clans", position({}, "z Keith", beaten=beaten), Keith=["A/BB z R 3"], Campbell=["A 5 R 3"])
    assert (standing(done.position), lying(done.position)) == ("", "")


def test_boats_ashore_stay_with_the_victor() -> None:
    """A unit dislodged from land leaves its boats, and flees on foot only (IND-8.a, IND-8.b)."""
    now = position({"Iroquois": ["W 14"], "Illinois": ["W 59", "W 60"]}, "14 * *")
    done = moved("canoes", now, Illinois=["W 59 - 14", "W 60 S W 59 - 14"])
    (beaten,) = done.position.dislodged
    assert sorted(map(str, beaten.retreats)) == ["120", "13"]
    gone = fled("canoes", done.position).position
    assert (standing(gone), lying(gone)) == ("W 14, W 60", "14 * *")


def test_removed_afloat_its_boats_are_gone() -> None:
    """In Winter boats go down with those afloat, and stay where their unit stood ashore (IND-6.h, SCO-12.b)."""
    game = rules("clans")
    before = position({"MacDonald": ["A 44", "A/BB o"]}, "44 MacDonald, o MacDonald")
    left = Position((), state=before.state)
    assert lying(BUNCHES.after_winter(game, before, left)) == "44 MacDonald"
    assert lying(BUNCHES.after_winter(game, before, before)) == "44 MacDonald, o MacDonald"
    assert lying(BUNCHES.after_count(game, left)[0]) == "44 MacDonald"


# -- lawful orders ---------------------------------------------------------------------------------------------------


def offers(game: str, now: Position, power: str) -> list[str]:
    """What a power may order, as texts."""
    return sorted(map(rules(game).notation.write, LegalOrders(rules(game), now).of_power(PhaseKind.MOVEMENT, power)))


def test_what_may_be_ordered_with_boats() -> None:
    """With what lies there; of boats with names each choice that is not the one meant without."""
    now = position({"MacDonald": ["A 13"]}, "13 MacDonald MacLeod")
    with_boats = [text for text in offers("clans", now, "MacDonald") if "BB" in text]
    write = rules("clans").notation.write
    assert with_boats == sorted(
        text for order in legal_orders(rules("clans"), now, now.units[0]) if (text := write(order)) and order.carried
    )
    seas = [rules("clans").board.province(p).abbr for p in ("k", "q")]
    home = rules("clans").board.province("13").abbr
    wanted = [f"A {home} - {sea} with {what}" for sea in seas for what in ("BB", "BB of MacLeod", "2 BB")]
    wanted += [f"A {home} builds BB", f"A {home} destroys BB", f"A {home} destroys BB of MacLeod"]
    assert with_boats == sorted(wanted)


def test_the_builder_of_a_raw_boat_may_only_carry_it() -> None:
    """Beside a hold nothing else is lawful (SCO-10.g)."""
    now = position({"Gordon": ["A 36"]}, raw="36 Gordon")
    orders = legal_orders(rules("clans"), now, now.units[0])
    assert {(o.verb.value, o.carried) for o in orders} == {("hold", 0), ("move", 1)}
    assert {o.to.province for o in orders if o.to} == {"21", "38"}


@pytest.mark.parametrize(
    ("game", "units", "boats", "raw"),
    [
        ("canoes", {"Iroquois": ["W 12", "W/CF h", "W 14"], "Illinois": ["W/CF g", "W 58"]}, "12 * *, 58 *", ""),
        ("clans", {"MacDonald": ["A 44", "A/BB o"], "Gordon": ["A 36"], "England": ["A 89", "F e"]},
         "44 Keith MacDonald, o Keith MacDonald, 89 Stewart", "36 Gordon"),
    ],
)  # fmt: skip
def test_what_is_lawful_is_not_void(game: str, units: Told, boats: str, raw: str) -> None:
    """Each order offered, given alone, is possible and reads back; the tree of choices has them all."""
    now, game_rules = position(units, boats, raw=raw), rules(game)
    for power in units:
        orders = LegalOrders(game_rules, now).of_power(PhaseKind.MOVEMENT, power)
        for order in orders:
            text = game_rules.notation.write(order)
            assert game_rules.notation.read(text, PhaseKind.MOVEMENT) == order
            (ruling,) = (r for r in moved(game, now, **{power: [text]}).rulings if r.given)
            assert ruling.possible, f"{text}: {ruling.text}"
        assert _leaves(order_tree(game_rules.notation, orders)) == len(orders)


def _leaves(tree: object) -> int:
    return sum(map(_leaves, tree.values())) if isinstance(tree, dict) else 1


# -- words and values ------------------------------------------------------------------------------------------------


def test_boats_as_a_value() -> None:
    """What is read from a position is written back; what is empty is left out."""
    now = position({}, "44 MacLeod MacDonald, 3 Keith", raw="36 Gordon")
    moored = BoatPlacement.of(now)
    assert moored.at("44") == ("MacDonald", "MacLeod")
    assert moored.count() == {"MacDonald": 1, "MacLeod": 1, "Keith": 1, "Gordon": 1}
    assert lying(moored.put(Position())) == "3 Keith, 36 Gordon!, 44 MacDonald MacLeod"
    assert moored.put(moored.put(Position())) is not now
    empty = BoatPlacement(moored.remove("3", ("Keith",)).remove("44", ("MacDonald", "MacLeod")).lie)
    assert "boats" not in empty.put(now).state
    assert empty.put(Position()).state == {}


@pytest.mark.parametrize(
    ("pile", "number", "builders", "meant"),
    [
        (("A", "B", "P"), 1, (), ("P",)),
        (("A", "B", "P"), 2, (), ("P", "A")),
        (("A", "B"), 3, (), None),
        (("A", "B", "B"), 2, ("B",), ("B", "B")),
        (("A", "B"), 2, ("B",), None),
        (("A", "B"), 2, ("B", "A"), ("A", "B")),
        (("A", "B", "C"), 3, ("B", "A"), None),
        ((), 0, (), ()),
    ],
)
def test_which_boats_are_meant(
    pile: tuple[str, ...], number: int, builders: tuple[str, ...], meant: tuple[str, ...] | None
) -> None:
    """Own ones first, then by name; those that are named must be there."""
    assert pick(pile, "P", number, builders) == meant


def test_on_maps() -> None:
    """Boats ashore are marks, raw ones too; those afloat belong to the sign of their unit."""
    now = position({"MacDonald": ["A/BB o"]}, "44 MacDonald MacLeod, o MacDonald", raw="36 Gordon")
    assert BUNCHES.place_signs(rules("clans"), now) == {"36": ("boat",), "44": ("boat", "boat")}
    assert CANOES.kind_signs() == {"W/CF": "party-afloat", "CF": "boat"}


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ({"words": []}, "at least one word"),
        ({"form": "W"}, "a kind of its own"),
        ({"carry": 0}, "1 to 20"),
        ({"limit": -1, "named": True}, "0 to 100"),
        ({"limit": 3}, "named"),
        ({"build_at": "sea"}, "land"),
        ({"sign": "boat"}, "afloat"),
        ({"carries": 2}, "did you mean carry"),
    ],
)
def test_parameters_out_of_range(told: Mapping[str, object], fault: str) -> None:
    """What cannot be is refused, and the complaint says what can."""
    table = {"name": "boats", "kind": "W", "form": "W/CF", "words": ["CF"], **told}
    with pytest.raises(BadFile, match=fault):
        make_mechanic(table, "mechanics[0]")


def test_boats_that_fit_no_board() -> None:
    """The form must be a new kind of unit; where no province touches water the linter says so."""
    with pytest.raises(BadFile, match="F is a kind of unit already"):
        Boats("A", "F", ("BB",)).extend_board(Board("dry", (), ()))
    dry = Rules(
        CANOES.extend_board(Board("dry", (Province("x", "X", "X", Terrain.INLAND),), (), ways={"W": "army"})), ()
    )
    assert [finding.code for finding in CANOES.lint(dry, ())] == ["no-water"]
    assert not list(CANOES.lint(rules("canoes"), ()))


def test_dislodged_word() -> None:
    """A destruction keeps its own result though its unit is driven out (IND-7.d)."""
    now = position({"Iroquois": ["W 12"], "Illinois": ["W 13", "W 60"]}, "12 * *")
    done = moved("canoes", now, Iroquois=["W 12 destroys CF"], Illinois=["W 13 - 12", "W 60 S W 13 - 12"])
    ruling = next(r for r in done.rulings if r.given == "W 12 destroys CF")
    assert (ruling.result, lying(done.position)) == (Result.SUCCEEDS, "12 *")


def test_where_boats_may_not_be_sent_to_an_occupied_place() -> None:
    """The same orders that are possible otherwise are void and not offered: to land, to put out, to carry (IND-6.j)."""
    held = {"Iroquois": ["W 12", "W/CF g"], "Illinois": ["W 14", "W/CF h"]}
    boats = replace(CANOES, into_occupied=False)
    strict = replace(rules("canoes"), mechanics=(boats,))
    before = position(held, "12 *")
    orders = {"Iroquois": ["W 12 - h with CF", "W/CF g - 14"]}
    for game, result in ((rules("canoes"), Result.BOUNCES), (strict, Result.VOID)):
        done = adjudicate(game, PhaseKind.MOVEMENT, before, orders)
        assert {r.result for r in done.rulings if r.given} == {result}
        offered = {game.notation.write(o) for u in before.of("Iroquois") for o in legal_orders(game, before, u)}
        assert ("W 12 - h with CF" in offered) is ("W/CF g - 14" in offered) is (result is Result.BOUNCES)
        assert "W 12 - 11 with CF" in offered
