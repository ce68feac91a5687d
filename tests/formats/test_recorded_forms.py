"""Games as godip, Diplicity, webDiplomacy, njudge and jDip record them: one game, written here in each form."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.board import Location, Position, Unit
from gamesmaster.cli.arguments import edition_reader
from gamesmaster.errors import BadFile, GamesmasterError, NotFound
from gamesmaster.formats import ImportedGame, games_in, import_games, importing
from gamesmaster.formats.webdip_games import _PLACES
from gamesmaster.game import Game, Record, dumps, loads, verify
from gamesmaster.orders import Order, Verb
from gamesmaster.players import find_player, play
from gamesmaster.rules import Result
from gamesmaster.variant import find_variant
from tests.effort import calls_of

ORDERS: tuple[dict[str, list[str]], ...] = (
    {"Austria": ["A Vie - Tyr"], "England": ["F Lon - Nth", "A Lvp - Yor"], "France": ["F Bre - Mao"]},
    {
        "Austria": ["A Tyr - Ven", "F Tri S A Tyr - Ven"],
        "England": ["A Yor - Nwy VIA", "F Nth C A Yor - Nwy"],
        "France": ["F Mao - Spa/NC"],
        "Turkey": ["A Con S F Ank"],
    },
    {"Italy": ["A Ven - Tus"]},
    {"Austria": ["Build A Vie"], "Italy": ["Remove F Nap"], "England": ["Build F Lon"]},
)
POWERS = ("", "England", "France", "Italy", "Germany", "Austria", "Turkey", "Russia")
KINDS = {"A": "Army", "F": "Fleet"}
NUMBERS = _PLACES.split()


@pytest.fixture(scope="module")
def game() -> Game:
    """A year with a convoy, a split coast, a retreat, builds and a removal."""
    played = Game.start(find_variant("standard"), seed=bytes(32))
    for sets in ORDERS:
        for power, orders in sets.items():
            played = played.submit(power, orders)
        played = played.process()
    assert [record.phase.code for record in played.records] == ["S1901M", "F1901M", "F1901R", "W1901A"]
    return played


def stages(game: Game) -> list[Record | Game]:
    """The phases that are over, and the one being played."""
    return [*game.records, game]


def given(game: Game, record: Record) -> Iterator[tuple[str, Order, Result, bool]]:
    """The orders of a phase with their powers, results, and whether the unit was dislodged."""
    for ruling in game.adjudication(record).rulings:
        if ruling.order and ruling.order.verb not in (Verb.HOLD, Verb.WAIVE):
            yield ruling.power, ruling.order, ruling.result, ruling.dislodged


def godip(game: Game) -> str:
    """The game as godip's text."""
    words = {"A": "army", "F": "fleet"}
    lines: list[str] = []
    for stage in stages(game):
        phase, position = stage.phase, stage.position
        kind = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}[phase.code[-1]]
        season = "Fall" if kind == "Adjustment" else phase.season
        lines += [f"PHASE {phase.year} {season} {kind}", "POSITIONS"]
        lines += [f"\t{u.power}: {words[u.kind]} {str(u.at).lower()}" for u in position.units]
        lines += [
            f"{d.unit.power}: {words[d.unit.kind]}/dislodged {str(d.unit.at).lower()}" for d in position.dislodged
        ]
        lines += [f"{power}: supply {centre.lower()}" for centre, power in position.owners.items()]
        lines.append("ORDERS")
        for _, order, _, _ in given(game, stage) if isinstance(stage, Record) else ():
            at, to, of = (str(place).lower() for place in (order.at, order.to, order.of))
            lines.append({
                Verb.MOVE: f"{at} move {to}{' via convoy' * order.via}",
                Verb.RETREAT: f"{at} move {to}",
                Verb.SUPPORT: f"{at} support {of}{f' move {to}' if order.to else ''}",
                Verb.CONVOY: f"{at} convoy {of} move {to}",
                Verb.BUILD: f"build anywhere {KINDS.get(order.kind, '')} {at}",
                Verb.REMOVE: f"remove {at}",
                Verb.DISBAND: f"{at} disband",
            }[order.verb])  # type: ignore[index]  # fmt: skip
    return "\n".join(lines)


