"""Maps of other programs come in as variants of ours, with remarks on what is not carried over."""

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesmaster.board import Board, Location, Terrain
from gamesmaster.errors import BadFile, GamesmasterError, NotFound
from gamesmaster.formats import FORMS, Imported, import_variants
from gamesmaster.formats import form as form_module
from gamesmaster.formats import jdip as jdip_module
from gamesmaster.formats.form import parse
from gamesmaster.mechanics import DelayedBuilds, Sight, StandingArmies, Transformation, UnitKind, WeakBorders
from gamesmaster.rules import BuildSites
from gamesmaster.testing import check_variant
from gamesmaster.variant import Variant, Victory, lint_variant, read_variant
from tests.effort import calls_of

DATA = Path(__file__).parents[1] / "data/imports"
BOARDS = Path(__file__).parents[1] / "data/boards"
STRAIT = {
    "dotmap": "strait.map",
    "godip-facts": "strait.godip.json",
    "webdip-facts": "strait.webdip.json",
    "dvar": "strait.dvar.json",
    "jdip": "pack/variants.xml",
}
"""One board in each form."""
MAP = (DATA / "strait.map").read_text() + (DATA / "strait.geography").read_text()


def steps(board: Board) -> set[tuple[str, str, str]]:
    """The steps of a board by the names of the provinces."""
    name = {p.id: p.name for p in board.provinces}
    return {(e.way, f"{name[e.a.province]}/{e.a.coast}", f"{name[e.b.province]}/{e.b.coast}") for e in board.edges}


def only(path: Path) -> Imported:
    """The one variant of a file."""
    (made,) = import_variants(path)
    return made


def dotmap(folder: Path, *lines: str) -> Imported:
    """The Strait as a `.map`, with these lines behind it."""
    path = folder / "x.map"
    path.write_bytes("\n".join([MAP.replace("USE strait.geography", ""), *lines]).encode("latin-1"))
    return only(path)


def changed(folder: Path, form: str, change: Callable[[Any], object]) -> Imported:
    """The Strait in a form of JSON, changed."""
    data = json.loads((DATA / STRAIT[form]).read_text())
    change(data)
    path = folder / "x.json"
    path.write_text(json.dumps(data))
    return only(path)


def codes(variant: Variant, count: int) -> str:
    """The codes of the first phases."""
    phase, found = variant.calendar.first, []
    for _ in range(count):
        found.append(phase.code)
        phase = variant.calendar.next(phase)
    return " ".join(found)


@pytest.mark.parametrize("form", STRAIT)
def test_one_board_in_five_forms_reads_alike(form: str) -> None:
    """Every form comes to the same provinces, borders, powers and start, without a word of what was left out."""
    made, model = only(DATA / STRAIT[form]), only(DATA / STRAIT["dotmap"]).variant
    variant = made.variant
    assert (made.form, [remark for remark in made.remarks if "in words" not in remark]) == (form, [])
    assert steps(variant.board) == steps(model.board)
    assert {(p.name, p.terrain, p.centre, p.home, p.coasts) for p in variant.board.provinces} == {
        (p.name, p.terrain, p.centre, p.home, p.coasts) for p in model.board.provinces
    }
    assert [(p.name, p.homes, sorted(p.units)) for p in variant.powers] == [
        ("Reds", ("ALB", "BOR"), ["A BOR", "F ALB"]),
        ("Blues", ("DEL", "EST"), ["A EST", "F DEL"]),
    ]
    assert (variant.start.owners, variant.victory) == (model.start.owners, Victory(3))
    assert codes(variant, 6).replace("A1901", "F1901") == "S1901M S1901R F1901M F1901R W1901A S1902M"
    assert [f for f in lint_variant(variant) if f.level == "error"] == []
    assert check_variant(variant, phases=10, seed=1) == []


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    """The folder has the same variant under its own name, and the remarks above it."""
    made = dotmap(tmp_path, "RULE NO_LEDGERS")
    made.write(tmp_path / "my_strait")
    again = read_variant(tmp_path / "my_strait")
    assert (again.id, again.board, again.powers) == ("my_strait", made.variant.board, made.variant.powers)
    text = (tmp_path / "my_strait/variant.toml").read_text()
    assert text.startswith("# Imported from x.map (dotmap).\n# not carried over: rules: NO_LEDGERS\n")


