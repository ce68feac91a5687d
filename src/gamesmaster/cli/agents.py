"""`mcp`: a seat for a language model."""

from __future__ import annotations

from typing import Annotated

import typer

from gamesmaster.errors import GamesmasterError

Url = Annotated[
    str, typer.Argument(envvar="GAMESMASTER_URL", metavar="SITE", help="The site: https://games.example.org")
]
Token = Annotated[
    str, typer.Option(envvar="GAMESMASTER_TOKEN", help="A personal token; better in GAMESMASTER_TOKEN than here.")
]


def mcp(url: Url, token: Token = "") -> None:
    """Let a language model sit at your place at a site's tables, over standard input and output (MCP).

    It sees and does what your token may, and nothing else.

    For example:

      gamesmaster mcp https://games.example.org
    """
    from gamesmaster.host.api.client import Site

    try:
        from gamesmaster.host.api.agents import server
    except ImportError:
        raise GamesmasterError("MCP is not installed", hint="pip install 'gamesmaster[mcp]'") from None
    server(Site(url, token)).run("stdio")
