"""`upgrade`: what would become of games under this program, before it is let at them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.arguments import edition_reader, finder
from gamesmaster.cli.console import AsJson, ExitCode, complain, many, progress_bar, say, say_json
from gamesmaster.cli.site import Data, begin
from gamesmaster.errors import NotFound

if TYPE_CHECKING:
    from gamesmaster.game.record_file import Survey

SHOWN = 3
"""Differences of a game that are told one by one; with --json all are."""


def upgrade(
    where: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[SITE|RECORD]...", help="A site's data folder, or games' files.", show_default=False),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Only check, and change nothing.")] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Say what this program would make of games that an older one has played; without --check bring a site up to date.

    Every phase that is over is judged again. The answer names games under an older edition of their variant (they go on
    with it, nothing changes for them), games with a phase that this program would judge differently (the posted results
    stay valid; their Gamesmaster can take them back), and games that it cannot read. The exit code is 1 if there are
    any of the last two kinds.

    Install the new release beside the old one, and let it check the site first. For example:

      gamesmaster upgrade --check /var/lib/gamesmaster
      gamesmaster upgrade --check winter.json summer.json
      gamesmaster upgrade --data /var/lib/gamesmaster
    """
    paths = where or []
    sites = [path for path in paths if path.is_dir()]
    if len(sites) > 1 or (sites and (data or len(paths) > 1)):
        raise typer.BadParameter("give either one site or files of games", param_hint="[SITE|RECORD]...")
    site = sites[0] if sites else data
    if not check:
        _bring_up_to_date(site, paths)
        return
    if paths and not sites:
        _tell(_records(paths), as_json=as_json)
        return
    _open(site)
    survey_site(as_json=as_json)


def survey_site(*, as_json: bool = False) -> None:
    """Tell what this program makes of every game of the site that was started; exit code 1 as `upgrade` has it."""
    _tell(_site(), as_json=as_json)


def _tell(found: Iterable[tuple[str, Survey]], *, as_json: bool) -> None:
    looked = list(found)
    _say(looked, as_json=as_json)
    if any(one.changed for _, one in looked):
        raise typer.Exit(ExitCode.FAILED)


def _bring_up_to_date(site: Path | None, paths: Iterable[Path]) -> None:
    if any(not path.is_dir() for path in paths):
        raise typer.BadParameter("files of games need no upgrade: they are read as they are", param_hint="RECORD")
    _open(site)
    from gamesmaster.host.operations import serving

    serving.migrate()
    say("The database is up to date.")


def _open(site: Path | None) -> None:
    """Start the site in a data folder, which must be there."""
    if site is not None and not site.is_dir():
        raise NotFound(f"no folder {site}")
    begin(site)


# -- looking ---------------------------------------------------------------------------------------------------------


def _records(paths: list[Path]) -> Iterator[tuple[str, Survey]]:
    from gamesmaster import strictjson
    from gamesmaster.game.record_file import LARGEST, survey

    with progress_bar() as tell:
        for number, path in enumerate(paths):
            tell(path.name, number, len(paths))
            yield (
                str(path),
                survey(strictjson.read_bytes(path, limit=LARGEST), find=finder(path.parent), read=edition_reader),
            )


def _site() -> Iterator[tuple[str, Survey]]:
    from gamesmaster.host.operations import upgrade as site

    if waits := site.changes_waiting():
        complain("note", f"{many(waits, 'change')} of the database would be made, on SQLite after a copy")
    with progress_bar(rate=True) as tell:
        total = site.count()
        for number, table in enumerate(site.surveyed()):
            tell(table.key, number, total)
            yield f"{table.key} ({table.name}, {table.state})", table.survey


# -- telling ---------------------------------------------------------------------------------------------------------


def _say(looked: list[tuple[str, Survey]], *, as_json: bool) -> None:
    counts = {
        "games": len(looked),
        "former_editions": sum(one.former for _, one in looked),
        "judged_otherwise": sum(bool(one.differences) for _, one in looked),
        "unreadable": sum(bool(one.fault) for _, one in looked),
    }
    if as_json:
        told = [_data(name, one) for name, one in looked if one.changed or one.former]
        say_json({**counts, "told": told})
        return
    for name, one in looked:
        for line in _lines(one):
            say(f"{name}: {line}")
    say(
        f"{many(counts['games'], 'game')}: {counts['former_editions']} by a former edition, "
        f"{counts['judged_otherwise']} with phases judged differently, {counts['unreadable']} unreadable."
    )


def _lines(one: Survey) -> Iterator[str]:
    if one.fault:
        yield f"cannot be read: {one.fault}"
    if one.former:
        yield f"goes on by {one.edition}"
    if one.differences:
        yield f"{', '.join(one.phases[:10])}{' ...' if len(one.phases) > 10 else ''} judged differently"
        yield from (f"  {difference}" for difference in one.differences[:SHOWN])
        if len(one.differences) > SHOWN:
            yield f"  and {len(one.differences) - SHOWN} more"


def _data(name: str, one: Survey) -> dict[str, Any]:
    different = [
        {"phase": d.phase, "what": d.what, "recorded": d.recorded, "found": d.found, "by_another": d.otherwise}
        for d in one.differences
    ]
    return {"game": name, "edition": one.edition, "former": one.former, "fault": one.fault, "differences": different}
