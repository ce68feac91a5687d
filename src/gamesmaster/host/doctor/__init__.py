"""The doctor: is a site well, what is not, and what to do about it; some of it he mends himself.

`inside` looks at what this machine can see by itself: settings, database, clock, files, pulses, games.  `outside` goes
the way of the world: to the site by its address, and with a mail out of the house and back in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from django.db import DatabaseError, connections

from gamesmaster.host.doctor.finding import Colour, Finding, green, red, worst, yellow

__all__ = ["Colour", "Finding", "examine", "green", "red", "worst", "yellow"]

Check = Callable[[datetime], Iterable[Finding]]


def examine(now: Callable[[], datetime], *, mend: bool = False, patience: float = 60.0) -> Iterator[Finding]:
    """Look at everything, a check at a time; with `mend`, put right what can be, and look at that again.

    `patience` is how many seconds a mail may take out of the house and back; 0: none is sent.
    """
    from gamesmaster.host.doctor import inside, outside

    checks: list[tuple[str, Check]] = [
        *inside.CHECKS,
        *outside.CHECKS,
        ("mail out and in", lambda _: outside.mail_loop(patience)),
    ]
    for name, check in checks:
        found = _looked(name, check, now())
        mends = [one.mend for one in found if one.mend is not None]
        if mend and mends:
            done = [line for work in mends for line in _mended(work)]
            found = [yellow(f"mended: {line}") for line in done] + _looked(name, check, now())
        for one in found:
            one.check = name
            yield one
    connections.close_all()


def _looked(name: str, check: Check, now: datetime) -> list[Finding]:
    try:
        return list(check(now)) or [green("nothing found")]
    except DatabaseError as error:
        told = " ".join(str(error).split())[:200]
        return [red(f"the database does not answer: {told}", "see `database`, and the log of the database's server")]
    except Exception as error:  # one check's fault is not the others'
        return [red(f"this check failed: {type(error).__name__}: {str(error)[:200]}", "please report it")]


def _mended(work: Callable[[], Iterable[str]]) -> list[str]:
    try:
        return list(work())
    except Exception as error:
        return [f"no: {type(error).__name__}: {str(error)[:200]}"]
