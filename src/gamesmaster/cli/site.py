"""The site that a command works on: the option that names its data folder, and how it is started."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from gamesmaster.errors import NotFound, install

Data = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="The data folder; gamesmaster-data here by default.")
]


def begin(data: Path | None, *, make: bool = False, base: str = "") -> None:
    """Find or make the data folder, and start Django; raises `NotFound` if its parts are not installed."""
    if data is not None:
        os.environ["GAMESMASTER_DATA"] = str(data.absolute())
    try:
        from gamesmaster.host import boot
        from gamesmaster.host.site import places

        places.load_settings()
    except ImportError as error:
        raise NotFound(f"no {error.name}", hint=install("host")) from None
    if base:
        os.environ.setdefault("GAMESMASTER_BASE_URL", base)
    if make:
        places.make_data_folder()
    if not places.read_secret():
        hint = f"gamesmaster serve makes it, or GAMESMASTER_SECRET with {places.SHORTEST_SECRET} characters or more"
        raise NotFound(f"no secret in {places.data_folder()}", hint=hint)
    try:
        boot.boot()
    except ImportError as error:
        raise NotFound(f"no {error.name}", hint=install("host")) from None
