"""API of the Gamesmaster: actions, webhooks, and remarks on playability."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Path, Router, Schema, Status
from pydantic import Field

from gamesmaster.game import LONGEST_REASON, ToldCorrection
from gamesmaster.game.state_models import BoardEntry
from gamesmaster.host.accounts.people import named_user
from gamesmaster.host.api.callers import (
    Done,
    Given,
    Moment,
    Name,
    Number,
    OrderSet,
    Ordinal,
    PathNumber,
    caller,
    own_power,
    person,
)
from gamesmaster.host.games import deadlines, seats
from gamesmaster.host.games.api import PositionOut, TableOut, position_out
from gamesmaster.host.gm import desk, helpers, hooks, remarks
from gamesmaster.host.gm.remarks import Question, Remark
from gamesmaster.host.orders import drafts
from gamesmaster.host.orders.api import ReceiptOut, RulingOut, WishIn, receipt_out, ruling_out
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import corrections, past, processing
from gamesmaster.host.phases.api import BackIn, CorrectionOut
from gamesmaster.host.phases.corrections import Wanted
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.access import look, row_of
from gamesmaster.host.tables.models import AuditLine, Table, WebHook
from gamesmaster.host.tables.view import TableView


class ExtendIn(Given):
    """A new deadline."""

    until: Moment


class ReplaceIn(Given):
    """The player who takes over a power, by name."""

    power: Name
    user: Annotated[str, Field(max_length=150)]


class HelperIn(Given):
    """A person, by name."""

    user: Annotated[str, Field(max_length=150)]


class OverrideIn(Given):
    """Orders entered by the Gamesmaster."""

    ordinal: Ordinal
    orders: OrderSet


class CorrectionIn(Given):
    """A correction of the board, for the phase with this number: what is changed, and why."""

    ordinal: Ordinal
    why: Annotated[str, Field(max_length=LONGEST_REASON, description="all players read it")]
    phase: Name = Field(
        default="", description="code of the phase to be played from now on; the current one by default"
    )
    board: BoardEntry = Field(
        default=BoardEntry.model_validate({}),
        description="powers that `units`, `centers` or `dislodged` do not name keep theirs",
    )
    seen: Annotated[str, Field(max_length=100)] = Field(
        default="", description="from a preview: refuses the correction if it would lead to another board now"
    )

    @property
    def wanted(self) -> Wanted:
        """Return the correction."""
        return Wanted(self.board, self.why, self.phase)


class TrialOut(Schema):
    """What a correction would change, and the board after it; `seen` identifies that board."""

    seen: str
    changes: list[str]
    position: PositionOut


class AnnounceIn(Given):
    """A message to all players in the Gamesmaster's name."""

    text: Annotated[str, Field(max_length=10_000)]


class HookIn(Given):
    """The address of a webhook."""

    url: Annotated[str, Field(max_length=500)]
    events: list[Name] = Field(default=[], max_length=10)
    form: Literal["json", "discord"] = Field(default="json", description="`discord` for the webhook of a channel there")


class HookOut(Schema):
    """A webhook; its `secret` is shown once, when it is set."""

    id: int
    url: str
    events: list[str]
    form: str
    failures: int
    secret: str = ""


class AuditOut(Schema):
    """A line of the audit log; never an order, a vote or press."""

    at: datetime
    who: str = Field("", alias="who.username")
    what: str
    table: str = Field("", alias="table.key")


router = Router()


def _look_up(request: HttpRequest, key: str) -> tuple[User | None, TableView, Table]:
    user = caller(request, "gm")
    view = look(key, user)
    return user, view, row_of(view)


@router.post("/{slug:key}/process", response=TableOut)
def process(request: HttpRequest, key: str, given: WishIn) -> TableView:
    """Process the phase with this number now."""
    user, _, table = _look_up(request, key)
    done = processing.ask(table, given.ordinal, user)
    if done not in (processing.Done.PROCESSED, processing.Done.ALREADY):
        raise Refused("not-processed", f"The phase was not processed: {done.value}.", "try again in a moment")
    return look(key, user)


@router.get("/{slug:key}/preview", response=list[RulingOut])
def preview(request: HttpRequest, key: str) -> list[dict[str, object]]:
    """The results that the orders sent so far would have; the log notes that you looked."""
    user, _, table = _look_up(request, key)
    return [ruling_out(ruling) for ruling in processing.preview(table, user).rulings]


@router.post("/{slug:key}/extend", response=TableOut)
def extend(request: HttpRequest, key: str, given: ExtendIn) -> TableView:
    """Move the deadline."""
    user, _, table = _look_up(request, key)
    if given.until.tzinfo is None:
        raise Refused("bad-time", "A time must have a zone.", "2027-01-05T20:00:00Z")
    deadlines.extend(table, user, given.until)
    return look(key, user)