def diplicity(game: Game) -> dict[str, Any]:
    """The game as Diplicity records it, the board after each phase."""
    after: list[Position] = [*(record.position for record in game.records[1:]), game.position]
    phases: list[dict[str, Any]] = []
    for record, position in zip(game.records, after, strict=True):
        kind = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}[record.phase.code[-1]]
        orders = []
        for power, order, _, _ in given(game, record):
            at, to, of = (str(place).lower() for place in (order.at, order.to, order.of))
            goal = [to.partition("/")[0], to] if "/" in to else [to]
            selected = {
                Verb.MOVE: [at, "MoveViaConvoy" if order.via else "Move", *goal],
                Verb.RETREAT: [at, "Move", *goal],
                Verb.SUPPORT: [at, "Support", of, to if order.to else of],
                Verb.CONVOY: [at, "Convoy", of, to],
                Verb.BUILD: [at, "Build", KINDS.get(order.kind, "")],
                Verb.REMOVE: [at, "Disband"],
                Verb.DISBAND: [at, "Disband"],
            }[order.verb]  # type: ignore[index]
            orders.append({"nation": power, "selected": selected, "expected_resolution": "OK"})
        units = [(u, False) for u in position.units] + [(d.unit, True) for d in position.dislodged]
        state = {
            "units": [
                {"nation": u.power, "type": KINDS[u.kind], "province": str(u.at).lower(), "dislodged": out}
                for u, out in units
            ],
            "supply_centers": {centre.lower(): power for centre, power in position.owners.items()},
        }
        season = "Fall" if kind == "Adjustment" else record.phase.season
        phases.append({
            "season": season, "year": record.phase.year, "type": kind, "orders": orders, "expected_state_after": state,
        })  # fmt: skip
    return {"schema_version": 1, "variant": "Classical", "phases": phases, "outcome": None}


def webdip(game: Game) -> dict[str, Any]:
    """The game as webDiplomacy's API gives it."""
    phases = []
    for stage in stages(game):
        position = stage.position
        units = [(u, "No") for u in position.units] + [(d.unit, "Yes") for d in position.dislodged]
        orders = []
        for power, order, _, _ in given(game, stage) if isinstance(stage, Record) else ():
            words = {
                Verb.MOVE: "Move", Verb.RETREAT: "Retreat", Verb.CONVOY: "Convoy", Verb.REMOVE: "Destroy",
                Verb.DISBAND: "Disband",
                Verb.SUPPORT: "Support move" if order.to else "Support hold", Verb.BUILD: f"Build {KINDS[order.kind]}"
                if order.kind else "",
            }  # fmt: skip
            to = order.to or (order.of if order.verb is Verb.SUPPORT else None)
            orders.append({
                "countryID": POWERS.index(power), "type": words[order.verb],  # type: ignore[index]
                "terrID": NUMBERS.index(str(order.at)), "toTerrID": NUMBERS.index(str(to)) if to else 0,
                "fromTerrID": NUMBERS.index(str(order.of)) if order.of else 0,
                "viaConvoy": "Yes" if order.via else "No",
            })  # fmt: skip
        phases.append({
            "turn": 2 * (stage.phase.year - 1901) + (stage.phase.season != "Spring"),
            "phase": {"M": "Diplomacy", "R": "Retreats", "A": "Builds"}[stage.phase.code[-1]],
            "units": [
                {"unitType": KINDS[u.kind], "terrID": NUMBERS.index(str(u.at)), "countryID": POWERS.index(u.power),
                 "retreating": out} for u, out in units
            ],
            "orders": orders,
            "centers": [
                {"terrID": NUMBERS.index(c), "countryID": POWERS.index(p)} for c, p in position.owners.items()
            ],
            "messages": [{"message": "hello"}],
        })  # fmt: skip
    return {"gameID": 7, "variantID": 1, "phases": phases}


