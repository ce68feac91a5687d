"""`replay`: recorded games, adjudicated again and compared."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import Boards, RulebookText, finder, rulebook_of
from gamesmaster.cli.console import AsJson, ExitCode, complain, say, say_json, table

if TYPE_CHECKING:
    from gamesmaster.formats.replay import Replay, Verdict

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
_RESULTS = (PASSED, FAILED, SKIPPED)


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

    It reads records of this program, saved games of the PyPI package diplomacy, and phases as JSON lines, each with
    its next phase; gzipped or not. The exit code is 1 if a phase differs, or if no phase could be compared.

    For example:

      gamesmaster replay winter.json
      gamesmaster replay games.jsonl.gz --boards boards/
      gamesmaster replay saved.jsonl --record mine.json
    """
    from gamesmaster.formats.replay import Replay

    replayed = Replay(finder(boards), rulebook_of(rulebook))
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
    """A bar on the error stream, if that is a terminal, told how many bytes of the file have been read."""
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
        told = [{"where": v.where, "game": v.game, "phase": v.phase, "differences": v.differences} for v in differing]
        say_json({**total, "kinds": by_kind, "differences": told})
        return
    table(("phases", *_RESULTS), [(kind, *row.values()) for kind, row in by_kind.items()])
    say(", ".join(f"{number:,} {result}" for result, number in total.items()))


def _record(replayed: Replay, files: list[Path], record: Path) -> None:
    from gamesmaster.formats.replay import recorded_game
    from gamesmaster.game import save

    save(recorded_game(phase for path in files for phase in replayed.phases(path)), record)
    complain("note", f"the game was recorded in {record}")
