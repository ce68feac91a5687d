"""The settings of a game in words: choices of the form, sentences in the lobby, what is waited for now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.host.games import seats
from gamesmaster.host.site import clock
from gamesmaster.host.tables.models import Table
from gamesmaster.host.tables.settings import ANONYMITY, PACES, PRESS, Absent, Pace, TableSettings, Waits
from gamesmaster.host.tables.view import TableView, join_with_and, length_words
from gamesmaster.variant import HouseRules, variant_names
from gamesmaster.variant.house_rules import settings as house_settings

_PART = re.compile(r"\s*(\d{1,5})\s*(w|d|h|m)[a-z]*\.?\s*,?", re.IGNORECASE)

_MINUTES = {"w": 7 * 24 * 60, "d": 24 * 60, "h": 60, "m": 1}

_WORDS = (("week", 7 * 24 * 60), ("day", 24 * 60), ("hour", 60), ("minute", 1))


def read_length(text: str) -> int | None:
    """The minutes of a length; None for no text.  Raises `ValueError` with what could be written instead."""
    text = text.strip()
    if not text:
        return None
    total, at = 0, 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise ValueError(_("Write a length like 2 days, 36h or 1d 12h."))
        total += int(part[1]) * _MINUTES[part[2].lower()]
        at = part.end()
    return total


def written_length(length: int | None) -> str:
    """A length as `minutes` reads it, in any language: `2 days`, `1 day 12 hours`; empty for none."""
    if length is None:
        return ""
    words, rest = [], length
    for word, size in _WORDS:
        if word == "week" and rest % size:  # 10 days, not 1 week 3 days
            continue
        number, rest = divmod(rest, size)
        if number:
            words.append(f"{number} {word}{'s' if number > 1 else ''}")
    return " ".join(words) or "0 minutes"


JOIN = [
    ("open", gettext_lazy("Anybody"), gettext_lazy("The game is listed until it is full.")),
    ("link", gettext_lazy("Anyone with the link"), gettext_lazy("Anyone may watch, but only your guests can join.")),
    ("invited", gettext_lazy("My guests only"), gettext_lazy("Nobody else can see the game.")),
]
PACE_SAYS = {
    "live": (gettext_lazy("In one evening"), gettext_lazy("15 minutes a move")),
    "daily": (gettext_lazy("A move a day"), gettext_lazy("12 hours for retreats and builds")),
    "relaxed": (gettext_lazy("Two days a move"), gettext_lazy("a day for retreats and builds")),
    "weekly": (gettext_lazy("A move a week"), gettext_lazy("2 days for retreats, 3 for builds")),
    "postal": (gettext_lazy("As if by post"), gettext_lazy("3 weeks a move, 4 for the first")),
    "by hand": (gettext_lazy("No clock"), gettext_lazy("a phase ends when all are ready")),
}


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of answers by name, to begin the form with."""

    name: str
    title: str | Promise
    says: str | Promise
    answers: Mapping[str, Any]


PRESETS = (
    Preset(
        "usual",
        gettext_lazy("As usual"),
        gettext_lazy("Two days a move, press to anybody, and a draw is shared by all survivors."),
        {},
    ),
    Preset(
        "gunboat",
        gettext_lazy("Gunboat"),
        gettext_lazy("No press, and players stay anonymous until the game is over."),
        {"press": "none", "anonymity": "until_end", "pace": "daily"},
    ),
    Preset(
        "postal",
        gettext_lazy("Postal 1972"),
        gettext_lazy("Three weeks a move, signed or unsigned press, house rules of a postal judge."),
        {"pace": "postal", "grey": True, "house_rules": "postal-1972", "early": False},
    ),
    Preset(
        "club",
        gettext_lazy("Club night"),
        gettext_lazy("15 minutes a move; if orders are late, the units hold."),
        {"pace": "live", "absent_grace": "0 minutes", "absent_notice": "0 minutes", "panic": "0 minutes"},
    ),
    Preset(
        "bots",
        gettext_lazy("Alone against bots"),
        gettext_lazy("Begins at once, and goes on when you are ready."),
        {"pace": "by hand", "join": "invited", "begin": True, "fill": "heuristic"},
    ),
)
"""Beginnings for the form."""