class JavaObjects:
    """Writes Java objects as jDip's serializer does: each once, then by its number."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.numbers = count()

    def object(self, kind: str, fields: dict[str, str], own: str = "") -> str:
        """An object with its fields, and what it holds beside them."""
        inner = "".join(re.sub(r"^<(\w+)", rf"<\1 field='{key}'", text, count=1) for key, text in fields.items())
        declared = f"<declaredClass class='{kind}'><default>{inner}</default>{own}</declaredClass>"
        return f"<object id='i{next(self.numbers)}' class='{kind}'>{declared}</object>"

    def once(self, key: str, text: Callable[[], str]) -> str:
        """An object that others name: whole at first, then as a reference."""
        if key not in self.known:
            self.known[key] = f"k{len(self.known)}"
            return re.sub(r"id='\w+'", f"id='{self.known[key]}'", text(), count=1)
        return f"<reference idref='{self.known[key]}'/>"

    def power(self, name: str) -> str:
        """A power, with its names."""
        return self.once(name, lambda: self.object("dip.world.Power", {"names": f"<array>{text(name)}</array>"}))

    def place(self, at: Location) -> str:
        """A place: a province and a coast."""
        names = f"<array>{text(at.province.lower())}</array>"
        province = self.once(at.province, lambda: self.object("dip.world.Province", {"shortNames": names}))
        return self.object("dip.world.Location", {"province": province, "coast": self.coast(at)})

    def coast(self, at: Location) -> str:
        """A coast, by its number."""
        index = {"NC": 4, "SC": 5, "WC": 6, "EC": 7}.get(at.coast, 2)
        return self.object("dip.world.Coast", {"index": f"<primitive type='int' value='{index}'/>"})

    def unit(self, unit: Unit | None) -> str:
        """A unit, or none."""
        if unit is None:
            return "<null/>"
        kind = self.object("dip.world.Unit$Type", {"internalName": text(KINDS[unit.kind].lower())})
        return self.object(
            "dip.world.Unit", {"type": kind, "owner": self.power(unit.power), "coast": self.coast(unit.at)}
        )

    def order(self, power: str, order: Order) -> str:
        """An order of one of jDip's classes."""
        name = order.verb.name.capitalize()
        fields = {"power": self.power(power), "src": self.place(order.at)} if order.at else {}
        if order.kind:
            fields["srcUnitType"] = self.object("T", {"internalName": text(KINDS[order.kind].lower())})
        goal = {"Support": "supDest", "Convoy": "convoyDest"}.get(name, "dest")
        fields |= {goal: self.place(order.to)} if order.to else {}
        fields |= {"supSrc" if name == "Support" else "convoySrc": self.place(order.of)} if order.of else {}
        if order.via:
            fields["_isViaConvoy"] = "<primitive type='boolean' value='true'/>"
        return self.object(f"dip.gui.order.GUI{name}", fields)


def text(value: str) -> str:
    """A Java string."""
    return f"<string id='s{value}' value='{value}'/>"


