"""The upkeep of a site: `backup`, `restore`, `doctor`, `repair`, `upgrade`."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.arguments import edition_reader, finder
from gamesmaster.cli.console import AsJson, ExitCode, complain, many, progress_bar, say, say_json
from gamesmaster.cli.hosting import Data, begin
from gamesmaster.errors import NotFound, OutOfTurn
from gamesmaster.files import write_whole

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from gamesmaster.game import Survey

_SIGNS = {"green": "ok", "yellow": "see to", "red": "broken"}
SHOWN = 3
"""The number of a game's differences that are printed one by one; --json prints all."""


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file, or a folder for a file named by the time.")],
    keep: Annotated[
        int, typer.Option(metavar="N", help="In a folder: delete the oldest, so that N are left.", min=0)
    ] = 0,
    every: Annotated[
        float, typer.Option(metavar="HOURS", help="In a folder: keep going, with a new backup every N hours.", min=0)
    ] = 0,
    key: Annotated[
        list[str] | None, typer.Option("--key", metavar="KEY", help="Encrypt it for the owner of this public age key.")
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
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by backup.")],
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
            for name in ("GAMESMASTER_DATABASE_URL", "GAMESMASTER_SECRET"):
                os.environ[name] = ""  # on SQLite, whatever database the environment names
            begin(Path(folder), make=True)
            _fill_site(file, key)
            _tell_surveys(_survey_tables(), as_json=False)
        return
    begin(data, make=True)
    _fill_site(file, key)


def _fill_site(file: Path, key: Path | None) -> None:
    from gamesmaster.host.operations import serving
    from gamesmaster.host.operations.backup import restore as read

    backup = read(file, identity=key, migrate=serving.migrate)
    say(f"{many(backup.rows, 'row')} from {file}")
    for name, number in sorted(backup.left_out.items()):
        complain("warning", f"left out, because this version has no place for it: {name} ({number})")
    for note in backup.notes:
        complain("note", note)


# -- `doctor` --------------------------------------------------------------------------------------------------------


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
    from gamesmaster.host.operations.doctor import Colour, examine, worst
    from gamesmaster.host.site import clock

    findings = []
    for one in examine(clock.now, mend=mend, patience=patience if mail else 0.0):
        findings.append(one)
        if not as_json:
            sign = typer.style(f"{_SIGNS[one.colour.name.lower()]:8}", fg=one.colour.name.lower(), bold=True)
            typer.echo(sign, nl=False)
            say(f"{one.check}: {one.text}" + (f" ({one.advice})" if one.advice else ""))
    if as_json:
        say_json({"colour": worst(findings).name.lower(), "found": [one.data for one in findings]})
    if worst(findings) is Colour.RED:
        raise typer.Exit(ExitCode.FAILED)


# -- `repair` --------------------------------------------------------------------------------------------------------


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
    from gamesmaster.host.operations import upkeep

    upkeep.check_database()
    for line in _repair(key, retry=retry, back=back, export=export, by=by):
        say(line)


def _repair(key: str, *, retry: bool, back: str, export: Path | None, by: str) -> list[str]:
    """Carry out the requested operations, and return the lines to print."""
    from gamesmaster.host.operations import upkeep

    if not key:
        return _stopped_games()
    table, user, lines = upkeep.find_table(key), _admin(by), list[str]()
    if export is not None:
        if export.exists():
            raise OutOfTurn("the file exists", where=str(export))
        write_whole(export, upkeep.export(table).encode(), private=True)
        lines.append(f"The record is in {export}.")
    if retry or back:
        lines.append(f"A copy of the former state is in {_backup_site()}.")
    if back:
        upkeep.take_back(table, back, user)
        lines.append(f"It is {back} again; all players are told.")
        table.refresh_from_db()
    if retry:
        lines.append(f"{table.phase_code}: {upkeep.retry(table, user)}.")
    return lines or [upkeep.trial(table), "Nothing was changed."]


def _stopped_games() -> list[str]:
    from gamesmaster.host.operations import upkeep

    games = upkeep.apart()
    lines = [
        f"{one.key}  {one.phase:8}  {f'{one.since:%Y-%m-%d %H:%M}' if one.since else '-':16}  {one.why:24}  {one.name}"
        for one in games
    ]
    return lines or ["No game is stopped by a fault."]


def _admin(name: str) -> User | None:
    from django.contrib.auth.models import User

    if not name:
        return None
    user = User.objects.filter(username=name, is_superuser=True, is_active=True).first()
    if user is None:
        raise NotFound(f"no admin is called {name[:60]!r}")
    return user


def _backup_site() -> Path:
    """Return a backup of the whole site, in its data folder."""
    from django.conf import settings

    from gamesmaster.host.operations.backup import backup
    from gamesmaster.host.site import clock

    file: Path = settings.DATA / f"before-repair-{clock.now():%Y%m%dT%H%M%S}.gz"
    backup(file)
    return file


# -- `upgrade` -------------------------------------------------------------------------------------------------------


def upgrade(
    where: Annotated[
        list[Path] | None, typer.Argument(metavar="[SITE|RECORD]...", help="A site's data folder, or games' files.")
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
        if len(sites) < len(paths):
            raise typer.BadParameter("files of games need no upgrade: they are read as they are", param_hint="RECORD")
        begin(site)
        from gamesmaster.host.operations import serving

        serving.migrate()
        say("The database is up to date.")
        return
    if paths and not sites:
        _tell_surveys(_survey_records(paths), as_json=as_json)
        return
    begin(site)
    _tell_surveys(_survey_tables(), as_json=as_json)


def _survey_records(paths: list[Path]) -> Iterator[tuple[str, Survey]]:
    from gamesmaster import strictjson
    from gamesmaster.game import LARGEST_RECORD, survey

    with progress_bar() as tell:
        for number, path in enumerate(paths):
            tell(path.name, number, len(paths))
            yield (
                str(path),
                survey(
                    strictjson.read_bytes(path, limit=LARGEST_RECORD), find=finder(path.parent), read=edition_reader
                ),
            )


def _survey_tables() -> Iterator[tuple[str, Survey]]:
    from gamesmaster.host.operations import upkeep as site

    if waits := site.changes_waiting():
        complain("note", f"{many(waits, 'change')} of the database would be made, on SQLite after a copy")
    with progress_bar(rate=True) as tell:
        total = site.count_tables()
        for number, table in enumerate(site.survey_tables()):
            tell(table.key, number, total)
            yield f"{table.key} ({table.name}, {table.state})", table.survey


def _tell_surveys(surveys: Iterable[tuple[str, Survey]], *, as_json: bool) -> None:
    """Print what this program makes of games; exit code 1 as `upgrade` has it."""
    looked = list(surveys)
    counts = {
        "games": len(looked),
        "former_editions": sum(one.former for _, one in looked),
        "judged_otherwise": sum(bool(one.differences) for _, one in looked),
        "unreadable": sum(bool(one.fault) for _, one in looked),
    }
    if as_json:
        data = [_survey_data(name, one) for name, one in looked if one.changed or one.former]
        say_json({**counts, "told": data})
    else:
        for name, one in looked:
            for line in _survey_lines(one):
                say(f"{name}: {line}")
        say(
            f"{many(counts['games'], 'game')}: {counts['former_editions']} by a former edition, "
            f"{counts['judged_otherwise']} with phases judged differently, {counts['unreadable']} unreadable."
        )
    if any(one.changed for _, one in looked):
        raise typer.Exit(ExitCode.FAILED)


def _survey_lines(one: Survey) -> Iterator[str]:
    if one.fault:
        yield f"cannot be read: {one.fault}"
    if one.former:
        yield f"goes on by {one.edition}"
    if one.differences:
        yield f"{', '.join(one.phases[:10])}{' ...' if len(one.phases) > 10 else ''} judged differently"
        yield from (f"  {difference}" for difference in one.differences[:SHOWN])
        if len(one.differences) > SHOWN:
            yield f"  and {len(one.differences) - SHOWN} more"


def _survey_data(name: str, one: Survey) -> dict[str, Any]:
    different = [
        {"phase": d.phase, "what": d.what, "recorded": d.recorded, "found": d.found, "by_another": d.otherwise}
        for d in one.differences
    ]
    return {"game": name, "edition": one.edition, "former": one.former, "fault": one.fault, "differences": different}
