"""Bars for what takes a while: on the error stream, and only if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Tell = Callable[[str, int, int], None]
"""Tells a bar what is being done now, how much is done, and how much there is."""


@contextmanager
def progress_bar(*, rate: bool = False) -> Iterator[Tell]:
    """A bar, to be told how far the work is; nothing where nobody would see it.

    With `rate` it says how much is done in a second, and how long the rest will take.
    """
    if not sys.stderr.isatty():
        yield lambda now, done, total: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns: list[ProgressColumn] = [
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    ]  # fmt: skip
    if rate:
        columns += [TextColumn("{task.fields[rate]}"), TextColumn("left:"), TimeRemainingColumn()]
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None, rate="")

        def tell(now: str, done: int, total: int) -> None:
            speed = progress.tasks[0].speed
            told = f"{speed:.1f} a second" if speed else ""
            progress.update(task, description=escape(now), completed=done, total=total, rate=told, refresh=True)

        yield tell