def test_adjacency_lists_are_imported() -> None:
    """The plain lists that `read_foreign` reads are a form like the others."""
    made = only(BOARDS / "northseawars.json")
    assert (made.form, made.variant.name, len(made.variant.powers)) == ("adjacency", "North Sea Wars", 4)
    assert "one way in the source" in {edge.reason for edge in made.variant.board.edges}


# -- `.map` ------------------------------------------------------------------------------------------------------------


def test_case_tells_who_may_pass(tmp_path: Path) -> None:
    """A neighbour in small letters is for armies only, one with a capital for fleets only."""
    board = dotmap(
        tmp_path, "AMEND ALB ABUTS -NSE -bor BOR Sse", "AMEND SSE ABUTS ALB", "AMEND NSE ABUTS -ALB"
    ).variant.board
    own = {(e.way, str(e.b)) for e in board.edges if e.a.province == "ALB"}
    assert own == {("army", "BOR"), ("army", "COR"), ("fleet", "COR/NC"), ("fleet", "SSE")}


def test_borders_for_some_powers(tmp_path: Path) -> None:
    """Letters before a border keep it for those powers, none for nobody; centres behind it stand for their owner."""
    made = dotmap(
        tmp_path,
        "AMEND BOR ABUTS R:EST",
        "AMEND ALB ABUTS :BOR",
        "AMEND EST ABUTS BOR(DEL,EST)",
        "AMEND DEL ABUTS *EST",
    )
    edges = {(str(e.a), str(e.b)): e.only for e in made.variant.board.edges if e.way == "army"}
    assert (edges["BOR", "EST"], edges["EST", "BOR"]) == (frozenset(["Reds"]), frozenset(["Blues"]))
    assert ("ALB", "BOR") not in edges
    assert ("BOR", "ALB") in edges
    assert made.variant.mechanics == (WeakBorders((("DEL", "EST"),)),)
    assert "one way only: army BOR - ALB" in made.remarks
    assert "weak borders halve attacks and supports: DEL - EST" in made.remarks


def test_places_are_dropped_renamed_and_shut(tmp_path: Path) -> None:
    """DROP forgets a place, `old -> new` moves everything to another key, SHUT is open to nobody, PORT convoys."""
    made = dotmap(
        tmp_path,
        "DROP EST",
        "bor -> B\xf6rland = b\xf6r",
        "SHUT XXX ABUTS ALB",
        "Nowhere = xxx",
        "PORT DEL ABUTS COR/SC SSE",
    )
    board = made.variant.board
    assert (board.province("BOR").name, board.province("XXX").terrain) == ("B\xf6rland", Terrain.IMPASSABLE)
    assert board.province("DEL").convoy
    assert "EST" not in board.index
    assert made.variant.power("Reds").units == ("A BOR", "F ALB")
    assert made.variant.power("Blues").units == ("F DEL",)


@pytest.mark.parametrize(
    "lines",
    [
        ("REDS", "RESERVES 2", "MILITIA", "F ALB"),
        ("TEXTONLY", "ROTATE 1", "TEAMS REDS-BLUES"),
        ("IN F1901M: VICTORY 4", "FROM S1905M", "DROP SSE", "REDS EST", "FROM START", "VICTORY 3"),
        ("PAYOLA DIRECTIVE", "VICTORY 4", "END DIRECTIVE", "VICTORY 3"),
        ("AMEND ALB ABUTS COR/SC COR COR/NC", "AMEND ALB ABUTS -COR COR/NC bor"),
        ("UNITS", "reds", "UNITS", "f alb", "a bor"),
    ],
)
def test_lines_that_change_nothing(lines: tuple[str, ...], tmp_path: Path) -> None:
    """Lines about other things, kinds of game and later phases leave the board and its powers as they are."""
    made, model = dotmap(tmp_path, *lines).variant, only(DATA / STRAIT["dotmap"]).variant
    assert steps(made.board) - {("army", "Albia/", "Coria/")} == steps(model.board) - {("army", "Albia/", "Coria/")}
    assert [(p.name, p.homes, sorted(p.units)) for p in made.powers] == [
        (p.name, p.homes, sorted(p.units)) for p in model.powers
    ]
    assert made.victory == model.victory


