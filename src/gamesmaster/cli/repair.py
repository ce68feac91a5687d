"""`repair`: games that were set apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.console import say
from gamesmaster.cli.site import Data, begin
from gamesmaster.errors import NotFound, OutOfTurn
from gamesmaster.files import write_whole

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def repair(
    key: Annotated[
        str,
        typer.Argument(metavar="[KEY]", help="The key of a game; by default all games that are stopped by a fault."),
    ] = "",
    retry: Annotated[bool, typer.Option("--retry", help="Resume it and adjudicate its phase.")] = False,
    back: Annotated[str, typer.Option("--back", metavar="PHASE", help="Take it back to a phase that is over.")] = "",
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Write its record to this file.")
    ] = None,
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="The admin in whose name this is done.")] = "",
    data: Data = None,
) -> None:
    """List the games that are stopped by a fault, or deal with one of them; without an option it only tries on a copy.

    A trial adjudicates a copy and saves nothing. Before anything is changed, the whole site is backed up into its data
    folder; the audit log notes what was done.

    For example:

      gamesmaster repair
      gamesmaster repair kmqdtrwvzx
      gamesmaster repair kmqdtrwvzx --retry
      gamesmaster repair kmqdtrwvzx --back F1903M --by keeper
    """
    begin(data)
    from gamesmaster.host.operations import upgrade

    upgrade.check()
    for line in _done(key, retry, back, export, by):
        say(line)


def _done(key: str, retry: bool, back: str, export: Path | None, by: str) -> list[str]:
    """What is told, after doing what is wanted."""
    from gamesmaster.host.operations import repairs

    if not key:
        return _listed()
    table, user, lines = repairs.find(key), _admin(by), list[str]()
    if export is not None:
        if export.exists():
            raise OutOfTurn("the file exists", where=str(export))
        write_whole(export, repairs.export(table).encode(), private=True)
        lines.append(f"The record is in {export}.")
    if retry or back:
        lines.append(f"A copy of the former state is in {_saved()}.")
    if back:
        repairs.back(table, back, user)
        lines.append(f"It is {back} again; all players are told.")
        table.refresh_from_db()
    if retry:
        lines.append(f"{table.phase_code}: {repairs.retry(table, user)}.")
    return lines or [repairs.trial(table), "Nothing was changed."]


def _listed() -> list[str]:
    from gamesmaster.host.operations import repairs

    found = repairs.apart()
    lines = [
        f"{one.key}  {one.phase:8}  {f'{one.since:%Y-%m-%d %H:%M}' if one.since else '-':16}  {one.why:24}  {one.name}"
        for one in found
    ]
    return lines or ["No game is stopped by a fault."]


def _admin(name: str) -> User | None:
    from django.contrib.auth.models import User

    if not name:
        return None
    found = User.objects.filter(username=name, is_superuser=True, is_active=True).first()
    if found is None:
        raise NotFound(f"no admin is called {name[:60]!r}")
    return found


def _saved() -> Path:
    """A backup of the whole site, in its data folder."""
    from django.conf import settings

    from gamesmaster.host.operations.backup import backup
    from gamesmaster.host.site import clock

    file: Path = settings.DATA / f"before-repair-{clock.now():%Y%m%dT%H%M%S}.gz"
    backup(file)
    return file
