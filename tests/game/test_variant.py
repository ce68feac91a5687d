"""Variants: the standard one, folders read and refused, and what a digest depends on."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.board import Location
from gamesmaster.errors import BadBoard, BadFile, NotFound
from gamesmaster.game import Game
from gamesmaster.judge import adjudicate
from gamesmaster.mechanics.elimination import Anarchy
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import BuildSites, Cause, Rules
from gamesmaster.variant import Power, Victory, find_rules_text, find_variant, lint_variant, read_variant, variant_names
from gamesmaster.variant.sources import file_of, shelf, variant_data
from tests.effort import calls_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/board-files.md").read_text()
BOARD = PAGE.split("```json\n")[1].split("```")[0]
TOML = PAGE.split("```toml\n")[1].split("```")[0]
Folder = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """The variant of docs/board-files.md in a folder, its TOML changed by replacing texts."""

    def written(*changes: tuple[str, str], board: str = BOARD) -> Path:
        text = TOML
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "variant.toml").write_text(text)
        (tmp_path / "board.json").write_text(board)
        return tmp_path

    return written


def test_the_standard_powers() -> None:
    """Seven powers with their home provinces, home centres and units (STD-1.a, STD-1.b)."""
    standard = find_variant("standard")
    assert [p.name for p in standard.powers] == ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"]
    assert standard.power("russia") == Power(
        name="Russia",
        adjective="Russian",
        homes=("MOS", "SEV", "STP", "WAR"),
        provinces=("FIN", "LVN", "MOS", "SEV", "STP", "UKR", "WAR"),
        units=("A MOS", "F SEV", "F STP/SC", "A WAR"),
    )
    assert standard.homes["Turkey"] == ("ANK", "CON", "SMY")
    assert sum(len(p.provinces) for p in standard.powers) == 42
    with pytest.raises(NotFound, match=r"no power 'Prussia' in Diplomacy \(did you mean Russia\?\)"):
        standard.power("Prussia")


def test_the_standard_start() -> None:
    """22 units stand on 22 home centres, which their powers own; twelve centres are neutral (STD-1.c)."""
    standard = find_variant("standard")
    assert standard.start.problems(standard.board) == []
    assert len(standard.start.units) == len(standard.start.owners) == 22
    assert {unit.at.province: unit.power for unit in standard.start} == dict(standard.start.owners)
    assert len(set(standard.board.centres) - set(standard.start.owners)) == 12
    fleet = standard.start.at("STP")
    assert fleet is not None
    assert (fleet.kind, fleet.at) == ("F", Location("STP", "SC"))


def test_the_standard_end_and_builds() -> None:
    """18 centres win (STD-2.a); builds stand in own home centres (STD-10.c)."""
    standard = find_variant("standard")
    assert standard.victory == Victory(18, "centres")
    assert standard.build_sites is BuildSites.OWN_HOMES
    assert lint_variant(standard) == []


def test_the_judge_can_use_it() -> None:
    """A variant is all that the judge's rules ask for."""
    rules = Rules.of(find_variant("standard"))
    assert rules.homes["France"] == ("BRE", "MAR", "PAR")
    assert "GAS" in rules.home_provinces["France"]


def test_variants_are_found_by_id() -> None:
    """The package's variants are listed and found in any case, read once; a slip is answered with the nearest."""
    assert "standard" in variant_names()
    assert all(find_variant(name).id == name for name in variant_names())
    assert find_variant("STANDARD") is find_variant("standard")
    with pytest.raises(NotFound, match="did you mean standard"):
        find_variant("standart")
    with pytest.raises(NotFound, match=r"known: .*standard"):
        find_variant("../" * 1000)


def test_every_variant_has_its_rules_and_scenarios() -> None:
    """Each variant has a page of rules, and each clause a scenario tells of stands on it or on the regular one."""
    for name in variant_names():
        known = {clause.id for book in (name, "standard") for clause in find_rules_text(book).clauses}
        cases = json.loads(file_of(shelf() / name, "scenarios.json").read_text(encoding="utf-8"))
        told = {clause for case in cases for clause in case["clauses"]}
        assert told
        assert told <= known