def test_places_are_changed_in_kind(tmp_path: Path) -> None:
    """A place may change its kind alone, lose its fleets by small letters, and its coasts by capitals."""
    kinds = dotmap(tmp_path, "PORT DEL", "SHUT EST").variant.board
    assert (kinds.province("DEL").convoy, kinds.province("EST").terrain) == (True, Terrain.IMPASSABLE)
    assert ("fleet", "Delia/", "South Sea/") in steps(kinds)
    fleets = {step[1:] for step in steps(dotmap(tmp_path, "AMEND del ABUTS").variant.board) if step[0] == "fleet"}
    assert not any("Delia/" in step for step in fleets)
    whole = dotmap(tmp_path, "COAST COR ABUTS ALB BOR DEL NSE SSE").variant.board
    assert whole.province("COR").coasts == ()
    assert {("fleet", "Coria/", "Delia/"), ("fleet", "North Sea/", "Coria/")} <= steps(whole)


def test_marks_of_homes_and_borders(tmp_path: Path) -> None:
    """Marks may be several, and stand behind a neighbour; alternative homes are homes."""
    made = dotmap(tmp_path, "AMEND DEL ABUTS EST*", "REDS ~@COR(ALB,BOR) *EST &SC", "BLUES -DEL")
    assert [power.homes for power in made.variant.powers] == [("ALB", "BOR", "COR"), ("EST",)]
    assert made.variant.mechanics == (WeakBorders((("DEL", "EST"),)),)
    assert "alternative homes are taken as homes: Reds COR" in made.remarks
    new = dotmap(tmp_path, "BLUES -> CYANS (CYAN) COR", "UNITS", "A COR", "REDS", "CYANS (AZURE)").variant
    assert [(p.name, p.adjective, p.homes, p.units) for p in new.powers][1:] == [
        ("Cyans", "Azure", ("COR", "DEL", "EST"), ("A COR",))
    ]


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", "\r"), lambda text: text.replace("USE", "Uses")])
def test_maps_are_known_by_any_line(change: Callable[[str], str], tmp_path: Path) -> None:
    """Lines may end as on an old Macintosh, and USES is the same as USE."""
    for name in ("strait.map", "strait.geography"):
        (tmp_path / name).write_bytes(change((DATA / name).read_text()).encode())
    assert steps(only(tmp_path / "strait.map").variant.board) == steps(only(DATA / "strait.map").variant.board)


def test_powers_that_do_not_play(tmp_path: Path) -> None:
    """UNPLAYED takes a power out with its homes; a DUMMY stands where it is."""
    (mechanic,) = dotmap(tmp_path, "DUMMY BLUES").variant.mechanics
    assert mechanic == StandingArmies(("A EST", "F DEL"))
    gone = dotmap(tmp_path, "UNPLAYED ALL EXCEPT REDS").variant
    assert [p.name for p in gone.powers] == ["Reds"]
    assert gone.board.centres == ("ALB", "BOR", "COR")
    with pytest.raises(BadFile, match="no power has"):
        dotmap(tmp_path, "UNPLAYED ALL")