def jdip(game: Game) -> bytes:
    """The game as jDip saves it."""
    java, turns = JavaObjects(), []
    provinces = [java.once(p.id, lambda p=p: java.object("dip.world.Province", {  # type: ignore[misc]
        "shortNames": f"<array>{text(p.id.lower())}</array>"})) for p in game.variant.board.provinces]  # fmt: skip
    world_map = java.object("dip.world.Map", {"provinces": f"<array>{''.join(provinces)}</array>"})
    for stage in stages(game):
        position = stage.position
        beaten = {d.unit.at.province: d.unit for d in position.dislodged}
        held = [java.object("dip.world.Position$ProvinceData", {
            "unit": java.unit(position.at(p.id)), "dislodgedUnit": java.unit(beaten.get(p.id)),
            "SCOwner": java.power(position.owners[p.id]) if p.id in position.owners else "<null/>",
        }) if position.at(p.id) or p.id in {*beaten, *position.owners} else "<null/>"
            for p in game.variant.board.provinces]  # fmt: skip
        sets: dict[str, list[str]] = {}
        for power, order, _, _ in given(game, stage) if isinstance(stage, Record) else ():
            sets.setdefault(power, []).append(java.order(power, order))
        orders = "".join(
            f"{java.power(power)}<collection class='java.util.ArrayList'>{''.join(own)}</collection>"
            for power, own in sets.items()
        )
        kind = {"M": "movement", "R": "retreat", "A": "adjustment"}[stage.phase.code[-1]]
        number = {f: f"<primitive type='int' value='{v}'/>" for f, v in (
            ("year", stage.phase.year), ("position", 1000 if stage.phase.season == "Spring" else 2000))}  # fmt: skip
        phase = java.object("dip.world.Phase", {
            "seasonType": java.object("S", {"position": number["position"]}),
            "yearType": java.object("Y", {"year": number["year"]}),
            "phaseType": java.object("P", {"constName": text(kind)}),
        })  # fmt: skip
        counted = "<primitive type='int' value='1'/>"
        turns.append(phase + java.object("dip.world.TurnState", {
            "phase": phase, "orderMap": java.object("java.util.HashMap", {}, counted * 2 + orders),
            "position": java.object("dip.world.Position", {"provArray": f"<array>{''.join(held)}</array>"}),
            "isResolved": f"<primitive type='boolean' value='{str(isinstance(stage, Record)).lower()}'/>",
        }))  # fmt: skip
    tree = java.object("java.util.TreeMap", {"comparator": "<null/>"}, counted + "".join(turns))
    info = java.object("dip.world.World$VariantInfo", {"variantName": text("Standard")})
    facts = java.object("java.util.HashMap", {}, counted * 2 + text("_variant_info_") + info)
    world = java.object("dip.world.World", {
        "map": world_map, "turnStates": java.object("SortedMap", {"m": tree}), "nonTurnData": facts,
    })  # fmt: skip
    return gzip.compress(f"<!-- made --><jsx>{world}</jsx>".encode())


def mails(game: Game) -> list[str]:
    """The game as an njudge mails it, a mail for each phase."""
    name = {p.id: p.name for p in game.variant.board.provinces}
    coasts = {"NC": " (north coast)", "SC": " (south coast)", "EC": " (east coast)", "": ""}
    after = stages(game)[1:]
    texts = []
    for number, (record, following) in enumerate(zip(game.records, after, strict=True), 1):
        kind = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}[record.phase.code[-1]]
        season, year = record.phase.season, record.phase.year
        lines = [":: Judge: TEST  Game: heron  Variant: Standard", "",
                 f"{kind} results for {season} of {year}.  (heron.{number:03})", ""]  # fmt: skip
        told = list(given(game, record))
        busy = {order.at for _, order, _, _ in told}
        for ruling in game.adjudication(record).rulings if kind == "Movement" else ():
            if ruling.unit and ruling.unit.at not in busy:
                notes = "  (*dislodged*)" if ruling.dislodged else ""
                u = ruling.unit
                lines.append(f"{u.power}: {KINDS[u.kind]:6} {name[u.at.province]}{coasts[u.at.coast]} HOLD.{notes}")
        for power, order, result, out in told:
            at, to, of = (
                f"{name[place.province]}{coasts[place.coast]}" if place else ""
                for place in (order.at, order.to, order.of)
            )
            notes = "  (*bounce*)" if result is Result.BOUNCES else "  (*dislodged*)" if out else ""
            unit = f"{KINDS.get(order.kind, ''):6} {at}"
            helped = f"{KINDS.get(order.of_kind, '')} {of}{f' -> {to}' if order.to else ''}"
            lines.append(f"{power}: " + {
                Verb.MOVE: f"{unit} -> {to}.{notes}", Verb.RETREAT: f"{unit} -> {to}.",
                Verb.SUPPORT: f"{unit} SUPPORT {helped}.", Verb.CONVOY: f"{unit} CONVOY {helped}.",
                Verb.BUILD: f"Builds a {KINDS.get(order.kind, '').lower()} in {at}.",
                Verb.REMOVE: f"Removes the {KINDS.get(order.kind, '').lower()} in {at}.",
            }[order.verb])  # type: ignore[index]  # fmt: skip
        for d in following.position.dislodged:
            places = " or ".join(name[place.province] for place in d.retreats)
            lines.append(
                f"The Italian {KINDS[d.unit.kind].lower()} in {name[d.unit.at.province]} can retreat to {places}."
            )
        then = following.phase
        lines += ["", f"The next phase of 'heron' will be {then.kind.capitalize()} for {then.season} of {then.year}."]
        texts.append("\n".join(lines))
    return texts


