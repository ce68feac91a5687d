"""What programs ask about a phase: answered as a game would be played, and whole enough to be given back."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.errors import BadFile, GamesmasterError, with_line
from gamesmaster.formats.documents import Query, request_schema
from gamesmaster.formats.foreign import read_foreign
from gamesmaster.game import Game
from gamesmaster.game.state_file import read_state, state_data
from gamesmaster.rules import PRESETS, Cause
from gamesmaster.testing.conformance import random_orders
from gamesmaster.variant import Variant, find_variant, full_name, variant_names
from tests.lengths import mark_long

BOARDS = Path(__file__).parents[1] / "data" / "boards"


def find(name: str) -> Variant:
    """The standard game, or one of the foreign boards."""
    path = BOARDS / f"{name}.json"
    return read_foreign(path) if path.exists() else find_variant(name)


def answer(data: object, **options: Any) -> dict[str, Any]:
    """The answer to a request, as it would be read from a file."""
    found: dict[str, Any] = json.loads(json.dumps(Query(json.loads(json.dumps(data)), find, **options).answer()))
    return found


def units(found: dict[str, Any]) -> dict[str, list[str]]:
    """The units of the next position."""
    told: dict[str, list[str]] = found["next"]["units"]
    return told


# -- answering -------------------------------------------------------------------------------------------------------


def test_what_is_left_out_is_as_at_the_start() -> None:
    """An empty object is the first phase of the standard game, in which everybody holds."""
    found = answer({})
    assert found["orders"] == []
    assert found["next"]["phase"] == "F1901M"
    assert units(found)["France"] == ["A MAR", "A PAR", "F BRE"]


@pytest.mark.parametrize("text", ["A Par - Bur\nGermany: A Mun - Bur", "A Par H\n" * 2_001])
def test_the_line_of_an_order_is_not_taken_for_that_of_the_request(text: str) -> None:
    """A complaint about a whole sheet names the place of the sheet before the line in it."""
    with pytest.raises(GamesmasterError) as caught:
        answer({"orders": {"France": text}})
    assert str(with_line(caught.value, "line 7")).startswith("line 7, $.orders, line 2")


def test_every_order_is_answered_with_its_ruling() -> None:
    """The answer has a ruling for each order, in the order given: result, cause, sentence, clause."""
    orders = {"france": ["A Par - Bur", "A Mar blesses A Par"], "Germany": ["A Mun - Bur"]}
    rulings = answer({"orders": orders})["orders"]
    assert [(r["power"], r["order"], r["result"], r["cause"]) for r in rulings] == [
        ("France", "A Par - Bur", "bounces", "stood_off"),
        ("France", "A Mar blesses A Par", "void", "unreadable"),
        ("Germany", "A Mun - Bur", "bounces", "stood_off"),
    ]
    assert rulings[0]["text"] == "is stood off by A Mun (Germany) (1 against 1)"
    assert rulings[0]["clause"] == "STD-6.a"
    assert rulings[0]["dislodged"] is False


def test_orders_are_read_in_any_dialect() -> None:
    """A list or a sheet in words of another judge, site or language is answered as in the house style."""
    orders = {
        "Germany": ["Armee München nach Burgund"],
        "France": "1. (FRA AMY PAR) MTO BUR\n2. mar supports par to bur",
    }
    rulings = answer({"orders": orders})["orders"]
    assert [(r["order"], r["result"]) for r in rulings] == [
        ("A Mun - Bur", "bounces"),
        ("A Par - Bur", "succeeds"),
        ("A Mar S A Par - Bur", "succeeds"),
    ]


def test_dislodged_units_and_their_retreats_are_answered() -> None:
    """A dislodged unit is told with the place its attacker came from and the places open to it (STD-9)."""
    line = {
        "phase": "F1901M",
        "units": {"Austria": ["A TRI"], "Italy": ["A VEN", "A TYR"]},
        "orders": {"Italy": ["A Ven - Tri", "A Tyr S A Ven - Tri"]},
    }
    found = answer(line)
    assert found["next"]["phase"] == "F1901R"
    assert found["next"]["dislodged"] == {
        "Austria": [{"unit": "A TRI", "from": "VEN", "retreats": ["ALB", "BUD", "SER", "VIE"]}]
    }


def test_answers_can_be_played_on() -> None:
    """The next phase of an answer, given back with orders, is a line again: here a retreat, and then the count."""
    line = {
        "phase": "F1901M",
        "units": {"Austria": ["A TRI"], "Italy": ["A VEN", "A TYR"]},
        "centers": {"Austria": ["TRI"]},
        "orders": {"Italy": ["A Ven - Tri", "A Tyr S A Ven - Tri"]},
    }
    following = answer(line)["next"]
    found = answer({**following, "orders": {"Austria": ["A Tri - Bud"]}})
    assert found["next"]["phase"] == "W1901A"
    assert found["next"]["units"] == {"Austria": ["A BUD"], "Italy": ["A TRI", "A TYR"]}
    assert found["next"]["centers"] == {"Austria": ["BUD"], "Italy": ["TRI"]}  # owned where units stand (STD-10.a)


def test_phases_with_nothing_to_do_are_skipped() -> None:
    """After a Fall in which nobody is beaten and nothing is to be built, Spring comes next (STD-3.a)."""
    line = {"phase": "F1901M", "units": {"France": ["A PAR"]}, "centers": {"France": ["PAR"]}}
    assert answer(line)["next"]["phase"] == "S1902M"


def test_units_without_a_retreat_are_gone() -> None:
    """A beaten unit with nowhere to go is gone by the next movement phase (STD-9.e)."""
    attackers = {"Italy": ["A VEN", "A TYR", "A ALB", "A BUD", "A SER", "A VIE"]}
    orders = {"Italy": ["A Ven - Tri", "A Tyr S A Ven - Tri"]}
    found = answer({"units": {"Austria": ["A TRI"], **attackers}, "orders": orders})
    assert found["next"]["phase"] == "F1901M"
    assert found["next"]["dislodged"] == {}
    assert "Austria" not in found["next"]["units"]


BEATEN = {"Turkey": [{"unit": "A GRE", "from": "ION", "retreats": ["BUL", "SER"]}]}
RETREATS = {"phase": "S1905R", "units": {"Italy": ["F GRE", "A ALB"]}, "dislodged": BEATEN}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"orders": {"Turkey": []}},
        {"orders": {"Turkey": ["A Gre - Alb"]}},
        {"orders": {"Turkey": ["A Gre - Nowhere"]}},
        {"orders": {"Italy": ["A Gre - Bul"]}},
        {"orders": {"Turkey": ["A Gre - Bul"]}, "disorder": ["Turkey"]},
    ],
)
def test_a_unit_that_is_not_retreated_is_an_event(more: dict[str, Any]) -> None:
    """A unit without an order to retreat that counts disbands, and is among the events (STD-9.e)."""
    found = answer({**RETREATS, **more})
    assert found["events"] == [
        {
            "kind": "disbanded",
            "power": "Turkey",
            "province": "GRE",
            "of": "",
            "text": "A Gre (Turkey) has no order to retreat and disbands.",
            "clause": "STD-9.e",
        }
    ]


def test_a_unit_that_is_retreated_or_disbanded_by_order_is_no_event() -> None:
    """What an order's own ruling tells is not told once more."""
    for order in ("A Gre - Bul", "A Gre disbands"):
        assert answer({**RETREATS, "orders": {"Turkey": [order]}})["events"] == []