def test_phases_of_a_map(tmp_path: Path) -> None:
    """FLOW and BEGIN come to a calendar: years that are skipped, years before Christ, seasons with accents."""
    ten = ["FLOW NEWYEAR:5", "FLOW A.D.:MOVEMENT,RETREATS", "FLOW IFYEARDIV:10", "FLOW A.D.:ADJUSTMENTS"]
    assert (
        codes(dotmap(tmp_path, "BEGIN A.D. 1425 MOVEMENT", *ten).variant, 6)
        == "Y1425M Y1425R Y1430M Y1430R Y1430A Y1435M"
    )
    old = ["FLOW NEWYEAR:-1", "FLOW B.C.:MOVEMENT,RETREATS", "FLOW IFYEARDIV:2", "FLOW B.C.:ADJUSTMENTS"]
    first = dotmap(tmp_path, "BEGIN B.C. 273 MOVEMENT", *old).variant
    assert codes(first, 6) == "Y273BCM Y273BCR Y272BCM Y272BCR Y272BCA Y271BCM"
    accents = dotmap(tmp_path, "FLOW \xc9T\xc9:MOVEMENT,RETREATS,ADJUSTMENTS", "BEGIN \xc9T\xc9 1901 MOVEMENT").variant
    assert codes(accents, 4) == "E1901M E1901R E1901A E1902M"
    short = dotmap(tmp_path, "FLOW SPRING:MOVEMENT FALL:MOVEMENT,ADJUSTMENTS")
    assert codes(short.variant, 6) == "S1901M S1901R F1901M F1901R W1901A S1902M"
    assert "retreats follow each movement: SPRING, FALL" in short.remarks
    with pytest.raises(BadFile, match="do not come again"):
        dotmap(
            tmp_path, "FLOW NEWYEAR:2", "FLOW A:MOVEMENT", "FLOW IFYEARDIV:2=1", "FLOW A:RETREATS", "BEGIN A 2 RETREATS"
        )


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([f"x{n} -> Y{n} = y{n}" for n in range(100_000)], "renamed or dropped"),
        ([f"LAND A{n} ABUTS B" for n in range(100_000)], "more than 2,000 places"),
        ([f"LAND A{n} ABUTS B" for n in range(1_900)] + ["DROP A1"] * 20_000, "renamed or dropped"),
        ([f"P{n}\nA q{n}" for n in range(100_000)], "more than 200 powers"),
        (["RED", *(f"A q{n}" for n in range(100_000))], "homes, centres and units"),
        ([f"Zed{n} = z{n} {'x ' * 700}" for n in range(1_300)], "short names"),
        (["RED", *["DUMMY ALL EXCEPT BLUE"] * 50_000], "idle powers"),
        ([f"P{n}{'(' * 1_900}" for n in range(1_000)], "more than 200 powers"),
        (["\n" * 1_000_000, "Zed ="], "no short name"),
    ],
    ids=["renamed", "places", "dropped", "powers", "units", "names", "dummies", "brackets", "empty"],
)
def test_a_map_of_many_changes_is_refused_at_once(lines: list[str], said: str, tmp_path: Path) -> None:
    """No number of lines makes the reader busy: it is refused after a few calls for each line."""
    with pytest.raises(BadFile, match=said):
        dotmap(tmp_path, *lines)
    assert calls_of(lambda: dotmap(tmp_path, *lines)) < 6_000_000


def test_maps_of_other_forms_are_bounded_as_well(tmp_path: Path) -> None:
    """Powers, coasts of a province and misspelt units are bounded in every form; many names are read in one go."""
    pack = (DATA / "pack/variants.xml").read_text()
    places = (DATA / "pack/strait_adjacency.xml").read_text()
    many = "".join(f'<POWER name="p{n}" altnames="q{n}"/>' for n in range(30_000))
    coasts = "".join(f'<ADJACENCY type="t{n}" refs="alb"/>' for n in range(30_000))
    names = "".join(f'<UNIQUENAME name="u{n}"/>' for n in range(30_000))
    for new, old, adjacency, said in (
        (many, "<POWER ", places, "more than 200 powers"),
        ("", "", places.replace("</PROVINCE>", f"{coasts}</PROVINCE>", 1), "more than 8 coasts"),
        ("", "", places.replace("</PROVINCE>", f"{names}</PROVINCE>", 1), ""),
    ):
        (tmp_path / "variants.xml").write_text(pack.replace(old, new + old, 1))
        (tmp_path / "strait_adjacency.xml").write_text(adjacency)
        if said:
            with pytest.raises(BadFile, match=said):
                import_variants(tmp_path)
        else:
            assert import_variants(tmp_path)
        assert calls_of(lambda: import_variants(tmp_path)) < 2_000_000
    units = {f"Kora{n}": "Army" for n in range(600)}
    with pytest.raises(BadFile, match="more than 1,000 units"):
        changed(tmp_path, "webdip-facts", lambda data: data["units"].update({"One": units, "Other": units}))


def test_a_map_uses_files_of_its_folder_only(tmp_path: Path) -> None:
    """USE leads to no other folder, by no link, and not in a circle."""
    (tmp_path / "maps").mkdir()
    path = tmp_path / "maps/x.map"
    for name, words in {
        "../secret": "same folder",
        "/etc/passwd": "same folder",
        "x": "files",
        "none": "no file",
    }.items():
        path.write_text(f"USE {name}\n")
        with pytest.raises(GamesmasterError, match=words):
            import_variants(path)
    (tmp_path / "secret.map").write_text(MAP)
    (tmp_path / "maps/link.map").symlink_to(tmp_path / "secret.map")
    path.write_text("USE link\n")
    with pytest.raises(BadFile, match="same folder"):
        import_variants(path)