@router.post("/{slug:key}/pause", response=Done)
def pause(request: HttpRequest, key: str) -> Done:
    """Stop the clock."""
    user, _, table = _look_up(request, key)
    deadlines.pause(table, user)
    return Done()


@router.post("/{slug:key}/resume", response=Done)
def resume(request: HttpRequest, key: str) -> Done:
    """Start the clock again. In a game without a Gamesmaster, its owner can do this."""
    user, _, table = _look_up(request, key)
    deadlines.resume(table, user)
    return Done()


@router.post("/{slug:key}/rollback", response=TableOut)
def rollback(request: HttpRequest, key: str, given: BackIn) -> TableView:
    """Take the game back to a phase. All players are notified; receipts for later phases become void."""
    user, _, table = _look_up(request, key)
    past.rollback(table, given.ordinal, user)
    return look(key, user)


@router.get("/{slug:key}/corrections", response=list[CorrectionOut])
def known_corrections(request: HttpRequest, key: str) -> list[ToldCorrection]:
    """The corrections of the board in the current phase, oldest first; for everybody who may see the game."""
    return look(key, caller(request)).corrections()


@router.post("/{slug:key}/corrections/preview", response=TrialOut)
def preview_correction(request: HttpRequest, key: str, given: CorrectionIn) -> dict[str, object]:
    """The board as a correction would leave it; nothing is changed."""
    user, _, table = _look_up(request, key)
    trial = corrections.preview(table, given.ordinal, given.wanted, user)
    game = trial.game
    return {"seen": trial.mark, "changes": trial.changes, "position": position_out(game.phase.code, game.position)}


@router.post("/{slug:key}/corrections", response=TableOut)
def correct(request: HttpRequest, key: str, given: CorrectionIn) -> TableView:
    """Correct the board or the phase. All players are notified of the changes and the reason."""
    user, _, table = _look_up(request, key)
    corrections.correct(table, given.ordinal, given.wanted, user, seen=given.seen)
    return look(key, user)


@router.post("/{slug:key}/corrections/undo", response=TableOut)
def undo_correction(request: HttpRequest, key: str, given: BackIn) -> TableView:
    """Take back the last correction of the current phase. All players are notified."""
    user, _, table = _look_up(request, key)
    corrections.undo(table, given.ordinal, user)
    return look(key, user)


@router.post("/{slug:key}/replace", response=TableOut)
def replace(request: HttpRequest, key: str, given: ReplaceIn) -> TableView:
    """Give a power to another player."""
    user, view, table = _look_up(request, key)
    if not view.viewer.owner:  # the owner may fill lost seats
        access.must_run(table, user)
    seats.replace(table, view.variant.power(given.power).name, named_user(given.user), user)
    return look(key, user)


@router.put("/{slug:key}/override/{power}", response=ReceiptOut)
def override(request: HttpRequest, key: str, power: str, given: OverrideIn) -> dict[str, object]:
    """Enter orders for a power in place of its player; all players are notified."""
    user, view, table = _look_up(request, key)
    name = own_power(view, power)
    made = desk.override(table, name, given.orders, user, Submission(given.ordinal))
    return receipt_out(made, look(key, user), drafts.sheet_of(view.bare_game, name, given.orders))


@router.post("/{slug:key}/announce", response=Done)
def announce(request: HttpRequest, key: str, given: AnnounceIn) -> Done:
    """Write to all players in the Gamesmaster's name."""
    user, _, table = _look_up(request, key)
    desk.tell_all(table, user, given.text)
    return Done()


@router.get("/{slug:key}/helpers", response=list[str])
def known_helpers(request: HttpRequest, key: str) -> list[str]:
    """The names of the Gamesmaster's helpers; for the people who run the game."""
    user, _, table = _look_up(request, key)
    access.must_run(table, user)
    return [one.username for one in helpers.helpers_of(table)]


@router.post("/{slug:key}/helpers", response={201: list[str]})
def name_helper(request: HttpRequest, key: str, given: HelperIn) -> Status[list[str]]:
    """Name a helper, as Gamesmaster: somebody who can do what you can, except naming others."""
    user, _, table = _look_up(request, key)
    helpers.name(table, given.user, user)
    return Status(201, [one.username for one in helpers.helpers_of(table)])


@router.delete("/{slug:key}/helpers/{user}", response=Done)
def drop_helper(request: HttpRequest, key: str, user: Annotated[str, Path(max_length=150)]) -> Done:
    """End somebody's help: as Gamesmaster, or your own."""
    by, _, table = _look_up(request, key)
    helpers.drop(table, user, by)
    return Done()


