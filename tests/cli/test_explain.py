"""Asking a game why, and what may be ordered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gamesmaster.cli.app import app

from .conftest import SEED, Run

pytestmark = pytest.mark.together


@pytest.fixture(scope="module")
def two_phases(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a game after two phases: in the first two units bounce, in the second nothing fails."""
    game = str(tmp_path_factory.mktemp("played") / "winter.json")
    for args in (
        ["new", game, "--seed", SEED],
        ["order", game, "France", "A Par - Bur", "F Bre - Spa/nc", "A Mar S A Par - Bur"],
        ["order", game, "Germany", "A Mun - Bur", "F Kie - Den"],
        ["order", game, "Italy", "A Ven - Pie"],
        ["process", game],
        ["order", game, "France", "A Bur H"],
        ["process", game],
    ):
        assert CliRunner().invoke(app, args).exit_code == 0
    return Path(game).read_bytes()


@pytest.fixture
def played(two_phases: bytes, run: Run, tmp_path: Path) -> Path:
    """That game, in the folder of a test."""
    (tmp_path / "winter.json").write_bytes(two_phases)
    return tmp_path / "winter.json"


@pytest.mark.parametrize("what", ["A Mun - Bur", "A Mun", "mun", "Munich", "A Munich - Burgundy"])
def test_why_an_order_failed(run: Run, played: Path, what: str) -> None:
    """An order, its unit or its place ask the same; told are result, reason, strengths, and the clause in words."""
    result = run("explain", played, what, "--phase", "S1901M")
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "Spring 1901 Movement (S1901M)",
        "",
        "Germany: A Mun - Bur",
        "  bounces: it is stood off by A Par (France) (1 against 2)",
        "  STD-6.a: A unit has strength one, plus one for each support that counts. Units trying for the same",
        "    province with equal greatest strength stand each other off: none of them moves.",
    ]


def test_why_of_a_whole_power(run: Run, played: Path) -> None:
    """A power's name asks about each of its orders and units."""
    data = json.loads(run("explain", played, "france", "--phase", "S1901M", "--json").output)
    assert data["phase"] == "S1901M"
    assert [(o["order"], o["result"], o["unit"]) for o in data["orders"]] == [
        ("A Par - Bur", "succeeds", "A PAR"),
        ("F Bre - Spa/nc", "void", "F BRE"),
        ("A Mar S A Par - Bur", "succeeds", "A MAR"),
    ]
    assert data["orders"][0]["rule"].startswith("One unit to a province")


def test_units_without_orders_are_explained(run: Run, played: Path) -> None:
    """Asking about a unit that had no order says so (STD-4.c)."""
    assert (
        "has no order and holds"
        in run("explain", played, "A Bur S A Par").output + run("explain", played, "Rom").output
    )


def test_without_a_question_all_is_explained(run: Run, played: Path) -> None:
    """Without a question every order and unit of the last phase is explained."""
    output = run("explain", played).output
    assert output.startswith("Fall 1901 Movement (F1901M)")
    assert output.count("it has no order and holds") == 21
    assert run("explain", played, "--limit", "3").output.count("\n\n") == 3


def test_only_failures(run: Run, played: Path) -> None:
    """`--failed` asks about orders that did not succeed; without a phase, in the last phase that has any."""
    data = json.loads(run("explain", played, "--failed", "--json").output)
    assert (data["phase"], [o["order"] for o in data["orders"]]) == ("S1901M", ["F Bre - Spa/nc", "A Mun - Bur"])
    assert "Nothing failed." in run("explain", played, "--failed", "--phase", "F1901M").output
    assert "Nothing failed." in run("explain", played, "Italy", "--failed").output
    assert json.loads(run("explain", played, "A Mun", "--failed", "--json").output)["orders"][0]["power"] == "Germany"


