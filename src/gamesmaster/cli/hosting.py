"""The parts of a site that run: `serve`, `worker`, `mailroom`; and `mcp`, a seat for a language model."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from gamesmaster.cli.console import many, say
from gamesmaster.errors import GamesmasterError, NotFound, install

Data = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="The data folder; gamesmaster-data here by default.")
]
Url = Annotated[
    str, typer.Argument(envvar="GAMESMASTER_URL", metavar="SITE", help="The site: https://games.example.org")
]
Token = Annotated[
    str, typer.Option(envvar="GAMESMASTER_TOKEN", help="A personal token; safer in GAMESMASTER_TOKEN than here.")
]


def begin(data: Path | None, *, make: bool = False, base: str = "") -> None:
    """Find or make the data folder, and start Django; raises `NotFound` if the folder or Django is missing.

    A process whose database is elsewhere needs no folder, unless one is named.
    """
    if data is not None:
        os.environ["GAMESMASTER_DATA"] = str(data.absolute())
    try:
        from gamesmaster.host import apps
        from gamesmaster.host.site import places

        places.load_settings()
    except ImportError as error:
        raise NotFound(f"no {error.name}", hint=install("host")) from None
    if base:
        os.environ.setdefault("GAMESMASTER_BASE_URL", base)
    folder, elsewhere = places.data_folder(), bool(os.environ.get("GAMESMASTER_DATABASE_URL"))
    if make:
        places.make_data_folder()
    elif not folder.is_dir() and (data is not None or not elsewhere):
        raise NotFound(f"no folder {folder}", hint="--data names that of a site; gamesmaster serve makes a new one")
    if not places.read_secret():
        hint = f"gamesmaster serve makes it, or GAMESMASTER_SECRET with {places.SHORTEST_SECRET} characters or more"
        raise NotFound(f"no secret in {folder}", hint=hint)
    try:
        apps.boot()
    except ImportError as error:
        raise NotFound(f"no {error.name}", hint=install("host")) from None


def serve(
    port: Annotated[int, typer.Option(help="The port to listen on.", min=1, max=65535)] = 8000,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    data: Data = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Create a sandbox that anybody can use, and a demonstration club.")
    ] = False,
    worker: Annotated[bool, typer.Option(help="Also run a worker, unless others run elsewhere.")] = True,
    variants: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder of variants of your own, offered beside the others.")
    ] = None,
) -> None:
    """Host games: a site in the browser, with everything it keeps in a data folder.

    The first start makes the folder, the database and a link for the first admin. docs/hosting.md tells how to run it
    for others, on one machine or many.

    For example:

      gamesmaster serve --demo
      gamesmaster serve --data /var/lib/gamesmaster --port 8000
      gamesmaster serve --variants my_variants
    """
    if variants is not None:
        os.environ["GAMESMASTER_VARIANTS"] = str(variants.absolute())
    name = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    here = f"http://{name}:{port}"
    begin(data, make=True, base=here)
    from contextlib import nullcontext

    from django.conf import settings

    from gamesmaster.host.operations import serving
    from gamesmaster.host.site import places
    from gamesmaster.host.tables import shelf

    shelf.operator_variants()  # a fault stops the program here
    serving.migrate()
    words = serving.first_words(settings.BASE_URL, demo=demo)

    def begun() -> None:
        if here == settings.BASE_URL:
            places.keep_address(here)
        say("\n".join(words))

    with serving.BesideWorker() if worker else nullcontext():
        serving.run_site(host, port, begun)


def worker(data: Data = None) -> None:
    """Keep the deadlines of a site: adjudicate what is due, send what waits; any number may run.

    For example:

      gamesmaster worker --data /var/lib/gamesmaster
    """
    begin(data)
    from gamesmaster.host.operations import serving, upkeep

    upkeep.check_database()
    serving.run_worker()


def mailroom(
    listen: Annotated[
        str, typer.Option(metavar="PLACE", help="Where to listen: ADDRESS:PORT, or unix:FILE.")
    ] = "127.0.0.1:8025",
    lmtp: Annotated[bool, typer.Option("--lmtp", help="Speak LMTP instead of SMTP.")] = False,
    dead: Annotated[
        bool, typer.Option("--dead", help="List the e-mails that could not be delivered, and exit.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Send those e-mails again, and exit.")] = False,
    data: Data = None,
) -> None:
    """Receive e-mails with orders, press and votes from a mail server, and answer them; the worker sends the answers.

    Set GAMESMASTER_MAIL_DOMAIN to the domain that players write to, and let its mail server pass on what arrives.
    docs/host-mail.md says how, and describes the commands that players can write.

    For example:

      gamesmaster mailroom --data /var/lib/gamesmaster
      gamesmaster mailroom --lmtp --listen unix:/run/gamesmaster/lmtp.sock
      gamesmaster mailroom --dead
    """
    begin(data)
    from django.conf import settings

    from gamesmaster.host.mailroom import delivery, intake
    from gamesmaster.host.operations import upkeep
    from gamesmaster.host.site import clock

    upkeep.check_database()
    if again:
        say(f"{many(delivery.try_again(clock.now()), 'mail')} will be sent again.")
        return
    if dead:
        for mail in delivery.dead_letters():
            key = mail.table.key if mail.table else "-"
            say(f"{mail.pk}  {mail.made:%Y-%m-%d %H:%M}  {mail.to}  {key}  {mail.event}  {mail.state}  {mail.why}")
        return
    where = intake.Listen.read(listen)
    words = f"Mails for {settings.MAIL_DOMAIN} are taken at {listen} ({'LMTP' if lmtp else 'SMTP'})."
    intake.run(where, settings.MAIL_DOMAIN, lmtp=lmtp, begun=lambda: say(words))


def mcp(url: Url, token: Token = "") -> None:
    """Let a language model play in your place in the games of a site, over standard input and output (MCP).

    It can see and do what your token allows, and nothing else.

    For example:

      gamesmaster mcp https://games.example.org
    """
    from gamesmaster.host.api.client import Site

    try:
        from gamesmaster.host.api.agents import server
    except ImportError:
        raise GamesmasterError("MCP is not installed", hint=install("mcp")) from None
    server(Site(url, token)).run("stdio")
