"""Checks: recorded games (`replay`), dice (`dice verify`), and speed (`bench`)."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import (
    Boards,
    GameFile,
    RulebookText,
    edition_reader,
    finder,
    rulebook_of,
)
from gamesmaster.cli.console import AsJson, ExitCode, complain, many, say, say_json, table

if TYPE_CHECKING:
    from gamesmaster.board import Position
    from gamesmaster.formats import Replay, Verdict
    from gamesmaster.rules import Rules

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
_RESULTS = (PASSED, FAILED, SKIPPED)
Problem = tuple["Position", dict[str, list[str]]]
PROBLEMS = 60
SEED = 1901


def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Recorded games.", show_default=False)],
    boards: Boards = None,
    rulebook: RulebookText = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the game as a Gamesmaster record.", show_default=False),
    ] = None,
    first: Annotated[int, typer.Option(metavar="N", help="The most differences to print.", min=0)] = 10,
    as_json: AsJson = False,
) -> None:
    """Adjudicate recorded games again and compare every phase with what was recorded.

    It reads records of this program, games of other programs (gamesmaster formats lists the forms), and phases as JSON
    lines, each with its next phase; gzipped or not. The exit code is 1 if a phase differs, or if no phase could be
    compared.

    For example:

      gamesmaster replay winter.json
      gamesmaster replay games.jsonl.gz --boards boards/
      gamesmaster replay saved.jsonl --record mine.json
    """
    from gamesmaster.formats import Boards, Replay

    folders = [boards] if boards else []
    replayed = Replay(Boards(finder(boards), [*folders, *(file.parent for file in files)]), rulebook_of(rulebook))
    counts: Counter[tuple[str, str]] = Counter()
    differing: list[Verdict] = []
    for verdict in _verdicts(replayed, files):
        counts[verdict.kind.value if verdict.kind else "unreadable", _result(verdict)] += 1
        if verdict.differences and len(differing) < first:
            differing.append(verdict)
    _say_differences(differing, as_json=as_json)
    _say_counts(counts, differing, as_json=as_json)
    if any(result == FAILED for _, result in counts):
        raise typer.Exit(ExitCode.FAILED)
    if record:
        _record(replayed, files, record)
    elif not any(result == PASSED for _, result in counts):
        complain("error", "nothing was compared: no phase comes with its next one")
        raise typer.Exit(ExitCode.FAILED)


def _result(verdict: Verdict) -> str:
    return SKIPPED if verdict.skipped else FAILED if verdict.differences else PASSED


def _verdicts(replayed: Replay, files: list[Path]) -> Iterator[Verdict]:
    for path in files:
        with _progress(path) as seen:
            yield from replayed.file(path, seen)


@contextmanager
def _progress(path: Path) -> Iterator[Callable[[int], None]]:
    """Show a progress bar, if the error stream is a terminal; yield a function to call with the bytes read."""
    if not sys.stderr.isatty() or not path.is_file():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(path.name, total=path.stat().st_size)
        yield lambda seen: progress.update(task, completed=seen)


def _say_differences(differing: list[Verdict], *, as_json: bool) -> None:
    for verdict in () if as_json else differing:
        name = " ".join(filter(None, (verdict.game, verdict.phase)))
        say(f"{verdict.where}{f' ({name})' if name else ''}")
        for difference in verdict.differences:
            say(f"  {difference}")


def _say_counts(counts: Counter[tuple[str, str]], differing: list[Verdict], *, as_json: bool) -> None:
    kinds = [k for k in ("movement", "retreats", "adjustments", "unreadable") if any(kind == k for kind, _ in counts)]
    by_kind = {kind: {result: counts[kind, result] for result in _RESULTS} for kind in kinds}
    total = {result: sum(row[result] for row in by_kind.values()) for result in _RESULTS}
    if as_json:
        rows = [{"where": v.where, "game": v.game, "phase": v.phase, "differences": v.differences} for v in differing]
        say_json({**total, "kinds": by_kind, "differences": rows})
        return
    table(("phases", *_RESULTS), [(kind, *row.values()) for kind, row in by_kind.items()])
    say(", ".join(f"{number:,} {result}" for result, number in total.items()))


def _record(replayed: Replay, files: list[Path], record: Path) -> None:
    from gamesmaster.formats import recorded_game
    from gamesmaster.game import save

    replayed.messages = 0
    save(recorded_game(phase for path in files for phase in replayed.phases(path)), record)
    complain("note", f"the game was recorded in {record}")
    if replayed.messages:
        complain("warning", f"{many(replayed.messages, 'message')} of the players are not in it: a record has no press")


# -- `dice verify` ---------------------------------------------------------------------------------------------------


def verify(file: GameFile, as_json: AsJson = False) -> None:
    """Check every throw of a game against its seed, and the seed against its published SHA-256.

    For example:

      gamesmaster dice verify winter.json
    """
    from gamesmaster.game import load

    game = load(file, find=finder(file.parent), read=edition_reader, verify=False)
    # the seed's hash is checked in any case
    wrong = game.dice.verify(game.dice.commitment, game.throws)
    if as_json:
        say_json({"commitment": game.dice.commitment, "throws": len(game.throws), "wrong": wrong})
    else:
        for text in wrong:
            complain("error", text)
        say(f"SHA-256 of the seed: {game.dice.commitment}")
        say(f"{many(len(game.throws), 'throw')}, {len(wrong)} wrong")
    if wrong:
        raise typer.Exit(ExitCode.FAILED)


# -- `bench` ---------------------------------------------------------------------------------------------------------


def bench(
    seconds: Annotated[float, typer.Option(metavar="S", help="How long to measure.", min=0.01, max=60)] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Measure how many movement phases this machine adjudicates in a second.

    A quick look at the machine, with random legal orders on the standard board: no comparison with other programs.

    For example:

      gamesmaster bench
    """
    from gamesmaster.rules import Rules
    from gamesmaster.variant import find_variant

    rules = Rules.of(find_variant("standard"))
    problems = _problems(rules)
    units = sum(len(position.units) for position, _ in problems) / len(problems)
    decided = _rate(rules, problems, seconds / 2, explained=False)
    explained = _rate(rules, problems, seconds / 2, explained=True)
    if as_json:
        say_json(
            {"units": round(units, 1), "decided_per_second": round(decided), "explained_per_second": round(explained)}
        )
        return
    say(f"In one second of this machine, of movement phases with {units:.0f} units on average, from texts:")
    say(f"  {decided:,.0f} decided: who moves, who is dislodged and may retreat where")
    say(f"  {explained:,.0f} with the next position and a ruling for every order made too")


