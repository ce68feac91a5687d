"""Playing a game from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamesmaster.cli import console
from gamesmaster.game import Game, load

from .conftest import SEED, Run


def of(file: Path) -> Game:
    """The game in a file."""
    return load(file)


# -- new -------------------------------------------------------------------------------------------------------------


def test_a_game_begins(run: Run, tmp_path: Path) -> None:
    """`new` makes a record at the variant's first phase, and says the seed's hash but not the seed."""
    result = run("new", "winter.json", "--seed", SEED)
    assert result.exit_code == 0
    assert "Spring 1901" in result.output
    assert of(tmp_path / "winter.json").dice.commitment in result.output
    assert SEED not in result.output


def test_seeds_are_drawn(run: Run, tmp_path: Path) -> None:
    """Without `--seed` every game has a seed of its own."""
    run("new", "a.json")
    run("new", "b.json")
    assert of(tmp_path / "a.json").seed != of(tmp_path / "b.json").seed


def test_players_are_seated(run: Run, tmp_path: Path) -> None:
    """Players take the powers they name, or are dealt by lot."""
    assert run("new", "a.json", "France=Ann", "germany = Bob").exit_code == 0
    assert of(tmp_path / "a.json").players == {"France": "Ann", "Germany": "Bob"}
    result = run("new", "b.json", *"ABCDEFG", "--json")
    players = json.loads(result.output)["players"]
    assert sorted(players.values()) == list("ABCDEFG")
    assert players == of(tmp_path / "b.json").players


def test_rulebooks_are_chosen(run: Run, tmp_path: Path) -> None:
    """`--rulebook` takes a preset, choices by name or number, or both."""
    run("new", "a.json", "--rulebook", "1971, 4.D.8 = c, convoy_paradox=szykman")
    book = of(tmp_path / "a.json").rulebook
    assert (book.multi_route_convoy, book.default_removal, book.convoy_paradox) == (
        "every_route_must_survive",
        "nearest_owned_centre",
        "szykman",
    )


def test_variants_of_ones_own_lie_beside_the_game(run: Run, tmp_path: Path) -> None:
    """A variant in a folder beside the game's file can be played like those of the package."""
    import gamesmaster.variants

    home = Path(gamesmaster.variants.__file__).parent / "standard"
    (tmp_path / "mine").mkdir()
    for name in ("board.json", "variant.toml"):
        text = (home / name).read_text(encoding="utf-8").replace('id = "standard"', 'id = "mine"')
        (tmp_path / "mine" / name).write_text(text, encoding="utf-8")
    assert run("new", "own.json", "--variant", "mine").exit_code == 0
    assert run("order", "own.json", "france", "A Par - Bur").exit_code == 0
    assert run("process", "own.json").exit_code == 0
    result = run("explain", "own.json", "A Par")
    assert result.exit_code == 0
    assert "it moves" in result.output


def test_files_are_not_overwritten(run: Run, game: Path) -> None:
    """`new` leaves a file alone unless it is told to replace it."""
    before = game.read_bytes()
    result = run("new", game)
    assert result.exit_code == 3
    assert "exists already" in result.stderr
    assert game.read_bytes() == before
    assert run("new", game, "--force").exit_code == 0
    assert game.read_bytes() != before


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ((), 2, "Missing argument"),
        (("w.json", "--variant", "standrd"), 3, "did you mean standard"),
        (("w.json", "--variant", "../mine"), 3, "no variant"),
        (("w.json", "--rulebook", "dact"), 3, "did you mean datc"),
        (("w.json", "--rulebook", "4.A.2=q"), 3, "convoy_paradox"),
        (("w.json", "--seed", "xyz"), 2, "hexadecimal"),
        (("w.json", "--seed", "00"), 3, "at least 32 bytes"),
        (("w.json", "Frence=Ann"), 3, "did you mean France"),
        (("w.json", "France=Ann", "Bob"), 2, "POWER=NAME"),
        (("w.json", "Ann", "Bob"), 3, "7 powers cannot be dealt to 2 players"),
        (("nowhere/w.json",), 3, "no folder"),
    ],
)
def test_bad_beginnings(run: Run, tmp_path: Path, args: tuple[str, ...], code: int, told: str) -> None:
    """What is wrong with a new game is told, with the nearest right thing, and no file is made."""
    result = run("new", *args)
    assert result.exit_code == code
    assert told in " ".join(result.stderr.replace("│", " ").split())
    assert not (tmp_path / "w.json").exists()