# -- the others --------------------------------------------------------------------------------------------------------


def test_rules_of_godip(tmp_path: Path) -> None:
    """Builds anywhere and neutral armies are read from the names of the code; unequal edges lead one way."""

    def change(data: Any) -> None:
        data["code"]["Parser"] = "hundred.BuildAnywhereParser"
        data["neutral_armies"] = "one on every neutral centre; one that is gone is built again"
        del data["nodes"]["nse"]["edges"]["sse"]

    made = changed(tmp_path, "godip-facts", change)
    assert made.variant.build_sites is BuildSites.ANY_OWNED
    assert made.variant.mechanics == (StandingArmies(neutral_centres=True),)
    assert "one way only: fleet sse - nse" in made.remarks
    homes = changed(tmp_path, "godip-facts", lambda data: data["code"].update(Parser="x.BuildAnyHomeCenterParser"))
    assert homes.variant.build_sites is BuildSites.ANY_HOME


def test_odd_facts_of_webdiplomacy(tmp_path: Path) -> None:
    """Places of the picture go, units of nobody stand, changed rules are named, and builds come first."""

    def change(data: Any) -> None:
        data["territories"] += [{"id": 99, "name": "Boria (2)", "type": "Land", "army": [], "fleet": []}]
        data["territories"][0]["type"] = "Strait"
        data["units"]["Neutral units"] = {"Korea": "Army "}
        data["overridden"] |= {"userOrderBuilds": ["toTerrIDCheck"], "adjMove": ["_attackStrength"]}
        data["dates"] = {"0": "Spring, 480 BC.", "1": "Autumn, 480 BC.", "2": "Spring, 479 BC."}

    made = changed(tmp_path, "webdip-facts", change)
    assert made.variant.mechanics == (StandingArmies(("A COR",)),)
    assert (made.variant.build_sites, codes(made.variant, 1)) == (BuildSites.ANY_OWNED, "S480BCM")
    assert made.variant.board.province("ALB").convoy
    said = "; ".join(made.remarks)
    for words in ("Boria (2)", "Korea is Coria", "adjMove (_attackStrength)"):
        assert words in said
    bare = changed(tmp_path, "webdip-facts", lambda data: data.update(units={}))
    assert codes(bare.variant, 2) == "W1900A S1901M"
    assert "the game begins with builds, since the file has no units at the start" in bare.remarks


def test_a_board_that_cannot_be_as_the_file_says(tmp_path: Path) -> None:
    """Borders of a place with itself, armies at sea and places that nothing joins are left out, each with a remark."""

    def change(data: Any) -> None:
        by_name = {t["name"]: t for t in data["territories"]}
        by_name["Albia"]["army"] += [by_name["Albia"]["id"], by_name["North Sea"]["id"], 1234]
        by_name["Boria"]["fleet"] = [by_name["North Sea"]["id"]]
        extra = {"type": "Land", "fleet": []}
        data["territories"] += [
            {"id": 98, "name": "Far", "army": [99]} | extra,
            {"id": 99, "name": "Off", "army": [98]} | extra,
        ]
        data["territories"] += [{"id": 97, "name": "Albia", "army": [by_name["Boria"]["id"]]} | extra]
        by_name["Boria"]["army"].append(97)

    made = changed(tmp_path, "webdip-facts", change)
    said = "; ".join(made.remarks)
    for words in (
        "a place with itself: Albia - Albia",
        "to sea: Albia - North Sea",
        "number 1234",
        "the rest: Far, Off",
        "taken as coast, since fleets go there: Boria",
        "id behind them: Albia",
    ):
        assert words in said
    assert {p.name for p in made.variant.board.provinces if p.name.startswith("Albia")} == {"Albia", "Albia (ALI)"}