def test_a_unit_that_the_rules_remove_is_an_event() -> None:
    """Of two removals due one is ordered; the unit that the rules choose is told of among the events (STD-10.g)."""
    winter = {"phase": "W1902A", "units": {"England": ["F LON", "A LVP", "F NTH"]}, "centers": {"England": ["LON"]}}
    found = answer({**winter, "orders": {"England": ["Remove A Lvp"]}})
    assert [(e["kind"], e["power"], e["province"], e["clause"]) for e in found["events"]] == [
        ("removed", "England", "NTH", "STD-10.g")
    ]
    assert found["events"][0]["text"] == "F Nth (England) is removed by the rules, no removal being ordered."
    assert [e["province"] for e in answer(winter)["events"]] == ["LVP", "NTH"]


def test_rulebooks_of_a_line_and_of_the_caller() -> None:
    """A line's own rulebook is in force, or else the caller's; presets, fields and DATC numbers are understood."""
    line = {
        "units": {"France": ["F MAO"]},
        "orders": {"France": ["F Mao - Spa"]},
    }
    assert units(answer(line)) == {"France": ["F MAO"]}
    assert units(answer(line, rulebook={"4.B.1": "b"})) == {"France": ["F SPA/SC"]}
    assert units(answer({**line, "rulebook": "datc"}, rulebook={"4.B.1": "b"})) == {"France": ["F MAO"]}
    assert units(answer({**line, "rulebook": {"coast_omitted": "default"}})) == {"France": ["F SPA/SC"]}


