"""`mcp`: a seat for a language model."""

from __future__ import annotations

from typing import Annotated

import typer

from gamesmaster.errors import GamesmasterError, install

Url = Annotated[
    str, typer.Argument(envvar="GAMESMASTER_URL", metavar="SITE", help="The site: https://games.example.org")
]
Token = Annotated[
    str, typer.Option(envvar="GAMESMASTER_TOKEN", help="A personal token; safer in GAMESMASTER_TOKEN than here.")
]


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
