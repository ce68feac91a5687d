"""The queue for the next game: who waits for which game. A game begins as soon as enough people wait for the same one.

A person has one wish at a time. What is left open in it fits everything that others wish for. People who wait longest
come first, and nobody plays with somebody who is less reliable than he or she asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import product, starmap
from typing import NamedTuple, cast, get_args

from django.contrib.auth.models import User
from django.db import models, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from gamesmaster.host.games import hosting, ratings, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import outbox, shelf, store
from gamesmaster.host.tables.models import Table
from gamesmaster.host.tables.settings import PACES, Press, TableSettings
from gamesmaster.host.tables.view import in_site_language

LOOKED_AT = 200
"""The wishes that are compared with each other: those of the people who have waited longest."""
KEPT = timedelta(days=14)
"""How long a wish is kept."""
BOT = "heuristic"
"""The bot that takes places for which nobody waits."""
LENGTHS = {"never": None, "now": timedelta(), "hour": timedelta(hours=1), "day": timedelta(days=1)}
"""When bots may take the places that are still empty."""


class Terms(NamedTuple):
    """What people agree on who play a game together; in a wish, "" is anything."""

    variant: str
    pace: str
    press: str


USUAL = Terms("standard", "relaxed", "groups")
"""The terms of people who all leave them open."""


class Wish(models.Model):
    """What somebody who waits is ready to play; "" in `variant`, `pace` and `press` is anything."""

    user = models.OneToOneField(User, models.CASCADE, related_name="wish")
    variant = models.CharField(max_length=120, blank=True)
    pace = models.CharField(max_length=40, blank=True)
    press = models.CharField(max_length=40, blank=True)
    min_reliability = models.PositiveSmallIntegerField(default=0)  # of the others, in per cent
    bots_from = models.DateTimeField(null=True)  # when bots may take empty places; null: never
    since = models.DateTimeField(db_index=True)

    @property
    def terms(self) -> Terms:
        """Return the wished terms, "" for any."""
        return Terms(self.variant, self.pace, self.press)

    @property
    def ends(self) -> datetime:
        """Return when the wish is given up."""
        return self.since + KEPT


@dataclass(frozen=True, slots=True)
class Wanted:
    """A wish as it is sent. `bots` is one of `LENGTHS`."""

    variant: str = ""
    pace: str = ""
    press: str = ""
    min_reliability: int = 0
    bots: str = "never"


def wait(user: User, wanted: Wanted, *, now: datetime | None = None) -> Table | None:
    """Wait for a game in place of an earlier wish; return the game if one begins with this person.

    Raise `Refused` for a variant, pace or kind of press that the site does not have.
    """
    at = now or clock.now()
    _check(wanted)
    values = {"variant": wanted.variant, "pace": wanted.pace, "press": wanted.press}
    length = LENGTHS[wanted.bots]
    with transaction.atomic():
        Wish.objects.update_or_create(
            user=user,
            defaults={
                **values,
                "min_reliability": wanted.min_reliability,
                "bots_from": None if length is None else at + length,
                "since": at,
            },
        )
        begun = begin_games(at)
    return next((table for table in begun if table.seats.filter(user=user).exists()), None)


def give_up(user: User) -> None:
    """Wait no longer."""
    Wish.objects.filter(user=user).delete()


def _check(wanted: Wanted) -> None:
    known: dict[str, Collection[str]] = {
        "variant": shelf.names(),
        "pace": PACES,
        "press": get_args(Press),
        "bots": LENGTHS,
    }
    for field, names in known.items():
        given = getattr(wanted, field)
        if given not in names and (given or field == "bots"):
            raise Refused(
                "no-choice", _("There is no {field} {name!r}."), _("there are {names}").format(names=", ".join(names)),
                field=field, name=given[:40],
            )  # fmt: skip


# -- games that begin ------------------------------------------------------------------------------------------------


def work(now: datetime) -> bool:
    """Begin the games for which bots may now take the empty places, and give up old wishes; the job of a worker."""
    with transaction.atomic():
        begin_games(now)
        for wish in Wish.objects.filter(since__lte=now - KEPT).select_related("user").select_for_update()[:LOOKED_AT]:
            _tell_end(wish, now)
            wish.delete()
    return False


def begin_games(now: datetime) -> list[Table]:
    """Begin every game for which enough people wait, and return the games. Runs in a transaction."""
    waiting, begun = _waiting(Wish.objects.select_related("user").select_for_update()), []
    per_cent = cache(lambda user: ratings.reliability(user).per_cent)
    while match := next(_matches(waiting, per_cent, now), None):
        begun.append(_begin(match, now))
        Wish.objects.filter(pk__in=[wish.pk for wish in match.people]).delete()
        waiting = [wish for wish in waiting if wish not in match.people]
    return begun


def _waiting(wishes: QuerySet[Wish]) -> list[Wish]:
    """Return the wishes that count, oldest first: not those for variants that the site has no longer."""
    known = wishes.filter(user__is_active=True, variant__in=["", *shelf.names()])
    return list(known.order_by("since", "pk")[:LOOKED_AT])


@dataclass(frozen=True, slots=True)
class _Match:
    """People who can play a game together, as many as it has powers, or fewer with bots."""

    terms: Terms
    people: tuple[Wish, ...]
    bots: bool


def _matches(waiting: Sequence[Wish], per_cent: Callable[[User], int], now: datetime) -> Iterator[_Match]:
    """Yield the games that could begin, for those who have waited longest first, without bots first."""
    fitting = _fitting(waiting)
    for first in waiting:
        for terms, wishes in fitting.items():
            if not _fits(first, terms):
                continue
            needed = len(shelf.find_variant(terms.variant).powers)
            people = _together(first, wishes, per_cent) if len(wishes) >= needed else ()
            if len(people) >= needed:
                yield _Match(terms, people[:needed], bots=False)
            elif first.bots_from is not None and first.bots_from <= now:
                with_bots = [one for one in wishes if one.bots_from is not None]
                yield _Match(terms, _together(first, with_bots, per_cent)[:needed], bots=True)


def _fitting(waiting: Sequence[Wish]) -> dict[Terms, list[Wish]]:
    """Map all terms that people name, or the usual ones where nobody names any, to the wishes that they fit.

    Terms are in the order of the wishes.
    """
    named = [
        [*dict.fromkeys(value for wish in waiting if (value := getattr(wish, field)))] or [usual]
        for field, usual in USUAL._asdict().items()
    ]
    return {terms: [one for one in waiting if _fits(one, terms)] for terms in starmap(Terms, product(*named))}


def _fits(wish: Wish, terms: Terms) -> bool:
    return all(own in ("", meant) for own, meant in zip(wish.terms, terms, strict=True))


def _together(first: Wish, others: Sequence[Wish], per_cent: Callable[[User], int]) -> tuple[Wish, ...]:
    """Return the people who can play with `first` and with each other, in their order, `first` included."""
    people = [first]
    for other in others:
        reliable = per_cent(other.user) >= max(one.min_reliability for one in people)
        if other != first and reliable and min(per_cent(one.user) for one in people) >= other.min_reliability:
            people.append(other)
    return tuple(people)


def _begin(match: _Match, now: datetime) -> Table:
    """Create and begin a game. Seats that become free later are open to players with the reliability of its members."""
    table = hosting.create(
        None,
        GameChoice(match.terms.variant),
        TableSettings(
            pace=match.terms.pace,
            deadlines=PACES[match.terms.pace],
            press=cast("Press", match.terms.press),
            min_reliability=max(one.min_reliability for one in match.people),
            starts="asked" if match.bots else "full",
            fill=BOT if match.bots else "",
        ),
        now=now,
    )
    for wish in match.people:
        seats.join(table, wish.user, now=now)
    if match.bots:
        with store.lock(table) as row:
            seats.start(row, now)
    table.refresh_from_db()
    return table


@in_site_language
def _tell_end(wish: Wish, now: datetime) -> None:
    if wish.user.email:
        subject = _("nobody to play with yet")
        body = _(
            "You have waited {days} days for a game, and not enough people waited for the same one. You no longer wait."
            " You can wait again, or leave more open: any variant or pace, or bots in empty places."
        ).format(days=KEPT.days)
        outbox.about_account(wish.user.email, subject, body, now, user=wish.user)


@dataclass(frozen=True, slots=True)
class Queue:
    """The queue as somebody sees it who waits, or might."""

    wish: Wish | None
    waiting: int  # people who wait for any game
    fitting: int  # those of them for the game that is nearest to its beginning
    needed: int  # players of that game


def queue_of(user: User) -> Queue:
    """Return the queue as this person sees it."""
    waiting = _waiting(Wish.objects.all())
    wish = next((one for one in waiting if one.user_id == user.pk), None)
    if wish is None:
        return Queue(None, len(waiting), 0, 0)
    counted = [
        (len(wishes), len(shelf.find_variant(terms.variant).powers))
        for terms, wishes in _fitting(waiting).items()
        if _fits(wish, terms)
    ]
    most, needed = max(counted, key=lambda pair: pair[0] / pair[1])
    return Queue(wish, len(waiting), most, needed)