def _problems(rules: Rules) -> list[Problem]:
    """Return movement phases of games played with random legal orders, the same ones in every run."""
    from random import Random

    from gamesmaster.judge import LegalOrders, adjudicate, count_owners
    from gamesmaster.orders import PhaseKind
    from gamesmaster.variant import find_variant

    rng, position = Random(SEED), find_variant("standard").start
    problems: list[Problem] = []
    while len(problems) < PROBLEMS:
        legal, orders = LegalOrders(rules, position), dict[str, list[str]]()
        for unit in position:
            chosen = rules.notation.write(rng.choice(legal.of_unit(unit)))
            orders.setdefault(unit.power, []).append(chosen)
        problems.append((position, orders))
        for kind in PhaseKind:
            legal = LegalOrders(rules, position)
            given = orders if kind is PhaseKind.MOVEMENT else {p: legal.of_power(kind, p) for p in rules.powers}
            position = count_owners(rules, adjudicate(rules, kind, position, given).position)
    return problems


def _rate(rules: Rules, problems: list[Problem], seconds: float, *, explained: bool) -> float:
    """Return adjudications per second of processor time, measured for `seconds`.

    Every text has been read once before.
    """
    from itertools import cycle
    from time import process_time

    from gamesmaster.judge import adjudicate
    from gamesmaster.orders import PhaseKind

    for position, orders in problems:
        adjudicate(rules, PhaseKind.MOVEMENT, position, orders)
    done, begun = 0, process_time()
    for position, orders in cycle(problems):
        judged = adjudicate(rules, PhaseKind.MOVEMENT, position, orders)
        if explained:
            _ = judged.position, judged.rulings
        done += 1
        if process_time() - begun > seconds:
            break
    return done / (process_time() - begun)
