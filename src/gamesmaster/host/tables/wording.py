"""Words of the site in the language of whoever reads them: states, lists of names, lengths of time.

What people read goes through gettext; `_` marks it, and `gettext_lazy` does where a module is read before its reader is
known.  What is kept for others (e-mails, notices, the log) is written in the language of the site.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from gamesmaster.host.tables.models import SeatState, TableState

Params = ParamSpec("Params")
Written = TypeVar("Written")

STATES: dict[str, str | Promise] = {
    TableState.FORMING: gettext_lazy("waiting for players"),
    TableState.RUNNING: gettext_lazy("running"),
    TableState.PAUSED: gettext_lazy("paused"),
    TableState.FINISHED: gettext_lazy("finished"),
    TableState.CANCELLED: gettext_lazy("cancelled"),
    TableState.QUARANTINED: gettext_lazy("stopped by a fault"),
}
"""What people call the states of a game."""
SEAT_STATES: dict[str, str | Promise] = {
    SeatState.AWAY: gettext_lazy("away"),
    SeatState.STANDBY_WANTED: gettext_lazy("needs a player"),
    SeatState.DISORDER: gettext_lazy("civil disorder"),
}
"""What people call the states of a seat whose player may be missing."""


def state_words(state: str) -> str:
    """What people call a state of a game: `waiting for players`."""
    return str(STATES[state])


def this_game_is(state: str) -> str:
    """Why something cannot be done now, as a sentence: `This game is paused`."""
    return _("This game is {state}.").format(state=state_words(state))


def listed(names: Sequence[object]) -> str:
    """Names as they stand in a sentence: `Austria, France and Italy`."""
    *others, last = [str(name) for name in names] or [""]
    if not others:
        return last
    return _("{others} and {last}").format(others=", ".join(others), last=last)


def length_words(minutes: int) -> str:
    """A length of time: `2 days`, `1 day 12 hours`."""
    words, rest = [], minutes
    if rest % WEEK == 0 and rest:  # 10 days, not 1 week 3 days
        return ngettext("{number} week", "{number} weeks", rest // WEEK).format(number=rest // WEEK)
    if days := rest // DAY:
        words.append(ngettext("{number} day", "{number} days", days).format(number=days))
    if hours := rest % DAY // HOUR:
        words.append(ngettext("{number} hour", "{number} hours", hours).format(number=hours))
    if left := rest % HOUR:
        words.append(ngettext("{number} minute", "{number} minutes", left).format(number=left))
    return " ".join(words) or _("0 minutes")


HOUR, DAY, WEEK = 60, 24 * 60, 7 * 24 * 60


def in_site_language(write: Callable[Params, Written]) -> Callable[Params, Written]:
    """Write something that is kept for others in the language of the site, whoever has brought it about."""

    @wraps(write)
    def written(*args: Params.args, **named: Params.kwargs) -> Written:
        with site_language():
            return write(*args, **named)

    return written


def site_language() -> translation.override:
    """A context in which everything is written in the language of the site, whoever asks."""
    return translation.override(settings.LANGUAGE_CODE)
