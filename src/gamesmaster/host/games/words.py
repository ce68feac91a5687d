"""The settings of a game in words: choices of the form, sentences in the lobby, and what the game waits for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import translation
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _

from gamesmaster.host.games import seats
from gamesmaster.host.site import clock
from gamesmaster.host.tables.models import SeatState, Table
from gamesmaster.host.tables.settings import FIELDS, PACES, PRESETS, Absent, Pace, TableSettings, Waits
from gamesmaster.host.tables.view import SeatView, TableView, join_with_and, length_words
from gamesmaster.variant import HouseRules, house_rule_settings

_PART = re.compile(r"\s*(\d{1,5})\s*(w|d|h|m)[a-z]*\.?\s*,?", re.IGNORECASE)

_MINUTES = {"w": 7 * 24 * 60, "d": 24 * 60, "h": 60, "m": 1}


def read_length(text: str) -> int | None:
    """Return the minutes of a length such as "1d 12h"; None for empty text. Raise `ValueError` with a hint."""
    text = text.strip()
    if not text:
        return None
    if text == "0":
        return 0
    total, at = 0, 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise ValueError(_("Write a length like 2 days, 36h or 1d 12h."))
        total += int(part[1]) * _MINUTES[part[2].lower()]
        at = part.end()
    return total


def written_length(length: int | None) -> str:
    """Return a length as `read_length` reads it, in English: `2 days`, `1 day 12 hours`; empty for None."""
    with translation.override("en"):
        return "" if length is None else length_words(length)


def beginning(preset: str, variant: str, zone: str) -> dict[str, Any]:
    """Return the initial values of the form; `variant` is one that it offers."""
    usual = TableSettings().model_dump(include={name for name, field in FIELDS.items() if field.kind != "length"})
    absent = Absent()
    answers: dict[str, Any] = {
        **usual,
        "variant": variant or "standard",
        "pace": "relaxed",
        "part": "player",
        "zone": zone or "UTC",
        "absent_misses": absent.misses,
        "absent_most_away": absent.most_away,
    }
    for one in PRESETS:
        if one.name == preset:
            answers |= one.answers
    return answers


def usual_waits(pace: str) -> dict[str, str]:
    """Return the default waits of a pace in words, by the names of the form's fields."""
    waits = Waits.of(PACES[pace if pace in PACES else "relaxed"].move)
    return {
        "absent_notice": written_length(waits.notice),
        "absent_grace": written_length(waits.grace),
        "absent_standby": written_length(waits.standby),
        "panic": written_length(waits.panic),
        "extension": written_length(waits.extension),
        "longest": written_length(TableSettings().longest),
    }


ENDING = ("draw_shares", "votes", "last_year", "last_year_ends", "scoring")
"""House rules that form and lobby show among the settings instead of among the other house rules."""


def said(setting: str, choice: str) -> str:
    """Return what the agreement says of a choice."""
    return str(FIELDS[setting].choice(choice).says)


def sentences(settings: TableSettings, table: Table) -> Iterator[tuple[str, str]]:
    """Yield the settings as pairs of a heading and a sentence."""
    plan, absent, agreed = settings.deadlines, settings.absent, HouseRules.of(table.house_rules)
    yield _("Moves"), _pace_sentence(plan.movement)
    yield _("Retreats"), _pace_sentence(plan.retreats)
    yield _("Builds"), _pace_sentence(plan.adjustments)
    if plan.first is not None:
        yield _("First phase"), _pace_sentence(plan.first)
    if plan.days_off or plan.dates_off:
        yield _("Days off"), ", ".join([*(str(WEEKDAYS[d]) for d in plan.days_off), *map(str, plan.dates_off)])
    if settings.early:
        yield (
            _("All ready"),
            _("The phase ends {length} after everybody is ready.").format(length=length_words(settings.panic))
            if settings.panic
            else _("The phase ends as soon as everybody is ready."),
        )
    grace = (
        _("The game waits {length} for them.").format(length=length_words(absent.grace))
        if absent.grace
        else _("The game does not wait for them.")
    )
    lost = f" {_losing(absent.misses)}" if absent.misses else ""
    asked = _(" Before that happens, a standby is asked for orders as well.") if absent.beforehand else ""
    yield _("Late orders"), grace + lost + asked
    yield _("Press"), said("press", settings.press) + (_(" It may be unsigned.") if settings.grey else "")
    yield _("Players' names"), said("anonymity", settings.anonymity)
    yield _("A draw"), said("draw_shares", agreed.draw_shares)
    yield _("Votes"), f"{said('votes', agreed.votes)} {said('bots_agree', settings.bots_agree)}"
    if agreed.last_year:
        yield _("Last year"), f"{rule_sentence(agreed, 'last_year')} {rule_sentence(agreed, 'last_year_ends')}"
    if agreed.scoring != "none":
        yield _("Scoring"), rule_sentence(agreed, "scoring")
    if plan.move is not None:
        yield _("More time"), _("A vote for more time adds {length}.").format(length=length_words(settings.extension))
    elif settings.longest:
        longest, extension = length_words(settings.longest), length_words(settings.extension)
        says = _("After {longest} of waiting for others, a phase gets a deadline {extension} ahead.")
        yield _("Longest wait"), says.format(longest=longest, extension=extension)
    yield _("Powers"), said("powers", settings.powers)
    if settings.fill:
        yield _("Empty seats"), _("Bots take them ({title}).").format(title=seats.bot_title(settings.fill))
    if settings.min_reliability:
        yield _("Players"), _("At least {min_reliability} % reliable.").format(min_reliability=settings.min_reliability)
    rulebook = table.rulebook.get("given")
    if rulebook:
        yield _("Rulebook"), str(rulebook)