# -- order -----------------------------------------------------------------------------------------------------------


def test_orders_are_stored_and_said_in_full(run: Run, game: Path) -> None:
    """Orders are stored as given, and said as they were understood."""
    result = run("order", game, "FRANCE", "A PAR-BUR", "a mar s a par - bur", "Fleet Brest to MAO")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "France, Spring 1901 Movement: 3 orders.",
        "  A Paris - Burgundy",
        "  A Marseilles supports A Paris - Burgundy",
        "  F Brest - Mid-Atlantic Ocean",
    ]
    assert of(game).orders["France"] == ("A PAR-BUR", "a mar s a par - bur", "Fleet Brest to MAO")


@pytest.mark.parametrize("way", ["argument", "file", "input"])
def test_sheets_come_by_every_way(run: Run, game: Path, way: str) -> None:
    """A sheet of orders may be an argument, a file or the input."""
    sheet = "# Spring\nFrance:\nA Par - Bur; A Mar H\nF Bre H"
    Path("sheet.txt").write_text("\ufeff" + sheet, encoding="utf-8")
    args = {"argument": [sheet], "file": ["--file", "sheet.txt"], "input": ["-"]}[way]
    assert run("order", game, "France", *args, input=sheet if way == "input" else None).exit_code == 0
    assert of(game).orders["France"] == ("A Par - Bur", "A Mar H", "F Bre H")


def test_what_can_be_read_is_stored(run: Run, game: Path) -> None:
    """Errors name line and column and the nearest right thing; the orders that can be read are stored all the same."""
    result = run("order", game, "France", "A Par - Brundgyx\nF Bre H\nA Mar dances")
    assert result.exit_code == 1
    assert "line 1, column 9: no province 'Brundgyx'" in result.stderr
    assert "line 3, column 7" in result.stderr
    assert of(game).orders["France"] == ("F Bre H",)


def test_nothing_readable_changes_nothing(run: Run, game: Path) -> None:
    """A set without one readable order leaves the earlier set in force."""
    run("order", game, "France", "A Par H")
    before = game.read_bytes()
    for text in ("A Par - Brgdny", "# only a remark"):
        result = run("order", game, "France", text)
        assert result.exit_code == 1
        assert "nothing was saved" in result.stderr
    assert game.read_bytes() == before


def test_later_sets_replace_or_amend(run: Run, game: Path) -> None:
    """A later set replaces an earlier one; with `--amend` it keeps the orders of other units (DATC 4.D.1)."""
    run("order", game, "France", "A Par - Bur", "A Mar H")
    run("order", game, "France", "--amend", "A Par - Pic")
    assert of(game).orders["France"] == ("A Mar H", "A Par - Pic")
    run("order", game, "France", "F Bre - Mao")
    assert of(game).orders["France"] == ("F Bre - Mao",)


def test_slips_are_warned_of(run: Run, game: Path) -> None:
    """Orders that are stored but look like slips bring warnings, with the clause."""
    result = run("order", game, "France", "A Par - Bur", "A Mar S A Par - Gas")
    assert result.exit_code == 0
    assert "warning: A Mar S A Par - Gas matches no order that was given [STD-4.e]" in result.stderr
    assert "warning: F Bre has no order and will hold [STD-4.c]" in result.stderr