def beginning(preset: str, variant: str, zone: str) -> dict[str, Any]:
    """What stands in the form before anything is written."""
    usual, absent = TableSettings(), Absent()
    answers: dict[str, Any] = {
        "variant": variant if variant in variant_names() else "standard",
        "pace": "relaxed",
        "join": "open",
        "part": "player",
        "zone": zone or "UTC",
        "observers": True,
        "press": usual.press,
        "anonymity": usual.anonymity,
        "early": usual.early,
        "bots_agree": usual.bots_agree,
        "powers": usual.powers,
        "starts": usual.starts,
        "min_reliability": usual.min_reliability,
        "ready_shown": usual.ready_shown,
        "absent_misses": absent.misses,
        "absent_most_away": absent.most_away,
    }
    for one in PRESETS:
        if one.name == preset:
            answers |= one.answers
    return answers


def usual_waits(pace: str) -> dict[str, str]:
    """What the waits are that the form leaves empty, in words by the fields' names."""
    waits = Waits.of(PACES[pace if pace in PACES else "relaxed"].move)
    return {
        "absent_notice": written_length(waits.notice),
        "absent_grace": written_length(waits.grace),
        "absent_standby": written_length(waits.standby),
        "panic": written_length(waits.panic),
        "extension": written_length(waits.extension),
    }


DAY_NAMES = (
    gettext_lazy("Mondays"),
    gettext_lazy("Tuesdays"),
    gettext_lazy("Wednesdays"),
    gettext_lazy("Thursdays"),
    gettext_lazy("Fridays"),
    gettext_lazy("Saturdays"),
    gettext_lazy("Sundays"),
)
BALLOT_SENTENCES = {
    "secret": gettext_lazy("Votes to end the game are secret: you see only your own."),
    "counted": gettext_lazy("Everybody sees what is proposed and how many agree, but not who."),
    "open": gettext_lazy("Everybody sees what is proposed and who agrees."),
}
BOTS_AGREE = {
    "with_all": gettext_lazy("Bots agree to an end of the game when all people do; the game is then not rated."),
    "never": gettext_lazy(
        "Bots never agree to end the game, so it cannot be ended by vote while a bot has to be asked."
    ),
}

VOTING = ("draw_shares", "votes")
"""House rules that form and lobby tell beside the settings of the table that go with them."""


def sentences(settings: TableSettings, table: Table) -> list[tuple[str, str]]:
    """What is agreed, as a word and what is said of it."""
    return list(_sentences(settings, table))


def _sentences(settings: TableSettings, table: Table) -> Iterator[tuple[str, str]]:
    plan, absent, agreed = settings.deadlines, settings.absent, HouseRules.of(table.house_rules)
    yield _("Moves"), _pace_sentence(plan.movement)
    yield _("Retreats"), _pace_sentence(plan.retreats)
    yield _("Builds"), _pace_sentence(plan.adjustments)
    if plan.first is not None:
        yield _("First phase"), _pace_sentence(plan.first)
    if plan.days_off or plan.dates_off:
        yield _("Days off"), ", ".join([*(str(DAY_NAMES[d]) for d in plan.days_off), *map(str, plan.dates_off)])
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
    yield _("Press"), str(PRESS[settings.press].says) + (_(" It may be unsigned.") if settings.grey else "")
    yield _("Players' names"), str(ANONYMITY[settings.anonymity].says)
    if agreed.draw_shares == "all_survivors":
        yield _("A draw"), _("A draw is shared by all survivors.")
    else:
        yield _("A draw"), _("A draw is shared by the powers that its proposal names, if all survivors agree.")
    yield _("Votes"), f"{BALLOT_SENTENCES[agreed.votes]} {BOTS_AGREE[settings.bots_agree]}"
    if plan.move is not None:
        yield _("More time"), _("A vote for more time adds {length}.").format(length=length_words(settings.extension))
    yield (
        _("Powers"),
        _("Drawn at random.") if settings.powers == "lot" else _("By preference; ties are broken at random."),
    )
    if settings.fill:
        yield _("Empty seats"), _("Bots take them ({title}).").format(title=seats.bot_title(settings.fill))
    if settings.min_reliability:
        yield _("Players"), _("At least {min_reliability} % reliable.").format(min_reliability=settings.min_reliability)
    rulebook = table.rulebook.get("given")
    if rulebook:
        yield _("Rulebook"), str(rulebook)