def house_sentences(table: Table) -> list[tuple[str, str]]:
    """Return question and answer of each house rule that differs from the default, except those in `sentences`."""
    agreed = HouseRules.of(table.house_rules)
    names = [name for name in agreed.choices() if name not in ENDING]
    return [(_(house_rule_settings()[name].question), rule_sentence(agreed, name)) for name in names]


def rule_sentence(agreed: HouseRules, name: str) -> str:
    """Return the answer of a house rule as a sentence in the reader's language."""
    return house_rule_settings()[name].sentence(getattr(agreed, name), _)


def _pace_sentence(pace: Pace) -> str:
    if pace.wall is not None:
        return _("At {times}, {zone}.").format(times=join_with_and(pace.wall.times), zone=pace.wall.zone)
    return length_words(pace.minutes) if pace.minutes else _("No deadline.")


def _losing(misses: int) -> str:
    """Return a sentence on how many missed deadlines cost a seat."""
    if misses == 1:
        return _("A player who misses one deadline may lose the seat.")
    many = {2: "two", 3: "three", 4: "four", 5: "five"}.get(misses, str(misses))
    return _("A player who misses {many} deadlines in a row may lose the seat.").format(many=many)


@dataclass(frozen=True, slots=True)
class Wait:
    """What the game waits for, as shown in the page's headline."""

    says: str  # a sentence, with placeholders for the times below
    at: datetime | None = None  # `{at}`: the end of the wait
    more: str = ""  # a second sentence, for this viewer
    late: datetime | None = None  # `{late}`: the missed deadline, while the game waits for late orders
    settled: bool = False  # the viewer has nothing to do, so the page may reload when the phase ends
    soon: bool = False  # the phase is due now
    nudge: bool = False  # the viewer may nudge those that the game waits for


def current_wait(view: TableView) -> Wait | None:
    """Return what the table waits for; None if no phase is being played, or in a sandbox."""
    if view.state != "running" or view.sandbox or not view.begun:
        return None
    own = [seat for seat in view.seats if seat.own and seat.asked not in ("", "nothing")]
    settled = bool(view.viewer.powers) and all(seat.ready for seat in own)
    now = clock.now()
    if (view.ready_at and view.ready_at <= now) or (view.deadline and view.deadline < now):
        return Wait(_("The phase is over and is being adjudicated…"), settled=settled, soon=True)
    if view.ready_at:
        return Wait(_early(view), view.ready_at, settled=settled)
    if view.late_since and view.deadline:
        says = _("The deadline passed at {late}. The game waits until {at} for late orders.")
        return Wait(says, view.deadline, late=view.late_since, settled=settled)
    ready = bool(own) and settled
    if view.deadline is None:
        more = _("You are ready; the phase ends when the others are, too.") if ready else ""
        whom = [seat.power for seat in view.seats if seat.ready is False and _is_awaited(seat)]
        if whom:
            more = " ".join([more, _("It waits for {powers}.").format(powers=join_with_and(whom))]).strip()
        nudge = (
            view.nudge_at is not None
            and view.nudge_at <= now
            and not any(s.own and s.power in whom for s in view.seats)
        )
        says = _("No deadline: the phase ends when everybody is ready.")
        return Wait(says, more=more, settled=settled, nudge=nudge and bool(whom))
    wanted = [seat.power for seat in view.seats if seat.state == "standby-wanted"]
    more = ""
    if ready and view.settings.early:
        more = _("You are ready; the phase ends when the others are, too, at the deadline at the latest.")
    if wanted:
        more = _("Until then anybody may take over {powers}.").format(powers=join_with_and(wanted))
    return Wait(_("Orders are due {at}"), view.deadline, more=more, settled=settled)


def late_powers(view: TableView) -> list[str]:
    """Return the powers whose players have sent no orders yet, though orders are due."""
    return [seat.power for seat in view.seats if _is_awaited(seat) and not seat.sent]


def _is_awaited(seat: SeatView) -> bool:
    """Return whether orders are due from the player of a seat."""
    return seat.asked not in ("", "nothing") and seat.state != SeatState.DISORDER and bool(seat.player) and not seat.bot


def _early(view: TableView) -> str:
    """Return a sentence on why the phase ends before its deadline."""
    if all(
        seat.bot or seat.state == "disorder" or not (view.partial or seat.units or seat.centres) for seat in view.seats
    ):
        return _("No player is left in the game, so the bots play on, one phase per minute. This phase ends at {at}.")
    return _("Everybody is ready: the phase ends at {at}.")


def clock_context(view: TableView) -> dict[str, object]:
    """Return the template context of the clock: the current wait, the time left and the deadline in UTC."""
    utc = f"{view.deadline:%Y-%m-%d %H:%M}" if view.deadline else ""
    return {"waits": current_wait(view), "left": remaining_time(view.deadline), "utc": utc}


def remaining_time(deadline: datetime | None) -> str:
    """Return the time left until a deadline in words: `in 1 d 4 h`; "" without one."""
    if deadline is None:
        return ""
    minutes = int((deadline - clock.now()).total_seconds() // 60)
    if minutes < 0:
        return _("the deadline has passed")
    days, hours = divmod(minutes // 60, 24)
    if days:
        return _("in {days} d {hours} h").format(days=days, hours=hours)
    return (
        _("in {hours} h {minutes} min").format(hours=hours, minutes=minutes % 60)
        if hours
        else _("in {minutes} min").format(minutes=minutes)
    )
