"""The command line: thin.  Every command reads its words, asks the rooms below, and prints."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; what cannot be written in the terminal's encoding is written as `?`."""
    from gamesmaster.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    app(prog_name="gamesmaster")