def house_sentences(table: Table) -> list[tuple[str, str]]:
    """The house rules that are not the usual ones: what each settles, and what holds; without those of `sentences`."""
    agreed = HouseRules.of(table.house_rules)
    names = [name for name in agreed.choices() if name not in VOTING]
    return [(house_settings()[name].question, agreed.sentence(name)) for name in names]


def _pace_sentence(pace: Pace) -> str:
    if pace.wall is not None:
        return _("At {times}, {zone}.").format(times=join_with_and(pace.wall.times), zone=pace.wall.zone)
    return length_words(pace.minutes) if pace.minutes else _("No deadline.")


def _losing(misses: int) -> str:
    """How many missed deadlines cost a seat, as a sentence."""
    if misses == 1:
        return _("A player who misses one deadline may lose the seat.")
    many = {2: "two", 3: "three", 4: "four", 5: "five"}.get(misses, str(misses))
    return _("A player who misses {many} deadlines in a row may lose the seat.").format(many=many)


@dataclass(frozen=True, slots=True)
class Wait:
    """What is waited for, in a sentence (`says`) with its end (`{at}`), and what the viewer waits for besides.

    `late`: `at` is the end of the grace for the deadline that was missed (`{late}`).  `settled`: nothing is asked
    of the viewer, or he or she is ready, so that the page may go on to the next phase by itself.  `soon`: the phase is
    due now.
    """

    says: str
    at: datetime | None = None
    more: str = ""
    late: datetime | None = None
    settled: bool = False
    soon: bool = False


def current_wait(view: TableView) -> Wait | None:
    """What the table waits for; None where no phase is being played, or nobody waits for anybody."""
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
        return Wait(_("No deadline: the phase ends when everybody is ready."), more=more, settled=settled)
    wanted = [seat.power for seat in view.seats if seat.state == "standby-wanted"]
    more = ""
    if ready and view.settings.early:
        more = _("You are ready; the phase ends when the others are, too, at the deadline at the latest.")
    if wanted:
        more = _("Until then anybody may take over {powers}.").format(powers=join_with_and(wanted))
    return Wait(_("Orders are due {at}"), view.deadline, more=more, settled=settled)


def _early(view: TableView) -> str:
    """Why the phase ends before its deadline."""
    if all(seat.bot or seat.state == "disorder" or not (seat.units or seat.centres) for seat in view.seats):
        return _("No player is left in the game, so the bots play on, one phase per minute. This phase ends at {at}.")
    return _("Everybody is ready: the phase ends at {at}.")


def clock_context(view: TableView) -> dict[str, object]:
    """What the headline tells: what is waited for, and until when."""
    utc = f"{view.deadline:%Y-%m-%d %H:%M}" if view.deadline else ""
    return {"waits": current_wait(view), "left": _remaining_time(view), "utc": utc}


def _remaining_time(view: TableView) -> str:
    """How long there is until the deadline, in words."""
    if view.deadline is None:
        return ""
    minutes = int((view.deadline - clock.now()).total_seconds() // 60)
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
