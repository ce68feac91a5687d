"""A mechanic that comes from a package of its own is found, plays, and tells its reasons, without a word in ours."""

import os
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from zipfile import ZipFile

import pytest

from gamesmaster.errors import BadFile, GamesmasterError
from gamesmaster.mechanics import MECHANICS, Taboo, make_mechanic, mechanic
from gamesmaster.mechanics.registry import Registry
from gamesmaster.rules import Mechanic

EXAMPLES = Path(__file__).parents[2] / "examples"

MAIN = "from gamesmaster.cli import main; main()"

PLAYED = """
import sys
from gamesmaster.game import Game, dumps, loads, report
from gamesmaster.variant import read_variant
from gamesmaster.mechanics import MECHANICS

assert not any("floods" in name for name in sys.modules)  # nothing is loaded before it is wanted
variant = read_variant(sys.argv[1])
game = Game.start(variant, seed=bytes(32))
game = game.submit("Ash", ["A Dal - Nec"]).process()
print(report(game), *game.ledger.summary["Floods"])
game = game.submit("Cedar", ["A Gar - Fen"]).submit("Ash", ["F Ayr H"]).process()
print(report(game))
again = loads(dumps(game))
print(again.position == game.position, [e.kind.value for r in again.records for e in r.events if e.province == "NEC"])
print("floods" in MECHANICS, sorted(MECHANICS) == list(MECHANICS), MECHANICS["floods"].__module__)
"""


DIKED = """
import sys
from gamesmaster.game import Game, dumps, loads, report
from gamesmaster.judge import legal_orders, order_tree
from gamesmaster.rules import Result
from gamesmaster.orders import AnyVerb
from gamesmaster.pictures import order_key
from gamesmaster.players import find_player, play
from gamesmaster.variant import read_variant

variant = read_variant(sys.argv[1])
game = Game.start(variant, seed=bytes(32))
dal = next(unit for unit in game.position.units if str(unit) == "A DAL")
listed = legal_orders(game.rules, game.position, dal)
print([game.rules.notation.write(order) for order in listed if order.verb.value == "dike"])
print(order_tree(game.rules.notation, listed)["A DAL"]["dike"])
game = game.submit("Ash", ["A Dale dikes at Neck"]).submit("Birch", ["F Bra dikes Nec"])
game = game.submit("Cedar", ["A Gar dikes Gar"]).process()
print(report(game), *game.ledger.summary["Dikes"])
ruling = next(r for r in game.adjudication(game.records[-1]).rulings if r.result is Result.SUCCEEDS)
print([row.label for row in order_key("light", "wide", [ruling])], ruling.unit, ruling.order.verb.phrase.says)
game = game.submit("Ash", ["A Dal - Nec"]).process()
print(report(game))
again = loads(dumps(game))
print(again.position == game.position, any(str(unit) == "A NEC" for unit in game.position.units))
match = play(variant, [find_player("random")] * 3, seed=1, until=3)
rulings = [ruling for record in match.game.records for ruling in match.game.adjudication(record).rulings]
print(any(ruling.order and ruling.order.verb.value == "dike" for ruling in rulings))
"""


def wheel(project: Path, folder: Path) -> Path:
    """The wheel of a project of Python files alone, made as its `pyproject.toml` says, without a build backend."""
    told = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    name, version = told["project"]["name"].replace("-", "_"), told["project"]["version"]
    info, groups = f"{name}-{version}.dist-info", told["project"]["entry-points"]
    entries = [
        line
        for group, points in groups.items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in points.items()))
    ]
    made = folder / f"{name}-{version}-py3-none-any.whl"
    with ZipFile(made, "w") as archive:
        for package in told["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
            for file in sorted(one for one in (project / package).rglob("*.*") if one.is_file()):
                archive.write(file, file.relative_to(project).as_posix())
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {told['project']['name']}\nVersion: {version}\n"
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/entry_points.txt", "\n".join(entries))
        archive.writestr(f"{info}/RECORD", "")
    return made


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the example package is installed, without a network."""
    folder = tmp_path_factory.mktemp("site")
    built = wheel(EXAMPLES / "floods", tmp_path_factory.mktemp("wheel"))
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", str(folder)]
    subprocess.run([*pip, str(built)], check=True, timeout=120)
    return folder


def run(installed: Path, *arguments: str) -> str:
    """What Python prints with the package installed."""
    paths = os.pathsep.join([str(installed), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_mechanic_is_played(installed: Path) -> None:
    """Its variant is read, a game played, reported, saved and loaded: causes, events and clauses are its own."""
    told = " ".join(run(installed, "-c", PLAYED, str(EXAMPLES / "flooded")).split())
    assert "Neck is flooded, and Ash's army there is lost. [FLD-1.a]" in told
    assert "leads to a place that is under water" in told
    assert "FLD-1.b" in told
    assert "Neck is under water" in told
    assert told.endswith("True ['flooded'] True True floods")


def test_an_installed_mechanic_has_a_verb(installed: Path) -> None:
    """Its verb is read, offered, printed, drawn, ruled upon, played by bots, and told of, without a word in ours."""
    told = " ".join(run(installed, "-c", DIKED, str(EXAMPLES / "flooded")).split())
    assert "['A Dal dikes Nec'] {'NEC': 'A Dal dikes Nec'}" in told
    assert "A Dal dikes Nec" in told
    assert "raises a dike [FLD-2.a]" in told
    assert "is for a fleet, which raises no dikes" in told
    assert "is for a place that is never under water" in told
    assert "Neck has a dike" in told
    assert "['raises a dike'] A DAL Raise a dike at {goal}" in told
    assert "Ash's dike keeps Neck dry. [FLD-2.b]" in told
    assert "leads to a place that is under water" not in told
    assert told.endswith("True True True")


def test_an_installed_mechanic_passes_the_checks(installed: Path) -> None:
    """The linter knows its parameters, and the conformance suite plays it."""
    assert "0 errors, 0 warnings" in run(installed, "-c", MAIN, "variant", "lint", str(EXAMPLES / "flooded"))
    run(installed, "-c", MAIN, "variant", "check", str(EXAMPLES / "flooded"), "--phases", "40")


def test_a_mechanic_that_is_not_installed_is_named() -> None:
    """Without the package the variant cannot be read, and the table that asks for it is named."""
    with pytest.raises(BadFile, match="no mechanic 'floods'"):
        make_mechanic({"name": "floods"}, "mechanics[0]")


# -- the registry ----------------------------------------------------------------------------------------------------


def test_a_name_is_for_one_mechanic() -> None:
    """Another class of the same name is refused; the same one, loaded anew, is not."""
    with pytest.raises(ValueError, match=r"a mechanic 'taboo' already, gamesmaster\.mechanics\.taboo\.Taboo"):
        mechanic("taboo")(type("Other", (Mechanic,), {}))
    assert mechanic("taboo")(Taboo) is MECHANICS["taboo"] is Taboo
    assert list(MECHANICS) == sorted(MECHANICS)
    assert len(MECHANICS) == len(list(MECHANICS))


def test_a_package_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong with a package stops nobody but those who ask for its mechanic, and says which it is."""
    entry = EntryPoint("broken", "there.is.none:Such", "gamesmaster.mechanics")
    monkeypatch.setattr("gamesmaster.mechanics.registry.brought", lambda group: {"broken": entry})
    registry = Registry()
    assert "broken" in registry
    with pytest.raises(GamesmasterError, match="the mechanic 'broken' cannot be loaded: No module named 'there'"):
        registry["broken"]
    with pytest.raises(KeyError):
        registry["other"]