def test_other_boards_are_found_by_map_or_variant() -> None:
    """`map`, as recorded games say, and `variant` both name the board."""
    for key in ("map", "variant"):
        found = answer({key: "pure"})["next"]
        assert found["variant"] == "pure"
        assert answer(found)["next"]


# -- what mechanics keep ---------------------------------------------------------------------------------------------


def test_a_season_is_whole() -> None:
    """Taboo ground, boats, the Summer force, Winters that count and victories come through the door as in a game."""
    broken = answer({"variant": "indianomacy", "orders": {"Iroquois": ["W 14 - 120"]}})["next"]
    assert "120" not in str(broken["units"])
    assert broken["state"]["taboo"]["cursed"] == {"Iroquois": 2}
    built = answer({"variant": "indianomacy", "orders": {"Iroquois": ["W 12 builds CF"]}})["next"]
    assert built["state"]["boats"] == {"lie": {"12": [""]}}
    moved = answer({**built, "orders": {"Iroquois": ["W 12 - 13 with CF"]}})
    assert [r["cause"] for r in moved["orders"]] != ["no_boat"]
    won = {"variant": "standard", "phase": "F1909M", "units": {"Italy": ["A BER"]}}
    held = [c for c in find("standard").board.centres if c != "BER"][:17]
    end = answer({**won, "centers": {"Italy": held}})
    assert end["winner"] == "Italy"
    assert end["next"]["outcome"] == {"termination": "victory", "winners": ["Italy"], "phase": "F1909M"}
    with pytest.raises(GamesmasterError, match="over"):
        answer({**end["next"], "orders": {"Italy": ["A Ber H"]}})


def test_the_summer_force_comes() -> None:
    """Scottomacy's own start can be given back, and England's second force is due in the Summer of 1491."""
    following = answer({"variant": "scottomacy", "orders": {"England": ["A/F e - d"]}})["next"]
    for _ in range(6):
        if "choices" in str(following["due"]):
            break
        following = answer(following)["next"]
    assert following["state"]["reinforcements"]["due"] == [["England", "A/F", "e"], ["England", "A/F", "gg"]]
    came = answer(following)
    assert [(e["kind"], e["province"]) for e in came["events"]] == [("arrived", "e"), ("barred", "gg")]
    assert units(came)["England"].count("A/F e") == 1


def test_winters_are_counted() -> None:
    """Conquest's supply from home falls from Winter to Winter, also where only the phase is told."""
    powers = {"England": ["A ATL"] * 2, "France": ["F ATL"]}
    for phase, winters in (("W1590A", 0), ("W1600A", 1), ("W1620A", 3)):
        query = Query({"variant": "conquest2", "phase": phase, "units": powers, "centers": {}}, find)
        kept: Any = query.state.position.state["off-board-supply"]
        assert kept["winters"] == winters


