"""Corrections of the board of a running game by the people who run it, their undoing, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.errors import BadFile, GamesmasterError
from gamesmaster.game import Game, changes, corrected_position, seen_by
from gamesmaster.game.state_models import BoardEntry
from gamesmaster.host.games import deadlines, standbys
from gamesmaster.host.orders import drafts
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, notifications, store
from gamesmaster.host.tables.models import NOT_OVER, Ballot, Sheet, Table, TableState
from gamesmaster.host.tables.notifications import Reader
from gamesmaster.host.tables.view import this_game_is
from gamesmaster.rules import limits_sight
from gamesmaster.schemas import validate


@dataclass(frozen=True, slots=True)
class Wanted:
    """A correction that somebody wants: the board as a document, the phase ("" for the current one), the reason."""

    board: BoardEntry
    why: str
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """A game as a correction would leave it, and what it changes, a sentence each."""

    game: Game
    changes: list[str]

    @property
    def mark(self) -> str:
        """Return what identifies the corrected board and phase."""
        return f"{self.game.phase.code} {self.game.position.digest}"


def attempt(game: Game, wanted: Wanted) -> Trial:
    """Return a game as a correction would leave it; raise `Refused` if it is impossible."""
    try:
        phase = game.variant.calendar.read(wanted.phase) if wanted.phase else None
        corrected = game.correct(corrected_position(game.state, wanted.board), wanted.why, phase=phase)
    except GamesmasterError as error:
        what = f"{error.where}: {error.what}" if error.where else error.what
        raise Refused("bad-board", f"{what[:1].upper()}{what[1:]}.", error.hint) from error
    return Trial(corrected, changes(game.variant, corrected.corrections[-1], corrected))


def preview(table: Table, ordinal: int, wanted: Wanted, by: User | None) -> Trial:
    """Return what a correction would change; nothing is stored. Raise `Refused` for those who do not run the game."""
    access.must_run(table, by)
    store.check_turn(table, ordinal)
    return attempt(_whole_game(table, by), wanted)


def _whole_game(table: Table, by: User | None) -> Game:
    """Return the game of a table; raise `Refused` for an admin where parts of the board are hidden."""
    game = store.load(table)
    if limits_sight(game.rules) and not (store.opens_to(table, by) or store.is_gm(table, by)):
        raise Refused("not-gm", _("Only the Gamesmaster sees the whole board of this game."))
    return game


def correct(
    table: Table | int, ordinal: int, wanted: Wanted, by: User | None, *, seen: str = "", now: datetime | None = None
) -> None:
    """Correct the board of the phase with this ordinal, and notify all players of the changes and the reason.

    Saved orders stay, and their players are notified of those that are no longer possible. Nobody is ready, and votes
    are withdrawn. The phase gets a new deadline, not earlier than the one it has. With `seen`, the mark of a trial, the
    correction must lead to the same board. Raise `Refused`.
    """
    with _open(table, ordinal, by, now) as (row, game, at):
        trial = attempt(game, wanted)
        if seen and seen != trial.mark:
            raise Refused("newer", _("The board has been changed meanwhile."), _("preview the correction again"))
        why = trial.game.corrections[-1].why
        _bring_in(row, trial.game, at)
        _tell(row, game, trial.game, by, at)
        store.audit(by, gettext_lazy("corrected the board: {why}"), row, at, why=why)


def undo(table: Table | int, ordinal: int, by: User | None, *, now: datetime | None = None) -> None:
    """Take back the last correction of the phase with this ordinal, and notify all players; raise `Refused`."""
    with _open(table, ordinal, by, now) as (row, game, at):
        if not game.corrections:
            raise Refused("not-corrected", _("The board of this phase has not been corrected."))
        before = game.undo_correction()
        _bring_in(row, before, at)
        _tell(row, game, before, by, at)
        store.audit(by, gettext_lazy("undid the last correction of the board"), row, at)


@contextmanager
def _open(
    table: Table | int, ordinal: int, by: User | None, now: datetime | None
) -> Iterator[tuple[Table, Game, datetime]]:
    """Lock a table whose current phase may be corrected by this person now; raise `Refused`."""
    with store.lock(table) as row:
        at = now or clock.now()
        access.must_run(row, by)
        if row.state not in NOT_OVER or row.state == TableState.FORMING:
            raise Refused("not-running", this_game_is(row.state))
        store.check_quiet(row, at)
        store.check_turn(row, ordinal)
        yield row, _whole_game(row, by), at


def _bring_in(table: Table, game: Game, now: datetime) -> None:
    """Store a game with another board, for a table under lock. Orders stay, votes and readiness do not."""
    Sheet.objects.filter(table=table, ordinal=table.ordinal).update(confirmed=False, hold=False)
    Ballot.objects.filter(table=table, ordinal=table.ordinal).delete()
    standbys.forget(table)
    if table.state == TableState.RUNNING:
        table.graced, table.reminded = -1, -1
        left = table.deadline - now if table.deadline else timedelta(0)
        deadlines.begin_phase(table, game, now, at_least=max(left, timedelta(0)))
    else:  # the clock stands still
        store.keep(table, game)
        table.save()


def _tell(table: Table, before: Game, after: Game, by: User | None, now: datetime) -> None:
    """Notify all players of a correction, or that one was undone: what they see of it, and orders that it voids."""
    if table.sandbox:
        return
    sheets = table.sheets.filter(ordinal=table.ordinal)
    void = {sheet.power: _impossible(seen_by(after, (sheet.power,)), sheet) for sheet in sheets}

    def seen(reader: Reader) -> str:
        stages = (seen_by(game, (reader.power,)) for game in (before, after))
        return "\n".join(f"  {change}" for change in changes(after.variant, *stages))

    def orders(reader: Reader) -> str:
        lines = void.get(reader.power, [])
        head = _("These orders of yours are not possible any more. They stay saved until you send others:")
        return "\n".join([head, *(f"  {line}" for line in lines)]) if lines else ""

    name, why = "uncorrected", ""
    if len(after.corrections) > len(before.corrections):
        name, why = "corrected", after.corrections[-1].why
    doer = notifications.doer(table, by)
    written = notifications.write(table, name, after, doer=doer, why=why, changes=seen, orders=orders)
    correspondence.notify(table, written, now)


def _impossible(game: Game, sheet: Sheet) -> list[str]:
    """Return the saved orders that have no effect in this game, as their power sees it."""
    try:
        return [lack.subject for lack in drafts.look_over(game, sheet.power, sheet.lines).faults]
    except Refused:  # the power is eliminated
        return sheet.lines


_HEADS = re.compile(r"(reason|phase|.{1,60}?)( owns| must retreat)? ?: ?(.*)", re.IGNORECASE)
_OUT = re.compile(r"(.+?)(?: from (.+?))?(?: to (.+))?", re.IGNORECASE)


def split_words(text: str, marks: str = ",;\n") -> list[str]:
    """Return the entries of a list written by a person, without empty ones."""
    return [word.strip() for word in re.split(f"[{marks}]", text) if word.strip()]


def read_dislodged(text: str) -> list[dict[str, object]]:
    """Return dislodged units written as `A TRI from VEN to ALB, BUD`, with semicolons or new lines between units."""
    found: list[dict[str, object]] = []
    for line in split_words(text, ";\n"):
        unit, origin, places = _OUT.fullmatch(line).groups("")  # type: ignore[union-attr]  # it matches any line
        found.append({"unit": unit, "from": origin, "retreats": split_words(places)})
    return found


def board_entry(data: dict[str, object]) -> BoardEntry:
    """Return a board as a document; raise `Refused`."""
    try:
        return validate(BoardEntry, data, BadFile)
    except BadFile as error:
        raise Refused("bad-board", f"{error.where}: {error.what}.", error.hint) from error


def read_text(text: str) -> Wanted:
    """Return the correction that lines of a mail describe; raise `Refused`.

    The lines are `reason: ...`, `phase: F1901M`, `France: A PAR, F BRE`, `France owns: PAR, BRE`, and
    `Austria must retreat: A TRI from VEN to ALB, BUD`.
    """
    why, phase = "", ""
    units, centers, dislodged = dict[str, object](), dict[str, object](), dict[str, object]()
    for line in filter(str.strip, text.split("\n")):
        parts = _HEADS.fullmatch(" ".join(line.split()))
        if parts is None:
            hint = _("write lines like “France: A PAR, F BRE” or “France owns: PAR, BRE”")
            raise Refused("bad-board", _("This line says nothing about the board: {line}."), hint, line=line[:100])
        head, kind, rest = parts[1], (parts[2] or "").strip().casefold(), parts[3]
        if head.casefold() == "reason":
            why = rest
        elif head.casefold() == "phase":
            phase = rest
        elif kind == "owns":
            centers[head] = split_words(rest)
        elif kind:
            dislodged[head] = read_dislodged(rest)
        else:
            units[head] = split_words(rest)
    said = {"units": units, "centers": centers, "dislodged": dislodged}
    return Wanted(board_entry({key: value for key, value in said.items() if value}), why, phase)
