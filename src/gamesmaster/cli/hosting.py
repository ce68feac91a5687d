"""`serve`, `worker`, `backup`, `restore`: the site, and what belongs to running it."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from gamesmaster.cli.console import complain, many, say
from gamesmaster.cli.site import Data, begin
from gamesmaster.cli.upgrade import survey_site


def serve(
    port: Annotated[int, typer.Option(help="The port to listen on.", min=1, max=65535)] = 8000,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    data: Data = None,
    demo: Annotated[bool, typer.Option("--demo", help="Create a sandbox that anybody can use.")] = False,
    worker: Annotated[bool, typer.Option(help="Also run a worker, unless others run elsewhere.")] = True,
) -> None:
    """Host games: a site in the browser, with everything it keeps in a data folder.

    The first start makes the folder, the database and a link for the first admin. docs/hosting.md tells how to run it
    for others, on one machine or many.

    For example:

      gamesmaster serve --demo
      gamesmaster serve --data /var/lib/gamesmaster --port 8000
    """
    begin(data, make=True, base=f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{port}")
    from contextlib import nullcontext

    from django.conf import settings

    from gamesmaster.host.operations import serving

    serving.migrate()
    words = serving.first_words(settings.BASE_URL, demo)
    with serving.BesideWorker() if worker else nullcontext():
        serving.run_site(host, port, lambda: say("\n".join(words)))


def worker(data: Data = None) -> None:
    """Keep the deadlines of a site: adjudicate what is due, send what waits; any number may run.

    For example:

      gamesmaster worker --data /var/lib/gamesmaster
    """
    begin(data)
    from gamesmaster.host.operations import serving, upgrade

    upgrade.check()
    serving.run_worker()


def backup(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A new file, or a folder for a file named by the time.", show_default=False
        ),
    ],
    keep: Annotated[
        int, typer.Option(metavar="N", help="In a folder: delete the oldest, so that N are left.", min=0)
    ] = 0,
    every: Annotated[
        float, typer.Option(metavar="HOURS", help="In a folder: keep going, with a new backup every N hours.", min=0)
    ] = 0,
    key: Annotated[
        list[str] | None,
        typer.Option(
            "--key", metavar="KEY", help="Encrypt it for the owner of this public age key.", show_default=False
        ),
    ] = None,
    data: Data = None,
) -> None:
    """Write all that a site is to a file, while it runs: its database, its secret and its settings.

    Secret orders and keys are in it: only its owner may read it. Keep it on another machine, encrypted with --key or
    with GAMESMASTER_BACKUP_KEY (age1..., of age-keygen; more than one are separated by commas).

    For example:

      gamesmaster backup monday.gz --data /var/lib/gamesmaster
      gamesmaster backup /var/backups/gamesmaster --keep 14
    """
    begin(data)
    from django.conf import settings

    from gamesmaster.host.operations import backup as backups
    from gamesmaster.host.site import clock

    keys = key or settings.BACKUP_KEYS
    if not file.is_dir() and not (keep or every):
        say(f"{many(backups.backup(file, keys=keys), 'row')} in {file}")
        return
    if file.is_file():
        raise typer.BadParameter("--keep and --every need a folder", param_hint="FILE")
    while True:
        made, rows = backups.backup_into(file, clock.now(), keys=keys, keep=keep)
        say(f"{many(rows, 'row')} in {made}")
        if not every:
            return
        time.sleep(every * 3600)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by backup.", show_default=False)],
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="The secret age key, if it is encrypted.")
    ] = None,
    trial: Annotated[
        bool,
        typer.Option("--trial", help="Restore into a temporary site and read every game there; change nothing else."),
    ] = False,
    data: Data = None,
) -> None:
    """Fill an empty site from a backup, of an older version too: database, secret and settings.

    Mails that waited are held, and deadlines move on when a worker begins. With --trial nothing is kept: it tells
    whether the backup is whole, and what this program makes of each game in it (exit code 1 if one would not be as it
    was). So an upgrade is rehearsed: with the new program on a backup of the old.

    For example:

      gamesmaster restore monday.gz --data /var/lib/gamesmaster-anew
      gamesmaster restore --trial monday.gz
    """
    if trial:
        with tempfile.TemporaryDirectory(prefix="gamesmaster-trial-") as folder:
            _begin_trial(Path(folder))
            _restored(file, key)
            survey_site()
        return
    begin(data, make=True)
    _restored(file, key)


def _begin_trial(folder: Path) -> None:
    """Start a site in a folder of its own, on SQLite, whatever the surroundings name."""
    for name in ("GAMESMASTER_DATABASE_URL", "GAMESMASTER_SECRET"):
        os.environ[name] = ""
    begin(folder, make=True)


def _restored(file: Path, key: Path | None) -> None:
    from gamesmaster.host.operations import serving
    from gamesmaster.host.operations.backup import restore as read

    found = read(file, identity=key, migrate=serving.migrate)
    say(f"{many(found.rows, 'row')} from {file}")
    for name, number in sorted(found.left_out.items()):
        complain("warning", f"left out, because this version has no place for it: {name} ({number})")
    for note in found.notes:
        complain("note", note)