def test_units_and_what_they_carry() -> None:
    """A laden fleet brings its army, told of or not; `W/CF b` is a canoe on a water."""
    for there in (["A/F VIS"], ["A VIS", "A/F VIS"]):
        state = Query({"variant": "conquest2", "units": {"England": there}}, find).state
        assert sorted((u.kind, bool(u.aboard)) for u in state.position.units) == [("A", True), ("A/F", False)]
    afloat = {"variant": "indianomacy", "units": {"Iroquois": ["W/CF b"]}, "state": {"boats": {"lie": {"b": [""]}}}}
    assert str(Query(afloat, find).state.position.units[0]) == "W/CF b"


def test_dice() -> None:
    """Without a seed a die that must be thrown is asked for by name; draws tell how it fell; a seed throws it."""
    name = "indianomacy2"
    bay = next(m for m in find(name).mechanics if m.id == "slow-crossing").waters[0]  # type: ignore[attr-defined]
    line = {
        "variant": name,
        "phase": "S1602M",
        "units": {"Iroquois": [f"W/CF {bay}"]},
        "state": {"slow-crossing": {bay: 1}, "boats": {"lie": {bay: [""]}}},
    }
    with pytest.raises(GamesmasterError, match="a die of 6 sides") as asked:
        answer(line)
    subject = f"Iroquois W/CF {bay}"
    assert subject in str(asked.value)
    thrown = answer({**line, "seed": "00" * 32})
    (draw,) = thrown["draws"]
    assert draw["subject"] == subject
    assert thrown["next"]["seed"] == "00" * 32
    for fell, sinks in ((1, True), (2, False), (6, True)):
        found = answer({**line, "draws": [{**draw, "fell": fell}]})
        assert [event["kind"] for event in found["events"]] == ["sunk" if sinks else "weathered"]
        assert found["draws"] == [{**draw, "fell": fell}]
        assert "seed" not in found["next"]


# -- games of requests -----------------------------------------------------------------------------------------------


def choices(name: str) -> list[str]:
    """The variant, and with every single choice that it offers; what does not go alone goes with five powers fewer."""
    found = [name]
    for option in find_variant(name).options:
        for choice in option.choices:
            for more in ({}, {"players": "4"}, {"players": "3"}, {"players": "2"}):
                full = full_name(name, {**more, option.name: choice})
                try:
                    found.append(find_variant(full).id)
                except GamesmasterError:
                    continue
                break
    return list(dict.fromkeys(found))


def untold_losses(game: Game, found: dict[str, Any]) -> list[str]:
    """The units gone since the last phase began of which the answer tells neither by an order nor by an event."""
    record = game.records[-1]
    left = {unit.number for unit in (*game.position.units, *(out.unit for out in game.position.dislodged))}
    gone = [out.unit for out in record.position.dislodged] + list(record.position.units)
    told = {(event["power"], event["province"]) for event in found["events"]}
    ordered = [ruling for ruling in game.adjudication(record).rulings if ruling.given and ruling.unit]
    ends = {(r.unit.number, r.power, r.order.to.province) for r in ordered if r.unit and r.order and r.order.to}
    by_order = [r.unit for r in ordered if r.cause in (Cause.DISBANDED, Cause.REMOVED, Cause.COLLIDED)]
    return [
        f"{unit.power} {unit}"
        for unit in gone
        if not (unit.number in left or unit.aboard or unit in by_order or (unit.power, unit.at.province) in told)
        and not any((unit.number, power, province) in ends for power, province in told)
    ]


CASES: list[tuple[str, str | None]] = [(name, None) for base in variant_names() for name in choices(base)]
CASES += [(name, book) for name in variant_names() for book in PRESETS]


