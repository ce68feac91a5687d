"""Checks: recorded games (`replay`) and dice (`dice verify`)."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import Boards, GameFile, RulebookText, edition_reader, finder, rulebook_of
from gamesmaster.cli.console import AsJson, ExitCode, complain, many, say, say_json, table

if TYPE_CHECKING:
    from gamesmaster.formats import Replay, Verdict

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
_RESULTS = (PASSED, FAILED, SKIPPED)


def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Recorded games.", show_default=False)],
    boards: Boards = None,
    rulebook: RulebookText = None,
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
    """
    from gamesmaster.formats import Boards, Replay

    folders = [boards] if boards else []
    replayed = Replay(Boards(finder(boards), [*folders, *(file.parent for file in files)]), rulebook_of(rulebook))
    counts: Counter[tuple[str, str]] = Counter()
    differing: list[Verdict] = []
    for verdict in _verdicts(replayed, files):
        result = SKIPPED if verdict.skipped else FAILED if verdict.differences else PASSED
        counts[verdict.kind.value if verdict.kind else "unreadable", result] += 1
        if verdict.differences and len(differing) < first:
            differing.append(verdict)
    _say_result(counts, differing, as_json=as_json)
    if any(result == FAILED for _, result in counts):
        raise typer.Exit(ExitCode.FAILED)
    if not any(result == PASSED for _, result in counts):
        complain("error", "nothing was compared: no phase comes with its next one")
        raise typer.Exit(ExitCode.FAILED)


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


def _say_result(counts: Counter[tuple[str, str]], differing: list[Verdict], *, as_json: bool) -> None:
    """Print the phases that differ, and how many passed, by kind and in all."""
    kinds = [k for k in ("movement", "retreats", "adjustments", "unreadable") if any(kind == k for kind, _ in counts)]
    by_kind = {kind: {result: counts[kind, result] for result in _RESULTS} for kind in kinds}
    total = {result: sum(row[result] for row in by_kind.values()) for result in _RESULTS}
    if as_json:
        rows = [{"where": v.where, "game": v.game, "phase": v.phase, "differences": v.differences} for v in differing]
        say_json({**total, "kinds": by_kind, "differences": rows})
        return
    for verdict in differing:
        name = " ".join(filter(None, (verdict.game, verdict.phase)))
        say(f"{verdict.where}{f' ({name})' if name else ''}")
        for difference in verdict.differences:
            say(f"  {difference}")
    table(("phases", *_RESULTS), [(kind, *row.values()) for kind, row in by_kind.items()])
    say(", ".join(f"{number:,} {result}" for result, number in total.items()))


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