def written(folder: Path, game: Game, form: str) -> Path:
    """The game in a file, or in a folder of mails."""
    path = folder / "recorded"
    if form == "judge-mail":
        path.mkdir()
        for number, text in enumerate(mails(game)):
            (path / f"{9 - number}.txt").write_text(text)
        return path
    data: Any = {"godip-game": godip, "diplicity-game": diplicity, "webdip-game": webdip, "jdip-game": jdip}[form](game)
    path.write_bytes(
        data if isinstance(data, bytes) else (data if isinstance(data, str) else json.dumps(data)).encode()
    )
    return path


MOST_TIMES = 19
"""How many times as much an import may do as judging the game again: half a second for 26 milliseconds."""

FORMS = ("godip-game", "diplicity-game", "webdip-game", "jdip-game", "judge-mail")


def only(*paths: Path) -> ImportedGame:
    """The one game of these files."""
    (made,) = import_games(*paths)
    return made


@pytest.mark.parametrize("form", FORMS)
def test_a_game_is_read_from_each_form(form: str, game: Game, tmp_path: Path) -> None:
    """Every phase is there with its orders, adjudicated alike, and the game goes on from the same position."""
    made = only(written(tmp_path, game, form))
    assert (made.form, made.differences) == (form, {})
    assert [record.phase for record in made.game.records] == [record.phase for record in game.records]
    if form != "judge-mail":  # in which units that hold have orders
        assert [record.rulings for record in made.game.records] == [record.rulings for record in game.records]
    assert {f"{u.power} {u}" for u in made.game.position.units} == {f"{u.power} {u}" for u in game.position.units}
    assert (made.game.phase, made.game.position.owners) == (game.phase, game.position.owners)
    assert loads(dumps(made.game), read=edition_reader) == made.game


@pytest.fixture(scope="module")
def long_game() -> Game:
    """Sixty phases of random orders."""
    board = find_variant("standard")
    bots = {power.name: find_player("random") for power in board.powers}
    played = play(board, bots, seed=3, until=1925).game
    assert len(played.records) > 60
    return replace(played, records=played.records[:60], phase=played.records[60].phase, orders={}, outcome=None,
                   position=played.records[60].position)  # fmt: skip


@pytest.mark.parametrize("form", FORMS[:4])
def test_import_is_fast(form: str, long_game: Game, tmp_path: Path) -> None:
    """A game of sixty phases is imported with at most `MOST_TIMES` the calls that judging it again takes."""
    path, text = written(tmp_path, long_game, form), dumps(long_game)
    only(path)  # loads the board
    assert len(only(path).game.records) > 50
    assert verify(loads(text, verify=False)) == []
    imported, judged = calls_of(lambda: only(path)), calls_of(lambda: verify(loads(text, verify=False)))
    assert imported < MOST_TIMES * judged


def test_a_false_result_is_a_difference(game: Game, tmp_path: Path) -> None:
    """A note or a unit that does not follow from the orders is told with the phase and the rule."""
    path = tmp_path / "mail.txt"
    path.write_text(mails(game)[0].replace("Army   Vienna -> Tyrolia.", "Army   Vienna -> Tyrolia.  (*bounce*)"))
    (told,) = only(path).differences["S1901M"]
    assert told.startswith("units: recorded Austria A VIE, adjudicated Austria A TYR (Army Vienna -> Tyrolia succeeds")
    path.write_text(godip(game).replace("vie move tyr", "vie move boh"))
    assert list(only(path).differences) == ["S1901M"]