@pytest.mark.parametrize(("name", "rulebook"), mark_long(CASES, but=CASES[::4]))
def test_chained(name: str, rulebook: str | None) -> None:
    """A game played by giving each answer's `next` back equals the same game played as one, in every field."""
    chance = random.Random(f"{name} {rulebook}")
    game = Game.start(find_variant(name), seed=hashlib.sha256(name.encode()).digest(), rulebook=rulebook)
    document = state_data(game.state)
    for _ in range(8):
        if game.outcome or not game.survivors:
            break
        drawn = random_orders(game, chance).items()
        orders = {
            power: [game.rules.notation.write(order) for order in given if chance.random() < 0.95]
            for power, given in drawn
            if power not in game.disorder and chance.random() < 0.95
        }
        for power, given in orders.items():
            game = game.submit(power, given, amend=False)
        thrown = len(game.throws)
        game = game.process()
        found = answer({**document, "orders": orders})
        document = found["next"]
        assert document == json.loads(json.dumps(state_data(game.state)))
        assert read_state(document, find_variant) == game.state
        events = game.records[-1].events
        assert [(e["kind"], e["power"], e["province"], e["of"]) for e in found["events"]][: len(events)] == [
            (e.kind, e.power, e.province, e.of) for e in events
        ]
        assert not untold_losses(game, found)
        assert [d["fell"] for d in found["draws"]] == [throw.fell + 1 for throw in game.throws[thrown:]]


def test_cline_under_its_house_rules() -> None:
    """Who sends nothing twice is in civil disorder, as in a game of that variant."""
    document = answer({"variant": "cline9"})["next"]
    assert set(document["misses"].values()) == {1}
    assert len(answer(document)["next"]["disorder"]) == len(find("cline9").powers)


# -- what is asked ---------------------------------------------------------------------------------------------------


def test_legal_explain_report() -> None:
    """One request may ask for all: what is legal, why orders came out as they did, the report, and the next state."""
    orders = {"France": "A Par - Bur\nA Mar S A Par - Bur", "Germany": ["A Mun - Bur"]}
    found = answer({"orders": orders, "ask": ["legal", "explain", "report", "next"]})
    assert "A PAR - BUR".casefold() in map(str.casefold, found["legal"]["France"])
    first = found["explain"][0]
    assert first["order"] == "A Par - Bur"
    assert first["result"] == "succeeds"
    beaten = next(e for e in found["explain"] if e["power"] == "Germany")
    assert beaten["strengths"] == [1, 2]
    assert beaten["rule"]
    assert "Spring 1901" in found["report"]
    assert found["next"]["phase"] == "F1901M"
    assert answer({"ask": ["legal"]}).keys() == {"legal"}


def test_whole_sheets() -> None:
    """A power's orders may be one text, as they are when they are handed in."""
    one = answer({"orders": {"France": "A Par - Bur; A Mar H\nF Bre - MAO"}})
    many = answer({"orders": {"France": ["A Par - Bur", "A Mar H", "F Bre - MAO"]}})
    assert one == many


# -- bad requests ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "object"),
        ({"unit": {}}, r"\$\.unit: this key is not known here \(did you mean units\?\)"),
        ({"orders": {}, "centres": {}}, "did you mean centers"),
        ({"dislodged": {"France": [{"unit": "A PAR", "form": "BUR"}]}}, "did you mean from"),
        ({"variant": "conquest2", "options": {"playrs": "3"}}, "did you mean players"),
        (
            {"variant": "conquest2[players=4]", "options": {"players": "3"}},
            "players=4 is already in the variant's name",
        ),
        ({"edition": "0" * 64}, r"\$\.edition"),
        ({"format": 2}, r"\$\.format"),
        ({"seed": "xyz"}, r"\$\.seed"),
        ({"units": {"France": ["A PAR"]}, "numbers": {"France": [1, 2]}}, r"1 units, but 2 numbers"),
        ({"units": {"France": ["A PAR", "A BUR"]}, "numbers": {"France": [1, 1]}}, "two units have the number 1"),
        ({"units": {"France": ["A PAR"], "Italy": ["A PAR"]}}, "same province"),
        ({"centers": {"France": ["PAR"], "Italy": ["PAR"]}}, "belongs to France too"),
        ({"variant": "conquest2", "state": {"off-board-supply": {"winters": -5, "deferred": {}}}}, "winters"),
        ({"state": {"boats": {}}}, "nothing is kept in this variant"),
        ({"disorder": ["Frence"]}, "did you mean France"),
        ({"ask": ["leagl"]}, r"\$\.ask\[0\]"),
        ({"outcome": {"termination": "victory", "winners": ["X"], "phase": "S1901M"}}, "no power 'X'"),
        ({"orders": {"France": "A Par H\nItaly:\nA Ven H"}}, "orders for Italy"),
        ({"orders": {"France": 7}}, r"\$\.orders\.France"),
    ],
)
def test_bad_requests(data: object, said: str) -> None:
    """A request that cannot be meant so is refused with its place and the nearest right thing."""
    with pytest.raises(GamesmasterError, match=said):
        answer(data)