def test_clauses_of_the_datc_are_explained(run: Run, game: Path) -> None:
    """Where a choice of the rulebook decided, the question is told with the answer of this game."""
    run("new", "strict.json", "--rulebook", "4.C.2=a")
    run("order", "strict.json", "France", "F Par - Bur")
    run("process", "strict.json")
    output = " ".join(run("explain", "strict.json", "Par").output.split())
    assert "DATC 4.C.2: An order says army for a fleet, or the reverse. Here: void." in output


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("Frence",), 3, "did you mean France"),
        (("Bugandy",), 3, "did you mean Burgundy"),
        (("Waive",), 3, "no order, unit or power 'Waive'"),
        (("Gulf of Lyon",), 3, "nothing was ordered for Gulf of Lyon in F1901M"),
        (("--phase", "S1905M"), 3, "S1905M is not over"),
        (("--limit", "-1"), 2, "--limit"),
    ],
)
def test_bad_questions(run: Run, played: Path, args: tuple[str, ...], code: int, told: str) -> None:
    """A question about what is not there is answered with the nearest right thing."""
    result = run("explain", played, *args)
    assert result.exit_code == code
    assert told in " ".join(result.stderr.replace("│", " ").split())


def test_nothing_to_explain_yet(run: Run, game: Path) -> None:
    """Before the first phase is over there is nothing to explain."""
    result = run("explain", game)
    assert result.exit_code == 3
    assert "no phase is over yet" in result.stderr


# -- legal -----------------------------------------------------------------------------------------------------------


def test_legal_orders_of_a_unit(run: Run, game: Path) -> None:
    """`legal` lists what a unit may be ordered."""
    result = run("legal", game, "F Bre")
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "France",
        "  F Bre H",
        "  F Bre - Eng",
        "  F Bre - Gas",
        "  F Bre - Mao",
        "  F Bre - Pic",
        "  F Bre S F Lon - Eng",
        "  F Bre S A Mar - Gas",
        "  F Bre S A Par - Gas",
        "  F Bre S A Par - Pic",
    ]


def test_legal_orders_of_powers(run: Run, game: Path) -> None:
    """`legal` lists those of a power, or of all."""
    one = json.loads(run("legal", game, "france", "--json").output)
    assert list(one) == ["France"]
    assert {order.split()[1] for order in one["France"]} == {"Bre", "Mar", "Par"}
    every = json.loads(run("legal", game, "--json").output)
    assert len(every) == 7
    assert every["France"] == one["France"]


def test_legal_orders_as_a_tree(run: Run, game: Path) -> None:
    """`--tree` gives them as choices within choices, indented or as JSON."""
    tree = json.loads(run("legal", game, "Bre", "--tree", "--json").output)["France"]
    assert tree["F BRE"]["support"]["A PAR"] == {"GAS": "F Bre S A Par - Gas", "PIC": "F Bre S A Par - Pic"}
    lines = run("legal", game, "Bre", "--tree").output.splitlines()
    assert lines[:4] == ["France", "  F BRE", "    hold: F Bre H", "    move"]
    assert "        GAS: F Bre S A Par - Gas" in lines


def test_legal_orders_of_later_phases(run: Run, game: Path) -> None:
    """In a Winter builds are listed; a power with nothing to order has an empty list."""
    run("order", game, "Austria", "A Bud - Ser")
    run("process", game)
    run("order", game, "Austria", "A Ser H", "A Vie H")
    run("process", game)
    assert json.loads(run("legal", game, "austria", "--json").output) == {"Austria": ["Build A Bud", "Waive"]}
    assert json.loads(run("legal", game, "italy", "--json").output) == {"Italy": []}
    assert list(json.loads(run("legal", game, "--json").output)) == ["Austria"]


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("Frence", "did you mean France"),
        ("A Bugandy", "did you mean Burgundy"),
        ("Bur", "no unit to be ordered in Burgundy"),
    ],
)
def test_nothing_legal(run: Run, game: Path, what: str, told: str) -> None:
    """A unit or power that is not there is told, with the nearest."""
    result = run("legal", game, what)
    assert result.exit_code == 3
    assert told in result.stderr