def test_a_single_mail_of_a_game_is_read(game: Game, tmp_path: Path) -> None:
    """The units of a movement are named in it; a unit without an order holds; mails are known from maps."""
    path = tmp_path / "one.txt"
    path.write_text(mails(game)[1].replace(" HOLD.", ", No Order Processed."))
    made = only(path)
    assert (made.differences, [record.phase.code for record in made.game.records]) == ({}, ["F1901M"])
    assert games_in(path) == "mails"
    path.write_text("From: judge\nSubject: heron\n\n" + mails(game)[0])
    assert only(path).name == "heron"


def test_forwarded_mails_are_read(game: Game, tmp_path: Path) -> None:
    """Marks of quotation do not matter, nor the places where a judge or a mailer wraps an order."""
    text = "\n\n".join(mails(game))
    whole = re.sub(r"(?m)^(\w+: (?:Army|Fleet) .* (?:->|SUPPORT|CONVOY)) ", "\\1\n         ", text).replace(
        "  (*", "\n   (*"
    )
    assert whole.count("\n         ") > 3
    (tmp_path / "plain").write_text(text)
    model = only(tmp_path / "plain").game
    for number, changed in enumerate((whole, re.sub("(?m)^", "> ", text), re.sub("(?m)^", "> > ", whole))):
        (tmp_path / f"{number}").write_text(changed)
        made = only(tmp_path / f"{number}")
        assert made.differences == {}
        assert [record.orders for record in made.game.records] == [record.orders for record in model.records]


def test_reports_of_jdip_are_read(tmp_path: Path) -> None:
    """All orders of a power stand on a line."""
    path = tmp_path / "report.txt"
    path.write_text(
        "Results for Spring, 1901 (Movement)\n\nOrder Results:\n\nAustria:  A bud -ser ;  F tri - adr; A vie Holds\n"
    )
    (record,) = only(path).game.records
    assert record.orders == {"Austria": ("A bud -ser", "F tri - adr", "A vie Holds")}


@pytest.mark.parametrize(
    ("text", "variant", "units"),
    [
        (
            "PHASE 1425 Year Movement\nPOSITIONS\n\tEngland: fleet dev\n\tEngland: army nom\n\tEngland: supply dev\n"
            "\tBurgundy: fleet hol\n\tFrance: army dau\nORDERS\n\tdev move eng\n\tnom move cal\n",
            "hundredyears",
            ["A DAU", "A NMD", "F DEV", "F HOL"],
        ),
        (
            "PHASE 1901 Spring Movement\nPOSITIONS\n\tIndia: army del\n\tAustria: army vnn\n\tRussia: fleet stp/sc\n"
            "\tBritain: fleet bxa\nORDERS\n\tdel move kas\n\tbxa move bxd\n",
            "eurasia1901",
            ["A DEL", "A VNN", "F BXA", "F STP/SC"],
        ),
    ],
)
def test_the_board_of_a_game_is_found_among_the_packages(
    tmp_path: Path, text: str, variant: str, units: list[str]
) -> None:
    """A recorded game of a variant of the package needs no board and no name: its places tell which it is."""
    path = tmp_path / "game_1.txt"
    path.write_text(text)
    game = only(path).game
    assert game.variant.id == variant
    assert sorted(map(str, game.position.units)) == units


STRAIT = Path(__file__).parents[1] / "data/imports"