def test_the_schema_holds() -> None:
    """What is written keeps to the schema that is published, and the schema is the one in the documentation."""
    schema = request_schema()
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]["state"]["properties"]) >= {"boats", "taboo", "off-board-supply"}
    published = Path(__file__).parents[2] / "docs" / "state.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == json.loads(json.dumps(schema))
    for name in variant_names():
        document = state_data(Game.start(find_variant(name), seed=bytes(32)).state)
        assert document.keys() <= schema["properties"].keys()


# -- damaged documents -----------------------------------------------------------------------------------------------

ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2, 99, 10**9, 1.5, "", "x", "A PAR", "England", "PAR", "S1901M", "W1903A", "F1902R"),
    *([], [[]], {}, {"England": []}, {"England": ["A LON"]}, ["England"], [1, 2, 3], {"1": 2}),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything in some data."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, part in inside for found in places(part, (*path, key)))]


def damaged(document: Any, chance: random.Random) -> Any:
    """A document with one or two things in it that are others, are missing, or have moved."""
    found = json.loads(json.dumps(document))
    for _ in range(chance.randint(1, 2)):
        *way, last = chance.choice(places(found)[1:])
        holder = found
        for key in way:
            holder = holder[key]
        if chance.random() < 0.3:
            del holder[last]
        elif chance.random() < 0.3 and isinstance(holder, dict):
            holder[chance.choice([*holder, "England", "ATL", "7"])] = copy.deepcopy(holder[last])
        else:
            holder[last] = copy.deepcopy(chance.choice(ODD))
    return found


@pytest.mark.parametrize("name", [*(name for name in variant_names() if name != "1000ad"), "1000ad[af_module=yes]"])
def test_damage(name: str) -> None:
    """Whatever is damaged in a document, it is refused with an error for people, or answered in full."""
    chance = random.Random(name)
    documents = []
    game = Game.start(find_variant(name), seed=bytes(32))
    for _ in range(6):
        documents.append({**state_data(game.state), "orders": {p: [] for p in game.survivors}})
        for power, given in random_orders(game, chance).items():
            if power not in game.disorder:
                game = game.submit(power, [game.rules.notation.write(order) for order in given], amend=False)
        game = game.process()
    refused = 0
    for number in range(120):
        request = damaged(chance.choice(documents), chance)
        if isinstance(request, dict):
            request.pop("edition", None)
            request["ask"] = ["next", "legal", "explain", "report"] if number % 8 == 0 else ["next"]
        try:
            found = answer(request)
        except GamesmasterError:
            refused += 1
        else:
            assert "outcome" in found["next"] or answer({**found["next"], "seed": "00" * 32})
    assert 20 < refused < 120


def test_two_names_of_one_power() -> None:
    """Its orders are one set; of what it missed there can be but one number."""
    state = Game.start(find_variant("standard"), seed=bytes(32)).state
    read = state.read({"England": ["A Lvp - Yor"], "English": ["F Lon - Nth"]})
    assert {power: list(map(str, given)) for power, given in read.items()} == {
        "England": ["A Lvp - Yor", "F Lon - Nth"]
    }
    with pytest.raises(BadFile, match=r"English is another name of England"):
        read_state({**state_data(state), "misses": {"England": 1, "English": 2}}, find_variant)
