"""The answer to a mail, and the commands that ask questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from gamesmaster.errors import nearest
from gamesmaster.host.accounts import people
from gamesmaster.host.mailroom.addresses import Mailbox
from gamesmaster.host.mailroom.reading import Command
from gamesmaster.host.maps.downloads import table_in_words
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.access import look
from gamesmaster.host.tables.models import Table, TableState
from gamesmaster.host.tables.view import SEAT_STATES, BallotView, TableView, state_words

MOST_LISTED = 20
"""Maximum number of lines in any one list of the answer."""


@dataclass
class Answer:
    """The answer to a mail while the mail is handled: the writer, the game that is meant, and the lines so far."""

    user: User  # the writer
    box: Mailbox
    now: datetime
    table: Table | None = None
    power: str = ""  # the writer's power; "" if not one
    ordinal: int | None = None  # the phase that the address is for
    phase: str = ""  # code of the phase named in the mail
    written: datetime | None = None  # date of the mail
    lines: list[str] = field(default_factory=list)  # the answer so far
    attach: str = ""  # the map to attach, as in `OutMail.attach`
    refusals: int = 0  # number of refusals
    lacks: str = ""  # why orders of this mail may not be saved, so that nothing may be final because of it

    @classmethod
    def of(cls, box: Mailbox, now: datetime, written: datetime | None = None) -> Answer:
        """Return an empty answer to a mail to this address."""
        assert box.user is not None
        ordinal = box.ordinal if box.table else None
        return cls(box.user, box, now, box.table, box.power, ordinal, written=written)

    @property
    def view(self) -> TableView:
        """Return the current table as the writer may see it; raise `Refused` if no table is meant."""
        return look(self._require_table().key, self.user)

    @property
    def number(self) -> int:
        """Return the primary key of the table; raise `Refused` if no table is meant."""
        return self._require_table().pk

    def _require_table(self) -> Table:
        if self.table is None:
            raise Refused("no-table", _("Which game do you mean?"), _("a line like: table abcdefghij"))
        return self.table

    def turn_to(self, key: str) -> None:
        """Switch to another table than the address names. The mail then has to name the phase."""
        if self.table is not None and self.table.key == key:
            return
        view = look(key, self.user)
        self.table = Table.objects.get(key=key)
        self.power = "" if view.sandbox or not view.viewer.powers else view.viewer.powers[0]
        self.ordinal = None

    def turn(self) -> tuple[TableView, int]:
        """Return the table, and the number of the phase that the mail is for.

        Raise `Refused` unless it is the current phase: a mail never counts for a phase other than its own.
        """
        view = self.view
        now = (
            _("orders are now due for {phase}; reply to the mail about that phase").format(phase=view.phase_code)
            if view.phase_code
            else ""
        )
        if self.phase:
            if self.phase != view.phase_code:
                raise Refused("not-this-phase", _("{phase} is not the phase being played."), now, phase=self.phase[:24])
            return view, view.ordinal
        if self.ordinal is None:
            raise Refused(
                "which-phase",
                _("Which phase do you mean?"),
                _("a line like: phase {phase}").format(phase=view.phase_code or "S1901M"),
            )
        if self.ordinal != view.ordinal:
            over = view.records[self.ordinal].phase.code if self.ordinal < len(view.records) else _("another phase")
            raise Refused(
                "not-this-phase", _("Your mail is about {over}, which is not the phase being played."), now, over=over
            )
        return view, self.ordinal

    def say(self, *lines: str, **values: object) -> None:
        """Append lines to the answer; `values` fill their placeholders."""
        self.lines += [line for text in lines for line in (text.format(**values) if values else text).split("\n")]

    def head(self, *lines: str) -> None:
        """Quote lines of the mail, to be answered below."""
        self.lines += ([""] if self.lines else []) + [f"> {line[:200]}" for line in lines]

    def refuse(self, refused: Refused) -> None:
        """Append a refusal to the answer."""
        self.refusals += 1
        hint = f" ({refused.hint})" if refused.hint else ""
        self.say(_("Not done: {what}{hint}").format(what=refused.what, hint=hint))


LONGEST_ANSWER = 200_000  # characters of a history
MOST_TABLES = 50


def status(answer: Answer, command: Command) -> None:
    """Report players, orders due, deadline and open votes."""
    if answer.table is None:
        _own_tables(answer)
        return
    view = answer.view
    phase, state = view.phase_name or _("not begun"), state_words(view.state)
    answer.say(f"{view.name} ({view.key}): {view.variant_name}, {phase}, {state}")
    if view.deadline:
        answer.say(
            _("Orders are due by {time} ({own_time})."),
            time=view.deadline_wall,
            own_time=people.own_time(answer.user, view.deadline),
        )
    if view.outcome:
        answer.say(view.outcome.text)
    for seat in view.seats:
        units = ngettext("{number} unit", "{number} units", seat.units).format(number=seat.units)
        words = [
            seat.player or _("nobody"),
            ngettext("{number} centre", "{number} centres", seat.centres).format(number=seat.centres),
            _("{units} in sight").format(units=units) if view.partial and not seat.own else units,
            seat.asked,
        ]
        words += (
            [_("orders are in")] if seat.sent else [_("no orders yet")] if seat.sent is False and seat.asked else []
        )
        words += [_("ready")] if seat.ready else []
        words += [str(SEAT_STATES[seat.state])] if seat.state in SEAT_STATES else []
        own = f" {_('(you)')}" if seat.own else ""
        answer.say(f"  {seat.power or _('a seat')}: {', '.join(t for t in words if t)}{own}")
    for ballot in view.ballots:
        answer.say(f"  {_('Proposed:')} {_proposal(ballot)}")


def _proposal(ballot: BallotView) -> str:
    """Return a proposal as a line: how many agree, who, and whether the reader does."""
    words = [_("{count} agree").format(count=ballot.count)] if ballot.count is not None else []
    words += [_("{needed} must agree").format(needed=ballot.needed)] if ballot.needed is not None else []
    words += [", ".join(ballot.powers)] if ballot.powers else []
    words += [_("you agree")] if ballot.own else []
    return ballot.title + (f" ({'; '.join(words)})" if words else "")


def report(answer: Answer, command: Command) -> None:
    """Report the results of the phase named, or of the last one."""
    view = answer.view
    answer.say(view.report(_ordinal(view, command.words[0])))


def history(answer: Answer, command: Command) -> None:
    """Report the results of all phases."""
    text = answer.view.history()
    answer.say(text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]}\n{_('(The rest is on the site.)')}")


def map_(answer: Answer, command: Command) -> None:
    """Attach the map of a phase to the answer."""
    before, code, after = command.words
    view = answer.view
    number = _ordinal(view, code) if code and code.upper() != view.phase_code else None
    kind = before or after or "png"
    answer.attach = f"{kind} {view.ordinal if number is None else number}"
    answer.say(_("The map is attached, as {kind}."), kind=kind.upper())


def board(answer: Answer, command: Command) -> None:
    """Describe the board in words."""
    answer.say(table_in_words(answer.view))


def open_tables(answer: Answer, command: Command) -> None:
    """List the games that can be joined, and the writer's own."""
    _own_tables(answer)
    answer.say(_("Games with a free seat:"))
    lines = list(islice(_free_seats(answer.user), MOST_TABLES))
    answer.say(*(lines or [_("  none at the moment")]))