def test_a_game_of_webdiplomacy_needs_the_facts_of_its_variant(tmp_path: Path) -> None:
    """Numbers mean what the facts with the number of the variant say, which lie beside the game; texts are numbers."""
    facts = json.loads((STRAIT / "strait.webdip.json").read_text())
    number = {t["name"]: t["id"] for t in facts["territories"]}
    game = {"gameID": 3, "variantID": 77, "gameOver": "Won", "phases": [{
        "turn": 1, "phase": "Diplomacy", "centers": [{"terrID": number["Albia"], "countryID": 1}],
        "units": [{"unitType": "Fleet", "terrID": number["Coria (North Coast)"], "countryID": 1}],
        "orders": [{"countryID": 1, "terrID": str(number["Coria (North Coast)"]), "type": "Move",
                    "toTerrID": str(number["North Sea"]), "viaConvoy": "No"}],
    }]}  # fmt: skip
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"success": True, "data": game}))
    with pytest.raises(BadFile, match=r"number 77 of webDiplomacy is not known \(1, Classic, is; the facts"):
        list(import_games(path))
    (tmp_path / "somewhere.json").write_text(json.dumps(facts | {"id": 77}))
    (record,) = only(path).game.records
    assert (record.phase.code, record.orders) == ("A1901M", {"Reds": ("COR/NC - NOR",)})
    path.write_text(json.dumps(game).replace(f'"toTerrID": "{number["North Sea"]}"', '"toTerrID": 999'))
    with pytest.raises(BadFile, match=r"phases\[0\]\.orders\[0\]: no territory of this variant has the number 999"):
        list(import_games(path))


def test_another_board_of_the_name_is_taken_if_the_first_does_not_fit(tmp_path: Path) -> None:
    """`modern` is a variant of the package, of another map; the folder has the one that the game was played on."""
    game = {"id": "x", "map": "modern", "phases": [
        {"name": name, "state": {"units": {"REDS": ["A BOR"]}, "centers": {"REDS": ["ALB"]}}, "orders": {}}
        for name in ("S1901M", "COMPLETED")
    ]}  # fmt: skip
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game))
    with pytest.raises(GamesmasterError, match="no phase 'S1901M'"):
        list(import_games(path))
    for name in ("strait.map", "strait.geography"):
        (tmp_path / name).write_bytes((STRAIT / name).read_bytes())
    assert only(path).game.variant.name == "Strait"


