"""Points of playability: what players tell whoever runs the table, and nobody else learns (CLN-P.c).

Nobody has to answer, and answers have no effect on the game.  They are read by the Gamesmaster, who plays no power; at
a table without one by its owner: at once if he or she has no seat there, else when the game is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from statistics import mean

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Question, Remark, Seat, Table, TableState
from gamesmaster.host.models.opinions import LONGEST_REMARK, SCALES
from gamesmaster.host.service import clock, letters, press, rows

LOWEST, HIGHEST = 1, 5
MOST_QUESTIONS = 50


@dataclass(frozen=True, slots=True)
class Scale:
    """One point asked of everybody: the mean of the answers, if there are any, and how many of each there are."""

    name: str
    says: str
    mean: float | None
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What the players think, in numbers and in their words, without their names."""

    answers: int
    scales: tuple[Scale, ...]
    remarks: tuple[Remark, ...]
    questions: tuple[Question, ...]


def reads(table: Table, user: User | None) -> bool:
    """May this person read what players say of the game?"""
    if user is None or table.sandbox:
        return False
    if table.gm_id is not None:
        return table.gm_id == user.pk and not _played(table, user)
    over = table.state in (TableState.FINISHED, TableState.CANCELLED)
    return table.owner_id == user.pk and (over or not _played(table, user))


def answers(table: Table, user: User | None) -> bool:
    """May this person say something: has he or she a seat, or had one?"""
    return user is not None and table.started is not None and _played(table, user)


def ask(table: Table | int, by: User | None, text: str, *, now: datetime | None = None) -> Question:
    """Put a question to the players; raises `Refused`."""
    with rows.locked(table) as row:
        at = now or clock.now()
        if not reads(row, by) or row.started is None:
            raise Refused("not-gm", _("Only the Gamesmaster can ask the players."))
        text = " ".join(text.split())
        if not 1 <= len(text) <= 400 or row.questions.count() >= MOST_QUESTIONS:
            raise Refused("bad-question", _("A question must have between 1 and 400 characters."))
        made = Question.objects.create(table=row, ordinal=row.ordinal, text=text, asked=at)
        press.proclaim(row, letters.question(row, text), at)
    return made


def say(
    table: Table | int,
    user: User | None,
    text: str,
    scores: Mapping[str, int] | None = None,
    *,
    question: int | None = None,
    now: datetime | None = None,
) -> Remark:
    """Keep what a player says, in place of what the same player said to this before; raises `Refused`."""
    with rows.locked(table) as row:
        at = now or clock.now()
        if user is None or not answers(row, user):
            raise Refused("no-seat", _("Only the players of this game can answer."))
        asked = row.questions.filter(pk=question).first() if question is not None else None
        if question is not None and asked is None:
            raise Refused("no-question", _("There is no such question."))
        given = {name: score for name, score in (scores or {}).items() if name in SCALES}
        if any(not LOWEST <= score <= HIGHEST for score in given.values()) or len(text) > LONGEST_REMARK:
            raise Refused("bad-remark", _("Answers go from 1 to 5, and the text may have up to 4,000 characters."))
        if not given and not text.strip():
            raise Refused("bad-remark", _("Please answer at least one question."))
        seat = row.seats.filter(user=user).order_by("-pk").first()
        ordinal = asked.ordinal if asked else row.ordinal
        made, _new = Remark.objects.update_or_create(
            table=row, user=user, question=asked, ordinal=ordinal,
            defaults={"power": (seat.power if seat else "") or "", "scores": given, "text": text.strip(), "made": at},
        )  # fmt: skip
    return made


def own(table: Table, user: User) -> list[Remark]:
    """What this player has said."""
    return list(table.remarks.filter(user=user).select_related("question").order_by("pk"))


def summary(table: Table, user: User | None) -> Summary:
    """What the players think; raises `Refused` to people who may not read it.  Each counts once: by the last answer."""
    if not reads(table, user):
        raise Refused("not-gm", _("Only the Gamesmaster can read this."))
    found = list(table.remarks.select_related("question").order_by("made", "pk"))
    last: dict[tuple[object, str], int] = {}
    for remark in found:
        for name, score in remark.scores.items():
            last[remark.user_id or f"gone {remark.power}", name] = score
    scales = []
    for name, says in SCALES.items():
        given = [score for (_who, key), score in last.items() if key == name]
        counts = tuple(given.count(n) for n in range(LOWEST, HIGHEST + 1))
        scales.append(Scale(name, str(says), round(mean(given), 1) if given else None, counts))
    told = tuple(remark for remark in found if remark.text)
    people = {remark.user_id or f"gone {remark.power}" for remark in found}
    return Summary(len(people), tuple(scales), told, tuple(table.questions.order_by("pk")))


def _played(table: Table, user: User) -> bool:
    return Seat.objects.filter(table=table, user=user).exists()