def test_orders_as_json(run: Run, game: Path) -> None:
    """`--json` tells programs what was stored, and what is doubtful or wrong."""
    data = json.loads(run("order", game, "France", "A Par - Bur", "A Mar - Atlantis", "--json").stdout)
    assert (data["power"], data["phase"]) == ("France", "S1901M")
    assert data["orders"] == [{"text": "A Par - Bur", "order": "A Paris - Burgundy"}]
    assert [w["about"] for w in data["warnings"]] == ["F Bre", "A Mar"]
    assert [(e["line"], e["column"]) for e in data["errors"]] == [(2, 9)]


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("France",), 2, "give orders"),
        (("France", "A Par H", "--file", "x.txt"), 2, "give orders"),
        (("Frence", "A Par H"), 3, "did you mean France"),
        (("France", "Germany: A Mun H"), 3, "orders for Germany in a set of France"),
        (("France", "--phase", "F1901M", "A Par H"), 3, "F1901M is not being played"),
        (("France", "--phase", "soon", "A Par H"), 3, "soon"),
        (("France", "--file", "nothing.txt"), 3, "no file nothing.txt"),
        (("France", "A Par H\n" * 3_000), 3, "lines"),
        (("France", "--amned", "A Par H"), 2, "--amend"),
    ],
)
def test_bad_sets(run: Run, game: Path, args: tuple[str, ...], code: int, told: str) -> None:
    """A set that cannot be taken is refused as a whole, with the reason."""
    before = game.read_bytes()
    result = run("order", game, *args)
    assert result.exit_code == code
    assert told in " ".join(result.stderr.replace("│", " ").split())
    assert game.read_bytes() == before


def test_sheets_that_are_not_plain_text(run: Run, game: Path) -> None:
    """A sheet in the encoding of Western Windows is read; one that is too large is refused with its file."""
    Path("latin.txt").write_bytes(b"A M\xfcn H")
    assert "A Munich holds" in run("order", game, "Germany", "--file", "latin.txt").stdout
    assert "A Munich holds" in run("order", game, "Germany", "-", input=b"A M\xfcn H").stdout
    Path("large.txt").write_bytes(b"A Mun H\n" * 20_000)
    assert "more than 65536 bytes" in run("order", game, "Germany", "--file", "large.txt").stderr
    assert "more than 65536 bytes" in run("order", game, "Germany", "-", input=b"A Mun H\n" * 20_000).stderr


def test_what_a_terminal_would_obey_is_not_printed(run: Run, game: Path) -> None:
    """Signs that steer a terminal, in orders or names, are not let through to it."""
    result = run("order", game, "France", "A \x1b[31mPar - Bur\x07")
    assert "\x1b" not in result.output
    assert "\x07" not in result.output
    assert result.exit_code == 1


# -- status, process, rollback, report -------------------------------------------------------------------------------


def test_status_tells_who_is_waited_for(run: Run, game: Path) -> None:
    """`status` tells the phase, what is asked of each power, and whose orders are in."""
    run("order", game, "France", "A Par - Bur")
    result = run("status", game)
    assert result.exit_code == 0
    assert "Spring 1901 Movement (S1901M)" in result.output
    assert any(line.split()[0] == "France" and "1 order" in line for line in result.output.splitlines())
    data = json.loads(run("status", game, "--json").output)
    france = next(p for p in data["powers"] if p["power"] == "France")
    assert (data["phase"], data["outcome"], france["orders"], france["waiting"]) == ("S1901M", None, 1, False)
    assert sum(p["waiting"] for p in data["powers"]) == 6