def test_a_folder_of_many_files_does_not_hide_the_board_in_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files of each folder are bounded by themselves, those of all by their bytes."""
    game = {"id": "x", "map": "modern", "phases": [
        {"name": name, "state": {"units": {"REDS": ["A BOR"]}, "centers": {"REDS": ["ALB"]}}, "orders": {}}
        for name in ("S1901M", "COMPLETED")
    ]}  # fmt: skip
    crowded, boards = tmp_path / "crowded", tmp_path / "boards"
    for folder in (crowded, boards):
        folder.mkdir()
    for number in range(importing._MOST_MAPS + 20):
        (crowded / f"a{number}.json").write_text("{" + " " * 100)
    for name in ("strait.map", "strait.geography"):
        (boards / name).write_bytes((STRAIT / name).read_bytes())
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game))
    (made,) = import_games(path, folders=[crowded, boards])
    assert made.game.variant.name == "Strait"
    monkeypatch.setattr(importing, "_MOST_SEARCHED", 5_000)
    with pytest.raises(GamesmasterError, match="no phase 'S1901M'"):
        list(import_games(path, folders=[crowded, boards]))


def test_what_a_form_cannot_say_is_refused_with_its_place(game: Game, tmp_path: Path) -> None:
    """An unknown board, a number without a place, an order of nobody: each with its line or path."""
    path = tmp_path / "x"
    for data, words in (
        ({**diplicity(game), "variant": "Elsewhere"}, "no variant 'Elsewhere'"),
        ({**webdip(game), "variantID": 99}, r"\$\.variantID: the variant with the number 99"),
        ({**webdip(game), "gameID": "x"}, r"\$\.gameID"),
    ):
        path.write_text(json.dumps(data))
        with pytest.raises((BadFile, NotFound), match=words):
            list(import_games(path))
    path.write_text(godip(game).replace("vie move tyr", "vix move tyr"))
    with pytest.raises(BadFile, match="no unit or centre for the order 'vix move tyr'"):
        list(import_games(path))
    path.write_text(godip(game).replace("fleet bre", "fleet atlantis"))
    with pytest.raises(BadFile, match="no known board has its places"):
        list(import_games(path))


def test_a_reply_of_webdiplomacy_may_spell_numbers_and_blanks(game: Game, tmp_path: Path) -> None:
    """Numbers are texts in some replies; what an order does not need is empty, and a convoy true or false."""

    def spelled(order: dict[str, Any]) -> dict[str, Any]:
        texts = {key: str(value) if isinstance(value, int) else value or "" for key, value in order.items()}
        return texts | {"viaConvoy": order.get("viaConvoy") == "Yes"}

    path, data = tmp_path / "game", webdip(game)
    path.write_text(json.dumps(data))
    model = only(path).game
    for phase in data["phases"]:
        phase |= {"turn": str(phase["turn"]), "messages": None, "orders": [spelled(order) for order in phase["orders"]]}
    path.write_text(json.dumps(data))
    assert [record.orders for record in only(path).game.records] == [record.orders for record in model.records]


def test_an_order_of_an_unknown_kind_is_refused_by_name(game: Game, tmp_path: Path) -> None:
    """It is neither taken for a waived build nor left out."""
    path = tmp_path / "game"
    path.write_text(json.dumps(webdip(game)).replace('"Build Army"', '"Transform Army"'))
    with pytest.raises(BadFile, match=r"phases\[3\]\.orders\[0\]: an order of an unknown kind, 'Transform Army'"):
        list(import_games(path))
    path.write_text(json.dumps(webdip(game)).replace('"Build Army"', '"Wait"'))
    assert only(path).game.records[3].orders["Austria"] == ("Waive",)
    path.write_bytes(gzip.decompress(jdip(game)).replace(b"GUIMove'", b"GUITransform'"))
    with pytest.raises(BadFile, match="Spring 1901 Movement, Austria: an order of an unknown kind, 'Transform'"):
        list(import_games(path))


def test_the_phases_of_a_game_are_bounded(tmp_path: Path) -> None:
    """A text of nothing but phases is refused before any is adjudicated."""
    path = tmp_path / "game.txt"
    path.write_text("PHASE 1901 Spring Movement\n" * 300_000)
    with pytest.raises(BadFile, match="line 1001: more than 1,000 phases"):
        list(import_games(path))
    assert calls_of(lambda: list(import_games(path))) < 20_000


@pytest.mark.parametrize("inner", [b"<a>" * 300_000, b"<a/>" * 3_000_000, b"<a>" * 200_000])
def test_xml_of_millions_of_tags_is_refused_at_once(inner: bytes, tmp_path: Path) -> None:
    """Neither deep nor wide documents are read to their end."""
    path = tmp_path / "bomb.jdip"
    path.write_bytes(gzip.compress(b"<jsx>" + inner))
    with pytest.raises(BadFile, match=r"tags|not XML"):
        list(import_games(path))
    assert calls_of(lambda: list(import_games(path))) < 5_000


@pytest.mark.parametrize("form", [*FORMS[:4], "mail", "saved-game"])
def test_mangled_games_raise_our_errors_only(form: str, game: Game, tmp_path: Path) -> None:
    """Whatever becomes of the bytes of a game, it is imported or refused, with bounded work."""
    path = tmp_path / "mangled"
    if form == "saved-game":
        data = (Path(__file__).parents[1] / "data/saved_game.json").read_bytes()[:40_000]
    elif form == "mail":
        data = "\n".join(mails(game)).encode()
    else:
        data = written(tmp_path, game, form).read_bytes()
        data = gzip.decompress(data) if form == "jdip-game" else data
    chance, calls = random.Random(form), []
    for _ in range(12):
        mangled = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(mangled))
            mangled[at : at + chance.randint(0, 30)] = chance.randbytes(chance.randint(0, 4)) * chance.choice((1, 9))
        path.write_bytes(mangled)
        found: list[ImportedGame] = []
        calls.append(calls_of(partial(found.extend, import_games(path))))
        assert all(made.game.variant for made in found)
    assert max(calls) < 100 * len(data)