def test_a_calendar_of_dvar(tmp_path: Path) -> None:
    """The transitions are followed with their conditions; nations that nobody plays stand; unknown rules are named."""

    def change(data: Any) -> None:
        year, retreat = {"season": "Year", "type": "Movement"}, {"season": "Year", "type": "Retreat"}
        build = {"season": "Year", "type": "Adjustment"}
        data["phaseProgression"]["transitions"] = [
            {"from": year, "to": retreat | {"yearDelta": 0}},
            {"from": retreat, "to": year | {"yearDelta": 5}, "condition": {"yearMod": 10, "yearModValue": 5}},
            {"from": retreat, "to": build | {"yearDelta": 0}, "condition": {"yearMod": 10, "yearModValue": 0}},
            {"from": build, "to": year | {"yearDelta": 5}},
        ]
        data["initialState"]["phase"] = year | {"year": 1425}
        data["nations"].append({"id": "idle", "name": "Idle", "color": "#000000", "non_playable": True})
        data["initialState"]["units"].append({"nation": "idle", "type": "Army", "location": "cor"})
        data["adjudicationModifiers"] = ["allow-builds-in-non-home-centers", "tides"]

    made = changed(tmp_path, "dvar", change)
    assert codes(made.variant, 6) == "Y1425M Y1425R Y1430M Y1430R Y1430A Y1435M"
    assert made.variant.mechanics == (StandingArmies(("A COR",)),)
    assert made.remarks == ("not carried over: modifiers that are not known here: tides",)