def test_the_pages_example(folder: Folder) -> None:
    """The variant of docs/board-files.md reads, and the linter finds only what the page means to show."""
    variant = read_variant(folder())
    assert (variant.id, variant.rulebook) == ("strait", "datc")
    assert [str(unit) for unit in variant.start] == ["F LON", "A PAR"]
    assert dict(variant.start.owners) == {"LON": "England", "PAR": "France"}
    assert variant.calendar.name(variant.calendar.first) == "Spring 1340 Movement"
    assert lint_variant(variant) == []


def test_the_pages_program(folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The program on docs/board-files.md runs and finds nothing; a slip is told in the words that the page quotes."""
    where = folder()
    monkeypatch.chdir(where)
    Path("strait").symlink_to(".")
    exec(PAGE.split("```python\n")[1].split("```")[0], {})
    assert capsys.readouterr().out == ""
    folder(board=BOARD.replace('[["CAL", "NMY"]', '[["NMY", "CALL"]'))
    with pytest.raises(BadBoard) as caught:
        read_variant(Path("strait"))
    assert f"`{caught.value}`" in PAGE


def test_homes_and_centres_may_be_listed(folder: Folder) -> None:
    """A power's homes need not be those the board marks, nor what it owns at the start its homes."""
    listed = ('adjective = "English"', 'adjective = "English"\nhomes = ["LON", "CAL"]\ncentres = []')
    variant = read_variant(folder(listed))
    assert variant.homes["England"] == ("LON", "CAL")
    assert variant.start.centres("England") == ()
    assert variant.start.centres("France") == ("PAR",)


def test_a_rulebook_may_be_choices(folder: Folder) -> None:
    """A preset with single choices overridden is kept as given, for the judge to read."""
    variant = read_variant(folder(('"datc"', '{ preset = "1971", coastal_crawl = true }')))
    assert variant.rulebook == {"preset": "1971", "coastal_crawl": True}
    assert Rules.of(variant).rulebook.coastal_crawl == "allowed"


def test_the_calendar_may_begin_elsewhere(folder: Folder) -> None:
    """`first_phase` names where the game begins, `letter` and `years` what a phase is called and when it falls."""
    decade = ("years_per_turn = 1 ", "years_per_turn = 10")
    assert read_variant(folder()).calendar.first.code == "S1340M"
    begun = read_variant(folder(decade, ("first_year = 1340", 'first_phase = "Winter 1340"\nfirst_year = 1340')))
    assert begun.calendar.first.code == "W1340A"
    assert begun.calendar.next(begun.calendar.first).code == "S1350M"
    lettered = read_variant(folder(('"Winter", ', '"Winter", letter = "X", ')))
    assert lettered.calendar.read("Winter 1340").code == "X1340A"


def test_a_digest_depends_on_what_the_rules_depend_on(folder: Folder) -> None:
    """Layout and comments leave the digest as it is; a border, a unit or the rulebook changes it."""
    digest = read_variant(folder()).digest
    assert len(digest) == 64
    assert read_variant(folder(("# 500", "#   501"), board=json.dumps(json.loads(BOARD), indent=8))).digest == digest
    others = {
        read_variant(folder(('"A PAR"', '"A NMY"'))).digest,
        read_variant(folder(('"datc"', '"1971"'))).digest,
        read_variant(folder(board=BOARD.replace('["CAL", "PAR"], ', ""))).digest,
    }
    assert len(others | {digest}) == 4


def test_clauses_of_its_own_are_cited(folder: Folder) -> None:
    """Rulings and events cite the clauses that the variant names, the usual ones otherwise; the digest stays."""
    own = 'clauses.orders.came = "STR-6.a"\nclauses.events.takes = "STR-6.b"'
    plain, named = read_variant(folder()), read_variant(folder(('"datc"', f'"datc"\n{own}')))
    assert named.digest == plain.digest
    for variant, came in ((plain, "STD-5.a"), (named, "STR-6.a")):
        orders = {"England": ["F LON - DOV"], "France": ["A PAR - NMY", "A CAL - PAR"]}
        rulings = adjudicate(Rules.of(variant), PhaseKind.MOVEMENT, variant.start, orders).rulings
        assert [ruling.clause for ruling in rulings[:3]] == [came, came, "STD-4.b"]
    assert named.clauses.event("takes").clause == "STR-6.b"


@pytest.mark.parametrize("name", variant_names())
def test_clauses_of_the_package_are_there(name: str) -> None:
    """What a variant of the package says that it cites stands in its rulebook."""
    told: Any = variant_data(shelf() / name).get("clauses", {})
    known = {clause.id for book in (name, "standard") for clause in find_rules_text(book).clauses}
    assert {clause for table in told.values() for clause in table.values()} <= known


def test_a_reason_may_have_words_of_its_own(folder: Folder) -> None:
    """A saying has a clause and words; `{by}` stands for who stopped it, and nothing else may be filled in."""
    own = 'clauses.orders.stood_off = { clause = "STR-6.a", says = "meets {by} and turns back" }'
    named = read_variant(folder(('"datc"', f'"datc"\n{own}')))
    assert named.clauses.words(Cause.STOOD_OFF) == "meets {by} and turns back"
    assert named.clauses.of(Cause.STOOD_OFF) == "STR-6.a"
    with pytest.raises(BadFile, match="clauses"):
        read_variant(folder(('"datc"', f'"datc"\n{own.replace("{by}", "{board}")}')))


FAULTS = {
    "unknown key": ('name = "The Strait"', 'nam = "x"\nname = "The Strait"', "$.nam: ", "did you mean name?"),
    "missing key": ('id = "strait"', "", "$.id: ", "missing"),
    "id": ('"strait"', '"../strait"', "$.id: ", "pattern"),
    "format": ("format = 1", "format = 2", "$.format: ", "1"),
    "wrong type": ("centres = 2", "centres = 2.0", "$.victory.centres: ", "integer"),
    "not a number": ("centres = 2", "centres = nan", "$.victory.centres: ", "integer"),
    "a date": ("centres = 2", "centres = 1340-01-01", "$.victory.centres: ", "integer"),
    "no centres to win": ("centres = 2", "centres = 0", "$.victory.centres: ", "greater"),
    "what counts": ('count = "centres"', 'count = "armies"', "$.victory.count: ", "'units'"),
    "cause": (
        '"own home centers"', '"own home centers"\nclauses.orders.stod_off = "STR-6.a"', "$.clauses.orders: ",
        "no cause or event 'stod_off' (did you mean stood_off?)"),
    "event": (
        '"own home centers"', '"own home centers"\nclauses.events.stood_off = "STR-6.a"', "$.clauses.events: ",
        "no cause or event 'stood_off'"),
    "clause": (
        '"own home centers"', '"own home centers"\nclauses.events.takes = "6.a"', "$.clauses.events.takes: ",
        "pattern"),
    "build sites": ('"own home centers"', '"own home centres"', "$.build_sites: ", "did you mean own home centers?"),
    "kind of phase": ('"retreats", also = ["Summer"]', '"retreat"', "$.calendar.phases[1].kind: ", "mean retreats?"),
    "season": ('"Winter"', '"Winter 1"', "$.calendar.phases[4].season: ", "pattern"),
    "same phase twice": ('"Fall", kind = "movement"', '"Spring", kind = "movement"', "$.calendar: ", "same name"),
    "no way forward": ("years_per_turn = 1 ", "years_per_turn = 0 ", "$.calendar.years_per_turn: ", "greater"),
    "first phase": (
        "first_year = 1340", 'first_year = 1340\nfirst_phase = "Witner 1340"', "$.calendar.first_phase: ", "Winter?"),
    "first phase later": (
        "first_year = 1340", 'first_year = 1340\nfirst_phase = "W1341A"', "$.calendar.first_phase: ", "turn of 1340"),
    "rulebook": ('"datc"', '"dact"', "$.rulebook: ", "did you mean datc?"),
    "rule choice": ('"datc"', '{ convoy_pardox = "1971" }', "$.rulebook: ", "did you mean convoy_paradox?"),
    "rulebook of another type": ('"datc"', "1971", "$.rulebook: ", "string"),
    "no such place": ('"A PAR"', '"A PRA"', "$.powers[1].units[0]: ", "did you mean PAR?"),
    "no such kind": ('"A PAR"', '"W PAR"', "$.powers[1].units[0]: ", "known: A, F"),
    "no unit": ('"A PAR"', '"army PAR"', "$.powers[1].units[0]: ", "pattern"),
    "no such home": ('"French"', '"French"\nhomes = ["CAI"]', "$.powers[1].homes[0]: ", "did you mean CAL?"),
    "two owners": ('"French"', '"French"\ncentres = ["LON"]', "$.powers[1]: ", "in the hands of England already"),
    "power twice": ('name = "France"', 'name = "england"', "$.powers[1].name: ", "listed twice"),
    "no TOML": ("[victory]", "[victory", "not TOML", "line"),
    "key twice": ("format = 1", "format = 1\nformat = 1", "not TOML", "line 2"),
    "endless number": ("format = 1", "format = 0x" + "f" * 400, "$.format: ", "exceeded"),
    "long line": ("format = 1", "format = 1 #" + "#" * 500, "line 1: ", "500 characters"),
    "deep nesting": ("format = 1", "format = " + "[\n" * 5_000, "nested too deep", ""),
    "too large": ("format = 1", "#" + "#\n" * 40_000, "larger than 65,536 bytes", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_named_with_its_place(folder: Folder, name: str) -> None:
    """A variant that breaks the format or does not fit its board is refused with file, key and what would be right."""
    old, new, place, words = FAULTS[name]
    where = folder((old, new))
    with pytest.raises(BadFile) as caught:
        read_variant(where)
    said = str(caught.value)
    assert said.startswith(str(where / "variant.toml"))
    assert place in said
    assert words in said.partition(place)[2]
    assert len(said) < 600


def test_five_hundred_powers_are_refused(folder: Folder) -> None:
    """A hundred powers is the most that a file may name."""
    crowd = "\n".join(f'[[powers]]\nname = "P{n}"' for n in range(500))
    with pytest.raises(BadFile, match=r"\$\.powers: .*at most 100"):
        read_variant(folder(('units = ["A PAR"]', crowd)))


def test_missing_and_unreadable_files(folder: Folder, tmp_path: Path) -> None:
    """A missing file is not found by name; bytes that are no UTF-8 are refused; a bad board is a bad board."""
    where = folder()
    with pytest.raises(BadBoard, match=r"board\.json, \$\.provinces"):
        read_variant(folder(board=BOARD.replace('"inland"', '"island"')))
    (where / "board.json").unlink()
    with pytest.raises(NotFound, match=r"no file .*board\.json"):
        read_variant(where)
    (where / "variant.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadFile, match="not TOML: 'utf-8' codec"):
        read_variant(where)
    with pytest.raises(NotFound, match=r"no file .*variant\.toml"):
        read_variant(tmp_path / "nowhere")


def test_keys_of_very_many_parts_are_read_with_bounded_work(folder: Folder) -> None:
    """The costliest TOML that fits the bounds is refused after some calls for each of its parts."""
    key = ".".join("a" * 240)
    where = folder(("format = 1", "format = 1\n" + "\n".join(f"x{n}.{key} = 1" for n in range(120))))
    with pytest.raises(BadFile, match="not known here"):
        read_variant(where)
    assert calls_of(lambda: read_variant(where)) < 50 * 120 * 240


def test_names_are_no_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder may be named by a text; the name of a packaged variant leads to the right function."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFound, match=r"no folder standard \(find_variant\('standard'\) finds the package's own\)"):
        read_variant("standard")
    shutil.copytree(Path(str(files("gamesmaster.variants"))) / "standard", tmp_path / "standard")
    assert read_variant("standard") == find_variant("standard")
    with pytest.raises(TypeError, match="expected a Variant, as find_variant finds it, not 'standard'"):
        Game.start("standard", seed=bytes(32))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a seed of bytes, as new_seed\\(\\) draws it, not 5"):
        Game.start(find_variant("standard"), seed=5)  # type: ignore[arg-type]


def test_what_is_changed_in_a_program_is_told_apart_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Variants made of one in a program have its digest: their mechanics count, and boards are compared last."""
    standard = find_variant("standard")
    made = replace(standard, mechanics=(Anarchy(2),))
    again = replace(standard, mechanics=(Anarchy(2),), board=replace(standard.board))
    assert made.digest == standard.digest
    assert hash(made) != hash(standard)
    assert made == again
    assert hash(made) == hash(again)
    assert standard.board == again.board is not standard.board
    monkeypatch.setattr(type(standard.board), "__eq__", lambda *_: pytest.fail("boards take long to compare"))
    assert replace(again, mechanics=(Anarchy(3),)) != made