@router.get("/{slug:key}/log", response=list[AuditOut])
def log(request: HttpRequest, key: str) -> QuerySet[AuditLine]:
    """The log of the game, newest entries first; for the people who run it."""
    user, _, table = _look_up(request, key)
    access.must_run(table, user)
    return table.audit.select_related("who", "table").order_by("-at", "-pk")[:200]


@router.get("/{slug:key}/course/{power}", response=list[desk.Course])
def course(request: HttpRequest, key: str, power: str) -> list[desk.Course]:
    """A power phase by phase, compared with the average, and who attacked it; for the people who run the game."""
    user, view, table = _look_up(request, key)
    access.must_run(table, user)
    return desk.course_of(view, view.variant.power(power).name) if view.begun else []


@router.get("/{slug:key}/hooks", response=list[HookOut])
def own_hooks(request: HttpRequest, key: str) -> list[dict[str, object]]:
    """Your webhooks for the game."""
    user = person(request, "gm")
    own = row_of(look(key, user)).hooks.filter(owner=user).order_by("pk")
    return [dict(row) for row in own.values("id", "url", "events", "form", "failures")]


@router.post("/{slug:key}/hooks", response={201: HookOut})
def set_hook(request: HttpRequest, key: str, given: HookIn) -> Status[WebHook]:
    """Set a webhook. The secret that signs its messages is shown only now."""
    user, _, table = _look_up(request, key)
    return Status(201, hooks.add(table, user, given.url, given.events, form=given.form))


@router.delete("/{slug:key}/hooks/{number}", response=Done)
def drop_hook(request: HttpRequest, key: str, number: PathNumber) -> Done:
    """Delete a webhook."""
    user, _, table = _look_up(request, key)
    hooks.drop(table, user, number)
    return Done()


Score = Annotated[int, Field(ge=1, le=5)]


class QuestionIn(Given):
    """A question to the players."""

    text: Annotated[str, Field(max_length=400)]


class QuestionOut(Schema):
    """A question that the players were asked."""

    id: int
    ordinal: int
    text: str
    asked: datetime


class RemarkIn(Given):
    """Your remarks on the game: scores from 1 to 5 by their names, a text, or both."""

    text: Annotated[str, Field(max_length=4_000)] = ""
    scores: dict[str, Score] = {}
    question: Number | None = Field(default=None, description="the question that it answers")


class RemarkOut(Schema):
    """Somebody's remarks on the game."""

    power: str
    ordinal: int
    question: str = Field("", alias="question.text")
    scores: dict[str, int]
    text: str


class ScaleOut(Schema):
    """One point that everybody is asked about: the mean of the answers, and the number of each, from 1 to 5."""

    says: str
    mean: float | None
    counts: list[int]


class SummaryOut(Schema):
    """What the players think, without their names."""

    answers: int
    scales: dict[str, ScaleOut] = Field(description="each point that is asked, by its name")
    remarks: list[RemarkOut]


remarks_router = Router()


def _table(request: HttpRequest, key: str, scope: str) -> tuple[User, Table]:
    user = person(request, scope)
    return user, row_of(look(key, user))


@remarks_router.get("/{slug:key}/remarks", response=list[RemarkOut])
def own(request: HttpRequest, key: str) -> list[Remark]:
    """Your remarks on the game."""
    user, table = _table(request, key, "read")
    return remarks.own_remarks(table, user)


@remarks_router.post("/{slug:key}/remarks", response={201: RemarkOut})
def say(request: HttpRequest, key: str, given: RemarkIn) -> Status[Remark]:
    """Add a remark on the game; it replaces your earlier answer to the same question."""
    user, table = _table(request, key, "press")
    return Status(201, remarks.say(table, user, given.text, given.scores, question=given.question))


@remarks_router.get("/{slug:key}/remarks/questions", response=list[QuestionOut])
def questions(request: HttpRequest, key: str) -> QuerySet[Question]:
    """The questions to the players; for them and for the people who read the answers."""
    user, table = _table(request, key, "read")
    if not (remarks.may_answer(table, user) or remarks.may_read(table, user)):
        raise Refused("no-seat", "Only the players of this game can answer.")
    return table.questions.order_by("pk")


@remarks_router.post("/{slug:key}/remarks/questions", response={201: QuestionOut})
def ask(request: HttpRequest, key: str, given: QuestionIn) -> Status[Question]:
    """Put a question to the players."""
    user, table = _table(request, key, "gm")
    return Status(201, remarks.ask(table, user, given.text))


@remarks_router.get("/{slug:key}/remarks/summary", response=SummaryOut)
def summary(request: HttpRequest, key: str) -> dict[str, object]:
    """The players' remarks; for the people who may read them."""
    user, table = _table(request, key, "gm")
    found = remarks.summary(table, user)
    return {"answers": found.answers, "scales": {one.name: one for one in found.scales}, "remarks": found.remarks}
