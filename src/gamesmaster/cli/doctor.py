"""`doctor`: is a site well, and what to do where it is not."""

from __future__ import annotations

from typing import Annotated

import typer

from gamesmaster.cli.console import AsJson, ExitCode, say, say_json
from gamesmaster.cli.site import Data, begin

_SIGNS = {"green": "ok", "yellow": "see to", "red": "broken"}


def doctor(
    mend: Annotated[bool, typer.Option("--mend", help="Repair what can be repaired.")] = False,
    mail: Annotated[bool, typer.Option(help="Send a test e-mail and wait for it to come back.")] = True,
    patience: Annotated[float, typer.Option(metavar="SECONDS", help="How long to wait for it.", min=1)] = 60.0,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Examine a site: settings, keys, database, clock, files, disk, parts, backups, games, mails, address, certificate.

    Each line is green, yellow (see to it) or red (broken), with what to do about it. Run it on the site's machine, as
    the site's account. Exit code 1 if anything is red.

    For example:

      gamesmaster doctor --data /var/lib/gamesmaster
      gamesmaster doctor --mend
      gamesmaster doctor --no-mail --json
    """
    begin(data)
    from gamesmaster.host.operations.checks import Colour, worst
    from gamesmaster.host.operations.doctor import examine
    from gamesmaster.host.site import clock

    found = []
    for one in examine(clock.now, mend=mend, patience=patience if mail else 0.0):
        found.append(one)
        if not as_json:
            sign = typer.style(f"{_SIGNS[one.colour.name.lower()]:8}", fg=one.colour.name.lower(), bold=True)
            typer.echo(sign, nl=False)
            say(f"{one.check}: {one.told}" + (f" ({one.advice})" if one.advice else ""))
    if as_json:
        say_json({"colour": worst(found).name.lower(), "found": [one.data for one in found]})
    if worst(found) is Colour.RED:
        raise typer.Exit(ExitCode.FAILED)
