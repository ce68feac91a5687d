"""Agreeing to end a game, and powers without a player, from the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.game import Game, load, update
from tests.lengths import mark_long

from .conftest import Run

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
DRAWN = "Austria, England, France, Germany, Italy, Russia and Turkey share a draw."


def status_of(run: Run, file: Path) -> dict[str, Any]:
    """What `status --json` tells."""
    told: dict[str, Any] = json.loads(run("status", file, "--json").output)
    return told


def without_russia(game: Game) -> Game:
    """The game with Russia out of it."""
    position = game.position
    units = tuple(unit for unit in position if unit.power != "Russia")
    owners = {province: power for province, power in position.owners.items() if power != "Russia"}
    return replace(game, position=replace(position, units=units, owners=owners))


# -- draw ------------------------------------------------------------------------------------------------------------


def test_draws_are_agreed_one_by_one(run: Run, game: Path) -> None:
    """`draw` says who agrees and who has still to; when the last survivor agrees, the game is over (STD-2.b)."""
    result = run("draw", game, "france", "GERMANY")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "Agreed to a draw: France, Germany. Still to agree: Austria, England, Italy, Russia, Turkey.\n"
    )
    assert set(load(game).votes) == {"France", "Germany"}
    assert load(game).outcome is None
    others = [power for power in POWERS if power not in ("France", "Germany")]
    assert run("draw", game, *others).stdout == f"The game is over: {DRAWN}\n"
    assert run("status", game).output.splitlines()[1] == DRAWN


def test_agreeing_twice_is_agreeing_once(run: Run, game: Path) -> None:
    """A power named twice, or one that has agreed before, does not stand in the way of the end."""
    run("draw", game, "Turkey")
    result = run("draw", game, *POWERS, "Austria")
    assert result.exit_code == 0
    assert DRAWN in result.stdout


def test_draws_are_withdrawn(run: Run, game: Path) -> None:
    """With `--withdraw` a power no longer agrees; when none does, that is said."""
    run("draw", game, "France", "Germany")
    assert run("draw", game, "Germany", "--withdraw").stdout.startswith("Agreed to a draw: France. Still")
    assert run("draw", game, "France", "--withdraw").stdout == "Nobody has agreed to a draw.\n"
    assert load(game).votes == {}


def test_powers_out_of_the_game_are_not_asked(run: Run, game: Path) -> None:
    """A power with neither centres nor units has no vote and no share (STD-2.c)."""
    update(game, without_russia)
    result = run("draw", game, *POWERS)
    assert result.exit_code == 3
    assert "Russia is out of the game" in result.stderr
    result = run("draw", game, *(power for power in POWERS if power != "Russia"))
    assert "Germany, Italy and Turkey share a draw" in result.stdout


def test_votes_end_with_their_phase(run: Run, game: Path) -> None:
    """Votes are for the phase being played: when it is over, nobody has agreed to anything."""
    run("draw", game, "France")
    run("process", game)
    assert status_of(run, game)["votes"] == []


def test_an_end_is_taken_back(run: Run, game: Path) -> None:
    """`rollback` to the phase being played undoes an end that was agreed by mistake."""
    run("draw", game, *POWERS)
    assert run("rollback", game, "S1901M").exit_code == 0
    assert status_of(run, game)["outcome"] is None


# -- concede ---------------------------------------------------------------------------------------------------------


def test_concessions_are_agreed_by_all_others(run: Run, game: Path) -> None:
    """`concede` says who agrees that one power wins; its own vote is not asked for."""
    result = run("concede", game, "austria", "italy", "--to", "france")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "Agreed that France wins: Austria, Italy. Still to agree: England, Germany, Russia, Turkey.\n"
    )
    others = [power for power in POWERS if power != "France"]
    assert run("concede", game, *others, "--to", "France").stdout == "The game is over: France won by concession.\n"


def test_one_vote_a_power(run: Run, game: Path) -> None:
    """A new vote takes the place of the old one."""
    run("draw", game, "Austria", "Italy")
    run("concede", game, "Italy", "--to", "France")
    assert load(game).votes == {"Austria": POWERS, "Italy": ("France",)}


def test_concessions_are_withdrawn(run: Run, game: Path) -> None:
    """With `--withdraw` a power no longer agrees to that winner; a vote for another end is not touched."""
    run("concede", game, "Austria", "Italy", "--to", "France")
    assert run("concede", game, "Italy", "--to", "France", "--withdraw").stdout.startswith(
        "Agreed that France wins: Austria. Still"
    )
    before = game.read_bytes()
    for args, told in (
        (("draw", game, "Austria"), "Austria has not agreed to a draw"),
        (("concede", game, "Austria", "--to", "Turkey"), "Austria has not agreed that Turkey wins"),
    ):
        result = run(*args, "--withdraw")
        assert result.exit_code == 3
        assert told in result.stderr
    assert game.read_bytes() == before


# -- absent ----------------------------------------------------------------------------------------------------------


def test_players_go_and_come(run: Run, game: Path) -> None:
    """A power whose player is gone is in civil disorder and without orders until it has one again (STD-10.h)."""
    run("order", game, "Italy", "A Ven - Tri")
    result = run("absent", game, "italy", "Turkey")
    assert (result.exit_code, result.output) == (0, "In civil disorder: Italy, Turkey.\n")
    assert load(game).disorder == {"Italy", "Turkey"}
    assert load(game).orders == {}
    assert "Italy is in civil disorder" in run("order", game, "Italy", "A Ven H").stderr
    assert run("absent", game, "Italy", "--back").output == "With a player again: Italy.\n"
    assert load(game).disorder == {"Turkey"}
    assert run("order", game, "Italy", "A Ven H").exit_code == 0


def test_absent_players_are_not_asked(run: Run, game: Path) -> None:
    """A power in civil disorder hinders no draw, and shares in it (STD-2.b)."""
    run("absent", game, "Italy")
    result = run("draw", game, *(power for power in POWERS if power not in ("Italy", "Turkey")))
    assert result.stdout.endswith("Still to agree: Turkey.\n")
    assert DRAWN in run("draw", game, "Turkey").stdout


def test_the_last_who_had_to_agree_goes(run: Run, game: Path) -> None:
    """Votes are not counted anew when the last power to be asked is gone; it is said how the game ends."""
    run("draw", game, *POWERS[:-1])
    result = run("absent", game, "Turkey")
    assert result.stdout == "In civil disorder: Turkey.\n"
    assert result.stderr.startswith("note: Agreed to a draw: Austria, England, France, Germany, Italy, Russia. Nobody")
    assert load(game).outcome is None
    assert "the game ends when one of them votes again" in run("status", game).output
    assert DRAWN in run("draw", game, "Austria").stdout


# -- status ----------------------------------------------------------------------------------------------------------


def test_status_shows_the_votes(run: Run, game: Path) -> None:
    """`status` has a line for each end that somebody agrees to, and none where nobody does."""
    assert "gree" not in run("status", game).output
    run("concede", game, "Austria", "--to", "France")
    run("draw", game, "Russia", "Germany")
    run("absent", game, "Italy")
    assert run("status", game).output.splitlines()[-3:] == [
        "",
        "Agreed that France wins: Austria. Still to agree: England, Germany, Russia, Turkey.",
        "Agreed to a draw: Germany, Russia. Still to agree: Austria, England, France, Turkey.",
    ]


def test_votes_as_json(run: Run, game: Path) -> None:
    """`--json` of all three commands prints what `status --json` does: votes, civil disorder, outcome."""
    told = json.loads(run("concede", game, "Austria", "--to", "France", "--json").stdout)
    assert told["votes"] == [
        {"draw": False, "winners": ["France"], "agreed": ["Austria"],
         "missing": ["England", "Germany", "Italy", "Russia", "Turkey"]},
    ]  # fmt: skip
    told = json.loads(run("absent", game, "Italy", "--json").stdout)
    assert [p["power"] for p in told["powers"] if p["civil_disorder"]] == ["Italy"]
    assert told == status_of(run, game)
    told = json.loads(run("draw", game, *(power for power in POWERS if power != "Italy"), "--json").stdout)
    assert (told["outcome"], told["votes"]) == (DRAWN, [])


# -- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("draw", "Frence"), 3, "did you mean France?"),
        (("draw", "France", "Turkey"), 3, "Turkey is in civil disorder"),
        (("concede", "--to", "France"), 2, "Missing argument"),
        (("concede", "Italy", "--to", "Frence"), 3, "did you mean France?"),
        (("absent", "Italy", "Frence"), 3, "did you mean France?"),
        *mark_long(
            [
                (("draw",), 2, "Missing argument"),
                (("draw", "France", "Itly"), 3, "did you mean Italy?"),
                (("draw", *POWERS), 3, "Turkey is in civil disorder"),
                (("draw", "England", "France", "--withdraw"), 3, "France has not agreed to a draw"),
                (("draw", "France", "--json", "--withdarw"), 2, "--withdraw"),
                (("concede", "France"), 2, "Missing option '--to'"),
                (("concede", "Itly", "--to", "France"), 3, "did you mean Italy?"),
                (("concede", "Italy", "France", "--to", "France"), 3, "France cannot concede to itself"),
                (("concede", "Turkey", "--to", "France"), 3, "Turkey is in civil disorder"),
                (("absent",), 2, "Missing argument"),
                (("absent", "Turkey", "Italy", "--back"), 3, "Italy is not in civil disorder"),
            ]
        ),
    ],
)
def test_bad_votes(run: Run, game: Path, args: tuple[str, ...], code: int, told: str) -> None:
    """What cannot be noted of every power named is noted of none, and the reason is told."""
    run("absent", game, "Turkey")
    run("draw", game, "England")
    before = game.read_bytes()
    command, *rest = args
    result = run(command, game, *rest)
    assert result.exit_code == code
    assert result.stdout == ""
    assert told in " ".join(result.stderr.replace("│", " ").split())
    assert game.read_bytes() == before


@pytest.mark.parametrize(
    "args",
    [("draw", "France"), ("draw", "France", "--withdraw"), ("concede", "Italy", "--to", "France"), ("absent", "Italy")],
)
def test_nothing_is_agreed_after_the_end(run: Run, game: Path, args: tuple[str, ...]) -> None:
    """In a game that is over nobody votes, and nobody goes."""
    run("draw", game, *POWERS)
    command, *rest = args
    result = run(command, game, *rest)
    assert result.exit_code == 3
    assert f"the game is over: {DRAWN}" in result.stderr


@pytest.mark.parametrize("args", [("draw", "France"), ("concede", "Italy", "--to", "France"), ("absent", "Italy")])
def test_files_that_are_no_games(run: Run, args: tuple[str, ...]) -> None:
    """A file that is missing, or no record, is told by its name."""
    Path("bad.json").write_text("{}", encoding="utf-8")
    command, *rest = args
    for name, told in (("none.json", "no file"), ("bad.json", "missing")):
        result = run(command, name, *rest)
        assert result.exit_code == 3
        assert told in result.stderr
        assert name in result.stderr
