"""`serve`, `worker`, `backup`, `restore`: the site, and what belongs to running it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from gamesmaster.cli.console import many, say
from gamesmaster.errors import NotFound

Data = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="The data folder; gamesmaster-data here if left out.")
]


def serve(
    port: Annotated[int, typer.Option(help="Where to listen.", min=1, max=65535)] = 8000,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="On which address.")] = "127.0.0.1",
    data: Data = None,
    demo: Annotated[bool, typer.Option("--demo", help="Make a board that anybody may play with.")] = False,
    worker: Annotated[bool, typer.Option(help="Run a worker beside it; not, where others do.")] = True,
) -> None:
    """Host games: a site in the browser, with everything it keeps in a data folder.

    The first start makes the folder, the database and a link for the first admin. docs/hosting.md tells how to run it
    for others, on one machine or many.

    For example:

      gamesmaster serve --demo
      gamesmaster serve --data /var/lib/gamesmaster --port 8000
    """
    _begin(data, make=True, base=f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{port}")
    from contextlib import nullcontext

    from django.conf import settings

    from gamesmaster.host import serving

    serving.migrate()
    words = serving.first_words(settings.BASE_URL, demo)
    with serving.BesideWorker() if worker else nullcontext():
        serving.run_site(host, port, lambda: say("\n".join(words)))


def worker(data: Data = None) -> None:
    """Keep the deadlines of a site: adjudicate what is due, send what waits; any number may run.

    For example:

      gamesmaster worker --data /var/lib/gamesmaster
    """
    _begin(data)
    from gamesmaster.host import edition, serving

    edition.check()
    serving.run_worker()


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.", show_default=False)], data: Data = None
) -> None:
    """Write everything a site keeps to a file, while it runs; keep it safe, for secret orders are in it.

    For example:

      gamesmaster backup monday.gz --data /var/lib/gamesmaster
    """
    _begin(data)
    from gamesmaster.host.backup import backup as write

    say(f"{many(write(file), 'row')} in {file}")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What backup wrote.", show_default=False)],
    data: Data = None,
) -> None:
    """Fill an empty site from a backup; mails that waited are held, and deadlines move on when it is begun.

    For example:

      gamesmaster restore monday.gz --data /var/lib/gamesmaster-anew
    """
    _begin(data, make=True)
    from gamesmaster.host import serving
    from gamesmaster.host.backup import restore as read

    serving.migrate()
    say(f"{many(read(file), 'row')} from {file}")


def _begin(data: Path | None, *, make: bool = False, base: str = "") -> None:
    """Find or make the data folder, and start Django; raises `NotFound` if its parts are not installed."""
    if data is not None:
        os.environ["GAMESMASTER_DATA"] = str(data.absolute())
    if base:
        os.environ.setdefault("GAMESMASTER_BASE_URL", base)
    try:
        from gamesmaster.host import boot, places
    except ImportError as error:
        raise NotFound(f"no {error.name}", hint="pip install 'gamesmaster[host]'") from None
    if make:
        places.make_data_folder()
    if not places.read_secret():
        hint = f"gamesmaster serve makes it, or GAMESMASTER_SECRET with {places.SHORTEST_SECRET} characters or more"
        raise NotFound(f"no secret in {places.data_folder()}", hint=hint)
    try:
        boot.boot()
    except ImportError as error:
        raise NotFound(f"no {error.name}", hint="pip install 'gamesmaster[host]'") from None