def _free_seats(user: User) -> Iterator[str]:
    """Yield a line for each forming game with a seat that anybody may take, oldest first."""
    tables = Table.objects.filter(state=TableState.FORMING, sandbox=False).order_by("created")
    for table in tables:
        if store.settings_of(table).join != "open":
            continue
        view = access.look(table.key, user)
        taken, places = len(view.seats), len(view.variant.powers)
        if taken < places:
            seats = ngettext("{taken} of {seats} seat taken", "{taken} of {seats} seats taken", places)
            yield f"  {view.key}: {view.name} ({view.variant_name}), {seats.format(taken=taken, seats=places)}"


def _own_tables(answer: Answer) -> None:
    answer.say(_("Your games:"))
    seats = answer.user.seats.exclude(state="left").select_related("table").order_by("-pk")[:MOST_TABLES]
    for seat in seats:
        table = seat.table
        due = (
            _(", orders due by {own_time}").format(own_time=people.own_time(answer.user, table.deadline))
            if table.deadline
            else ""
        )
        phase = table.phase_code or state_words(table.state)
        answer.say(f"  {table.key}: {table.name}, {seat.power or _('no power yet')}, {phase}{due}")


def _ordinal(view: TableView, code: str) -> int | None:
    """Return the number of a finished phase, None for an empty code; raise `Refused` for an unknown one."""
    if not code:
        return None
    codes = [record.phase.code for record in view.records]
    if code.upper() not in codes:
        raise Refused(
            "no-phase", _("There are no results for a phase {code}."), nearest(code, codes), code=code.upper()[:24]
        )
    return codes.index(code.upper())