def test_packs_of_jdip(tmp_path: Path) -> None:
    """Entities and files from elsewhere are refused; a wing, and ends by years, are named."""
    pack = (DATA / "pack/variants.xml").read_text()
    (tmp_path / "strait_adjacency.xml").write_bytes((DATA / "pack/strait_adjacency.xml").read_bytes())
    path = tmp_path / "variants.xml"
    path.write_text(
        pack.replace('unit="army"', 'unit="wing"', 1).replace("</VICTORY", '<GAME_LENGTH value="9"/></VICTORY')
    )
    (made,) = import_variants(tmp_path)
    assert made.variant.power("Crimsons").units == ("W BOR", "F ALB")
    made.write(tmp_path / "winged")
    assert read_variant(tmp_path / "winged").board == made.variant.board
    assert [mechanic.kind for mechanic in made.variant.mechanics if isinstance(mechanic, UnitKind)] == ["W"]
    assert check_variant(made.variant, phases=10, seed=1) == []
    assert "not carried over: ends of the game by years: GAME_LENGTH" in made.remarks
    assert "wings do not keep others from taking the centres below them" in made.remarks
    for evil in ('<!ENTITY a "b">', '<!ENTITY a SYSTEM "file:///etc/passwd">', '<!ENTITY % p SYSTEM "x.dtd"> %p;'):
        path.write_text(pack.replace("<!ATTLIST POWER", f"{evil}<!ATTLIST POWER", 1))
        with pytest.raises(BadFile, match="not read"):
            import_variants(path)
    path.write_text(f'<!DOCTYPE VARIANTS SYSTEM "variants.dtd">{pack[pack.index("<VARIANTS") :]}')
    assert len(import_variants(path)) == 1  # a document type elsewhere is not looked at
    path.write_text(pack.replace("strait_adjacency.xml", "../x.xml"))
    with pytest.raises(BadFile, match="same folder"):
        import_variants(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_other_spellings_of_a_pack(encoding: str, tmp_path: Path) -> None:
    """Names may have commas between them, a turn its short name, a coast its long one; places may be impassable."""
    pack, places = ((DATA / "pack" / name).read_text() for name in ("variants.xml", "strait_adjacency.xml"))
    pack = pack.replace("Spring, 1901, Movement", "F1899b").replace('"Reds" ', '"Reds" active="TRUE" ')
    pack = pack.replace('"alb" power="reds" unit="fleet"', '"cor" power="reds" unit="fleet" unitcoast="South Coast"')
    places = places.replace("alb bor del", "alb, bor,del").replace(
        "</PROVINCES>",
        '<PROVINCE shortname="ice" fullname="Ice" isImpassable="true"><ADJACENCY refs="ice"/></PROVINCE></PROVINCES>',
    )
    for name, text in (("variants.xml", pack), ("strait_adjacency.xml", places)):
        (tmp_path / name).write_text(text, encoding=encoding)
    made = only(tmp_path / "variants.xml")
    board = made.variant.board
    assert steps(board) == steps(only(DATA / STRAIT["jdip"]).variant.board)
    assert board.province("ICE").terrain is Terrain.IMPASSABLE
    assert (codes(made.variant, 1), made.variant.power("Reds").units) == ("W1899A", ("A BOR", "F COR/SC"))
    (tmp_path / "variants.xml").write_text(
        pack.replace("F1899b", "Fall, 49 B.C., Movement").replace(
            "</VARIANT>", '<INFLUENCE province="nse" power="reds"/></VARIANT>'
        )
    )
    (tmp_path / "strait_adjacency.xml").write_text(places)
    made = only(tmp_path / "variants.xml")
    assert codes(made.variant, 1) == "F49BCM"
    assert "not carried over: who holds places without a centre" in made.remarks


def test_each_file_of_a_pack_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The document whose form is recognised is not parsed again to be read."""
    parsed = list[str]()

    def note(text: bytes, where: str) -> Element:
        parsed.append(where)
        return parse(text, where)

    for module in (form_module, jdip_module):
        monkeypatch.setattr(module, "parse", note)
    import_variants(DATA / "pack/variants.xml")
    assert [where.partition(" beside ")[0] for where in parsed] == [
        str(DATA / "pack/variants.xml"),
        "strait_adjacency.xml",
    ]


def pack_of_two(folder: Path) -> bytes:
    """A zip with a pack of two variants, the second called Narrows."""
    pack = (DATA / "pack/variants.xml").read_text()
    begin, end = pack.index("<VARIANT "), pack.index("</VARIANT>") + len("</VARIANT>")
    second = re.sub(r'name="[^"]*"', 'name="Narrows"', pack[begin:end], count=1)
    with zipfile.ZipFile(folder / "two.zip", "w") as archive:
        archive.writestr("pack/variants.xml", pack[:end] + second + pack[end:])
        archive.write(DATA / "pack/strait_adjacency.xml", "pack/strait_adjacency.xml")
        archive.writestr("pack/map.svg", "<svg/>")
    return (folder / "two.zip").read_bytes()


def test_a_broken_variant_of_a_pack_is_named_and_leaves_the_others_alone(tmp_path: Path) -> None:
    """One without powers is refused by its name; another one of the pack is imported all the same."""
    text = (DATA / "pack/variants.xml").read_text()
    named = '<MAP adjacencyURI="strait_adjacency.xml"/><STARTINGTIME turn="Spring, 1901, Movement"/>'
    void = f'<VARIANT name="Void">{named}</VARIANT></VARIANTS>'
    (tmp_path / "variants.xml").write_text(text.replace("</VARIANTS>", void))
    (tmp_path / "strait_adjacency.xml").write_bytes((DATA / "pack/strait_adjacency.xml").read_bytes())
    with pytest.raises(BadFile, match=r"variants\.xml, Void: no power has a unit"):
        import_variants(tmp_path)
    assert [made.variant.name for made in import_variants(tmp_path, "strait")] == ["Strait"]


def test_a_pack_in_a_zip_is_bounded_with_all_that_it_uses(tmp_path: Path) -> None:
    """A large file that many variants of the pack name is not read for each of them."""
    (text,) = re.findall(r"(?s)<VARIANT .*</VARIANT>", (DATA / "pack/variants.xml").read_text())
    beside = (DATA / "pack/strait_adjacency.xml").read_text() + "<!--" + " " * 300_000 + "-->"
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
        archive.writestr("variants.xml", f"<VARIANTS>{text * 80}</VARIANTS>")
        archive.writestr("strait_adjacency.xml", beside)
    with pytest.raises(BadFile, match=r"strait_adjacency\.xml: larger than .* bytes, with what it uses"):
        import_variants(tmp_path / "many.zip")


def test_one_variant_of_a_pack(tmp_path: Path) -> None:
    """A pack may be a zip, a folder of packs holds all of them, and a name picks one; a wrong name has a right one."""
    pack_of_two(tmp_path)
    names = [made.variant.name for made in import_variants(tmp_path / "two.zip")]
    assert names[1:] == ["Narrows"]
    assert [made.variant.name for made in import_variants(tmp_path / "two.zip", "narrows")] == ["Narrows"]
    with pytest.raises(NotFound, match=r"no variant 'Narow' is in .*two\.zip \(did you mean Narrows\?\)"):
        import_variants(tmp_path / "two.zip", "Narow")
    (tmp_path / "single").mkdir()
    for name in ("variants.xml", "strait_adjacency.xml"):
        (tmp_path / "single" / name).write_bytes((DATA / "pack" / name).read_bytes())
    assert [made.variant.name for made in import_variants(tmp_path)] == [names[0], *names]
    with zipfile.ZipFile(tmp_path / "empty.zip", "w") as archive:
        archive.writestr("a.txt", "")
    with pytest.raises(BadFile, match="no maps of another program are in it"):
        import_variants(tmp_path / "empty.zip")


def test_rules_in_words_and_in_code_become_mechanics(tmp_path: Path) -> None:
    """Where changed classes and the rules in words agree, transformations, slow builds and limited sight come over."""

    def change(**changes: Any) -> tuple[object, ...]:
        return changed(tmp_path, "webdip-facts", lambda data: data.update(changes)).variant.mechanics

    code = {"userOrderDiplomacy": ["typeCheck"], "processOrderDiplomacy": ["apply"]}
    assert change(overridden=code, rules_text="Units transform.") == (Transformation(places="centres"),)
    assert change(overridden=code, rules_text="Something else.") == ()
    code = {"adjudicatorBuilds": ["adjudicate"]}
    assert change(overridden=code, rules_text="Colonial builds are slow.") == (DelayedBuilds(),)
    assert change(overridden={"drawMapXML": ["panelMember"]}) == (Sight(),)


REFUSED = {
    '{"map": "standard", "phases": []}': "saved games of PyPI",
    '{"map": "a", "phases": []}\n{"map": "b", "phases": []}': "saved games of PyPI",
    '{"nations": [], "provinces": []}': "without borders",
    '{"nations": [], "provinces": [], "soloVictorySCCount": 3}': "drawing tool",
    '{"format": 1, "provinces": [], "edges": {}}': "a board of ours",
    "<svg/>": "a drawing",
    "<PROVINCES/>": "variants.xml that names it",
    "<a><b>": "not XML",
    "Adriatic Sea, w adr\nAlbania, l alb\n-1\nadr-xc: alb\n-1\n": "a map of njudge",
    "Dear all,\n": "no form of file that is imported here",
    "": "no form of file that is imported here",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_refusal_names_what_the_file_is(text: str, tmp_path: Path) -> None:
    """A file of a form that is known, but not imported, is called by its name."""
    path = tmp_path / "x"
    path.write_text(text)
    with pytest.raises(BadFile, match=REFUSED[text]):
        import_variants(path)


def test_a_missing_file_is_not_found(tmp_path: Path) -> None:
    """Neither a missing file nor a folder without a pack is a map."""
    for path in (tmp_path / "none.map", tmp_path):
        with pytest.raises(NotFound):
            import_variants(path)


def test_each_form_is_listed_once() -> None:
    """The list of forms has those that are read here, and nothing else."""
    assert [form.id for form in FORMS if form.drafts] == [*STRAIT, "adjacency"]
    games = ["saved-game", "godip-game", "diplicity-game", "webdip-game", "jdip-game", "judge-mail"]
    assert [form.id for form in FORMS if form.games] == games
    assert [form.id for form in FORMS if form.write_game] == ["saved-game", "json-lines"]
    assert [form.id for form in FORMS if form.write_variant] == ["dotmap", "dvar", "jdip"]


def test_names_of_places_on_a_coast() -> None:
    """A place on a coast is written as in the other forms."""
    board = only(DATA / STRAIT["webdip-facts"]).variant.board
    assert Location("COR", "NC") in board.location_index


@settings(max_examples=60, deadline=None)
@given(
    form=st.sampled_from(list(STRAIT)),
    cuts=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.binary(max_size=6)), min_size=1, max_size=4),
)
def test_mangled_files_raise_our_errors_only(
    form: str, cuts: list[tuple[float, int, bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever becomes of the bytes of a file, it is imported or refused."""
    folder = tmp_path_factory.mktemp("mangled")
    for beside in (DATA / STRAIT[form]).parent.iterdir():
        if beside.is_file():
            (folder / beside.name).write_bytes(beside.read_bytes())
    path = folder / Path(STRAIT[form]).name
    data = path.read_bytes()
    for at, length, put in cuts:
        place = int(at * len(data))
        data = data[:place] + put + data[place + length :]
    path.write_bytes(data)
    try:
        found = import_variants(path)
    except GamesmasterError:
        found = ()
    assert all(one.variant.powers for one in found)
