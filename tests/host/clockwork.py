"""The program with a clock that can be set: `clockwork.py FILE WORDS...` is `gamesmaster WORDS...`.

The file says by how many seconds the clock is wrong, and may change at any time.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gamesmaster.host import apps


def main() -> None:
    """Run the program by the wrong clock."""
    file = Path(sys.argv.pop(1))

    def wrong() -> datetime:
        return datetime.now(UTC) + timedelta(seconds=float(file.read_text(encoding="ascii") or 0))

    boot = apps.boot

    def boot_by_the_wrong_clock() -> None:
        boot()
        from gamesmaster.host.site import clock

        clock._machine = wrong

    apps.boot = boot_by_the_wrong_clock
    from gamesmaster.cli import main as gamesmaster

    gamesmaster()


if __name__ == "__main__":
    main()