@pytest.mark.parametrize("width", [36, 44, 60, 100])
def test_status_on_a_narrow_terminal(run: Run, game: Path, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """However narrow a terminal is, no name and no word is cut off; where columns do not fit, each power is a list."""
    monkeypatch.setattr(console, "on_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    run("order", game, "France", "A Par - Bur")
    lines = run("status", game).output.splitlines()[1:]
    assert max(map(len, lines)) <= width
    assert not [line for line in lines if "…" in line]
    powers = ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"]
    assert [line.split()[0] for line in lines if line.split()[0] in powers] == powers
    if width < 60:
        at = lines.index("France")
        told = ["centres: 3", "units: 3", "asked for: orders for 3 units", "received: 1 order"]
        assert lines[at + 1 : at + 5] == [f"  {line}" for line in told]


def test_status_of_a_game_that_is_over(run: Run, game: Path) -> None:
    """Of a game that is over the status is how it ended."""
    from gamesmaster.game import update

    def draw(played: Game) -> Game:
        for power in played.survivors:
            played = played.vote_draw(power)
        return played

    update(game, draw)
    assert "share a draw" in run("status", game).output
    assert "share a draw" in json.loads(run("status", game, "--json").output)["outcome"]
    assert "the game is over" in run("process", game).stderr
    assert json.loads(run("status", game, "--json").output)["powers"] == []


def test_powers_in_civil_disorder_are_not_waited_for(run: Run, game: Path) -> None:
    """A power without a player is shown as such, and not warned of when its orders are missing (STD-10.h)."""
    from gamesmaster.game import update

    update(game, lambda played: played.set_disorder("Italy"))
    assert "in civil disorder" in run("status", game).output
    assert "Italy" not in run("process", game, "--preview").stderr


def test_processing_goes_on(run: Run, game: Path) -> None:
    """`process` adjudicates, prints the report, warns of missing orders, and goes on to the next phase."""
    run("order", game, "France", "A Par - Bur")
    result = run("process", game)
    assert result.exit_code == 0
    assert "A Par - Bur  succeeds" in result.stdout
    assert "no orders from Austria, England, Germany, Italy, Russia, Turkey" in result.stderr
    assert of(game).phase.code == "F1901M"


def test_a_preview_writes_nothing(run: Run, game: Path) -> None:
    """`process --preview` prints what would come out, and leaves the file as it was."""
    run("order", game, "France", "A Par - Bur")
    before = game.read_bytes()
    preview = run("process", game, "--preview")
    assert preview.exit_code == 0
    assert "nothing was written" in preview.stderr
    assert game.read_bytes() == before
    assert run("process", game).stdout == preview.stdout


def test_processing_twice_is_refused(run: Run, game: Path) -> None:
    """With `--phase` a phase is processed once, and a phase that is not being played never."""
    assert run("process", game, "--phase", "S1901M").exit_code == 0
    before = game.read_bytes()
    result = run("process", game, "--phase", "S1901M")
    assert result.exit_code == 3
    assert "S1901M is not being played (it is F1901M)" in result.stderr
    assert game.read_bytes() == before


def test_rolling_back(run: Run, game: Path) -> None:
    """`rollback` returns to an earlier phase with its orders; a phase that was not played is told."""
    run("order", game, "France", "A Par - Bur")
    run("process", game)
    result = run("rollback", game, "spring 1901")
    assert result.exit_code == 0
    assert "with its 1 order" in result.output
    assert of(game).orders == {"France": ("A Par - Bur",)}
    assert run("rollback", game, "F1905M").exit_code == 3
    assert run("rollback", game, "never").exit_code == 3
    assert run("rollback", game).exit_code == 2


def test_reports(run: Run, game: Path) -> None:
    """`report` prints the last phase, a phase that is named, or the whole game."""
    run("order", game, "France", "A Par - Bur")
    run("process", game)
    run("process", game)
    assert "Fall 1901" in run("report", game).output.splitlines()[0]
    assert "A Par - Bur  succeeds" in run("report", game, "--phase", "s1901m").output
    whole = run("report", game, "--all").output
    assert whole.index("the beginning") < whole.index("(S1901M)") < whole.index("(F1901M)")


def test_a_report_before_the_first_phase_is_the_beginning(run: Run, game: Path) -> None:
    """Before anything was processed the report tells how the game begins; as JSON there is nothing to tell."""
    assert "the beginning" in run("report", game).output
    assert json.loads(run("report", game, "--all", "--json").output) == []
    result = run("report", game, "--json")
    assert result.exit_code == 3
    assert "no phase is over yet" in result.stderr


def test_reports_as_json(run: Run, game: Path) -> None:
    """`report --json` tells programs the position, a ruling for each order, and the next position."""
    run("order", game, "France", "A Par - Bur", "F Bre - Lon")
    run("process", game)
    data = json.loads(run("report", game, "--json").output)
    assert (data["phase"], data["next"]["phase"], data["outcome"]) == ("S1901M", "F1901M", None)
    assert [(o["order"], o["result"]) for o in data["orders"]] == [("A Par - Bur", "succeeds"), ("F Bre - Lon", "void")]
    assert "A BUR" in data["next"]["units"]["France"]
    assert "A PAR" in data["units"]["France"]
    run("process", game)
    everything = json.loads(run("report", game, "--all", "--json").output)
    assert [phase["phase"] for phase in everything] == ["S1901M", "F1901M"]
    assert everything[0] == data
    assert json.loads(run("process", game, "--preview", "--json").stdout)["phase"] == "S1902M"


def test_reports_as_json_tell_of_units_lost(run: Run, game: Path) -> None:
    """A unit that disbands because nobody ordered a retreat is among the events, as `adjudicate` has it."""
    run("order", game, "Germany", "A Mun - Bur")
    run("process", game)
    run("order", game, "France", "A Par S A Mar - Bur", "A Mar - Bur")
    run("process", game)
    run("process", game, "--phase", "F1901R")
    data = json.loads(run("report", game, "--phase", "F1901R", "--json").output)
    assert data["orders"] == []
    assert {"kind": "disbanded", "power": "Germany", "province": "BUR"}.items() <= data["events"][0].items()


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("--phase", "F1901M"), 3, "F1901M is not over"),
        (("--phase", "never"), 3, "never"),
        (("--phase", "S1901M", "--all"), 2, "a phase, or all"),
        (("--json", "--phase", "F1901M"), 3, "F1901M is not over"),
    ],
)
def test_bad_reports(run: Run, game: Path, args: tuple[str, ...], code: int, told: str) -> None:
    """A report of a phase that is not over is refused."""
    run("process", game)
    result = run("report", game, *args)
    assert result.exit_code == code
    assert told in " ".join(result.stderr.replace("│", " ").split())


