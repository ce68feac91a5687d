"""Tables as the API shows them: out of `viewing` alone."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User

from gamesmaster.board import Position
from gamesmaster.errors import NotFound, nearest
from gamesmaster.formats.ledger_data import ledger_data
from gamesmaster.formats.phase_data import ruling_data
from gamesmaster.game import Variant
from gamesmaster.game.state_file import position_data
from gamesmaster.game.tidings import tidings
from gamesmaster.host.api.shapes.desk import BallotOut, LackOut, ReceiptOut, RefusedOut, RulingOut, SheetOut
from gamesmaster.host.api.shapes.past import EventOut, LedgerOut, PhaseLine, PhaseOut
from gamesmaster.host.api.shapes.press import MessageOut
from gamesmaster.host.api.shapes.tables import PositionOut, SeatOut, TableOut
from gamesmaster.host.api.shapes.variants import VariantOut
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Receipt
from gamesmaster.host.service import live, orders, receipts, threads, viewing
from gamesmaster.host.service.viewing import TableView
from gamesmaster.judge import Ruling
from gamesmaster.judge.reader import Read


def look(key: str, user: User | None, invitation: str = "") -> TableView:
    """The table, as this person sees it; `Refused` with `no-table` if there is none for this person."""
    return viewing.look(key, user, invitation=invitation)


def own_power(view: TableView, name: str) -> str:
    """A power that the viewer orders for, by its name in any case of letters; a name left out is the only one."""
    mine = view.viewer.powers
    if not name and len(mine) == 1:
        return mine[0]
    known = [power.name for power in view.variant.powers]
    for power in known:
        if power.casefold() == name.casefold() and (power in mine or view.viewer.gm):
            return power
    hint = f"you give orders for {', '.join(mine)}" if mine else nearest(name, known)
    raise Refused("no-seat", f"You do not give orders for {name[:60] or 'a power'}.", hint)


def table_out(view: TableView) -> TableOut:
    """A table."""
    return TableOut(
        key=view.key,
        name=view.name,
        variant=view.variant.id,
        variant_name=view.variant_name,
        state=view.state,
        role=view.viewer.role,
        powers=list(view.viewer.powers),
        sandbox=view.sandbox,
        ordinal=view.ordinal,
        phase=view.phase_code,
        phase_name=view.phase_name,
        deadline=view.deadline,
        deadline_wall=view.deadline_wall,
        late_since=view.late_since,
        ready_at=view.ready_at,
        paused_why=view.paused_why,
        may_resume=view.may_resume,
        started=view.started,
        finished=view.finished,
        outcome=view.outcome.text if view.outcome else "",
        commitment=view.commitment,
        seed=view.seed,
        unread=threads.unread(view),
        seats=[_seat(seat) for seat in view.seats],
        settings=view.settings,
        version=live.stamp(view),
    )


def _seat(seat: viewing.SeatView) -> SeatOut:
    return SeatOut(**{name: getattr(seat, name) for name in SeatOut.model_fields})


def variant_out(variant: Variant) -> VariantOut:
    """A variant."""
    return VariantOut.model_validate(
        {
            "id": variant.id,
            "name": variant.name,
            "powers": [{"name": p.name, "homes": list(p.homes), "units": list(p.units)} for p in variant.powers],
            "provinces": {province.id: province.name for province in variant.board.provinces},
            "centres": [province.id for province in variant.board.provinces if province.centre],
            "options": [
                {"name": o.name, "says": o.says, "choices": list(o.choices), "default": o.default}
                for o in variant.options
            ],
            "digest": variant.digest,
        }
    )


def position_out(phase: str, position: Position) -> PositionOut:
    """The present position."""
    return PositionOut.model_validate({"phase": phase, **position_data(position)})


def ruling_out(ruling: Ruling) -> RulingOut:
    """What became of an order; of a unit without one, which unit."""
    told: dict[str, Any] = ruling_data(ruling)
    if not told["order"] and ruling.unit is not None:
        told["order"] = f"({ruling.name(ruling.unit)})"
    return RulingOut.model_validate(told)


def phase_line(view: TableView, ordinal: int) -> PhaseLine:
    """A phase that is over, in a list."""
    phase = view.record(ordinal).phase
    return PhaseLine(ordinal=ordinal, phase=phase.code, name=view.variant.calendar.name(phase))


def phase_out(view: TableView, ordinal: int) -> PhaseOut:
    """A phase that is over."""
    record = view.record(ordinal)
    told = ((event, tidings(view.variant, record.phase, event)) for event in record.events)
    events = [EventOut(kind=e.kind.value, power=e.power, text=one.text, clause=one.clause) for e, one in told]
    return PhaseOut(
        **phase_line(view, ordinal).model_dump(),
        position=position_out(record.phase.code, record.position),
        rulings=[ruling_out(ruling) for ruling in view.adjudication(ordinal).rulings],
        events=events,
    )


def ledger_out(view: TableView, ordinal: int | None = None) -> LedgerOut:
    """What is published beside the map; raises `Refused` before the game begins."""
    found = view.ledger(ordinal)
    if found is None:
        raise Refused("not-started", "The game has not begun.")
    return LedgerOut.model_validate(ledger_data(found))


def sheet_out(sheet: viewing.SheetView) -> SheetOut:
    """Orders that the viewer may see."""
    data = asdict(sheet)
    return SheetOut(orders=list(data.pop("lines")), **data)


def lack_out(lack: orders.Lack) -> LackOut:
    """Something that a set of orders lacks."""
    return LackOut(**asdict(lack))


def reading_out(read: Read) -> dict[str, Any]:
    """How a text was read, as fields of what is answered to it."""
    return {"refused": [RefusedOut(**no.told) for no in read.refused], "read_as": read.read_as}


def receipt_out(receipt: Receipt, view: TableView, read: Read) -> ReceiptOut:
    """A receipt, with the text that can be checked, what the stored set lacks, and how what was sent was read."""
    told = {name: getattr(receipt, name) for name in ("code", "power", "phase", "ordinal", "version", "at")}
    lacks = [lack_out(lack) for lack in orders.lacks_of(view, receipt.power)]
    return ReceiptOut(text=receipts.text_of(receipt), lacks=lacks, **told, **reading_out(read))


def ballot_out(ballot: viewing.BallotView) -> BallotOut:
    """A proposal that is known."""
    data = asdict(ballot)
    return BallotOut(winners=list(data.pop("winners")), powers=list(data.pop("powers")), **data)


def message_out(line: threads.Line) -> MessageOut:
    """A message."""
    m = line.message
    return MessageOut(
        number=line.number, phase_number=m.ordinal, thread=threads.key_of(m), sender=m.sender, to=list(m.to),
        text=m.text, sent_at=m.sent_at, own=m.own,
    )  # fmt: skip


def named_user(name: str) -> User:
    """The account of this name; raises `NotFound`."""
    found = User.objects.filter(username=name, is_active=True).first()
    if found is None:
        raise NotFound(f"nobody here is called {name[:60]!r}")
    return found