@pytest.mark.parametrize("command", ["status", "process", "report", "explain", "legal"])
def test_files_that_are_no_games(run: Run, command: str) -> None:
    """A file that is missing, no JSON, or no record, is told by its name."""
    Path("bad.json").write_text("{}", encoding="utf-8")
    Path("worse.json").write_text("oops", encoding="utf-8")
    for name, told in (("none.json", "no file"), ("bad.json", "missing"), ("worse.json", "not JSON"), (".", "read")):
        result = run(command, name)
        assert result.exit_code == 3
        assert told in result.stderr
        assert name in result.stderr


def test_false_records_are_not_played_on(run: Run, game: Path) -> None:
    """A record that does not follow from its orders is refused by whoever reads it."""
    run("process", game)
    game.write_text(game.read_text(encoding="utf-8").replace("A LVP England", "A WAL England", 1), encoding="utf-8")
    result = run("report", game)
    assert result.exit_code == 3
    assert "does not follow" in result.stderr


def test_a_report_for_a_power(run: Run, tmp_path: Path) -> None:
    """In a variant that limits sight, a report for a power has its own orders and not those out of sight."""
    file = str(tmp_path / "blind.json")
    run("new", file, "--variant", "blind", "--seed", SEED)
    for power, order in (("France", "A Par H"), ("Germany", "A Mun H")):
        run("order", file, power, order)
    run("process", file)
    whole, own = run("report", file).output, run("report", file, "--power", "france").output
    assert "A Mun" in whole
    assert "A Par" in own
    assert "A Mun" not in own
    assert "out of sight" in own
    assert run("report", file, "--power", "Gaul").exit_code == 3
