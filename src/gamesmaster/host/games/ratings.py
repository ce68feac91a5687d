"""Ratings of strength for games of any number of powers, and reliability of players.

Strength is the Plackett-Luce model of the library openskill: a finished game is a ranking, with ties. Reliability is
counted: seasons in which a player's orders were due, and those in which some arrived.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models, transaction
from django.db.models import Count, Exists, Max, OuterRef, Q, Sum
from django.utils.translation import gettext as _
from openskill.models import PlackettLuce

from gamesmaster.game import Game, centre_counts
from gamesmaster.host.site import jobs
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import ballots, store
from gamesmaster.host.tables.models import Invitation, Seat, SeatState, Table, TableState


class Rating(models.Model):
    """A player's rating over all games, or over one family of variants."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="ratings")
    scope = models.CharField(max_length=80, blank=True)  # family of variants; empty: all games
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField(default=0)
    shown = models.IntegerField(default=0)  # `public_rating` of `mu` and `sigma`, to sort by

    class Meta:
        """One rating per user and scope; an index for the ranking."""

        constraints = [models.UniqueConstraint(fields=["user", "scope"], name="one_rating")]
        indexes = [models.Index(fields=["scope", "-shown"], name="rating_order")]


class RatedSeat(models.Model):
    """The effect of a finished game on a player's overall rating."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="rated")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="rated")
    power = models.CharField(max_length=60)
    place = models.PositiveSmallIntegerField()  # from 1; ties share a place
    before = models.FloatField()
    after = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        """A game is rated once for each player."""

        constraints = [models.UniqueConstraint(fields=["table", "user"], name="one_rated_seat")]


MODEL = PlackettLuce()
FRESH = MODEL.rating()
FEWEST = 2
"""Minimum number of people in a rated game. Bots are not rated and do not count."""
BENEFIT, PRIOR = 6, 8
"""Prior of the reliability: a newcomer counts as having sent 6 of 8 sets of orders."""
LONGEST_LIST = 100
PRICE_OF_LEAVING = 3
"""Seasons that leaving a game counts as missed."""
START, STEP = 1000, 40
"""Scale of displayed ratings: a newcomer has 1000."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the ranking; `shown` is the displayed rating."""

    place: int  # from 1
    user: User
    shown: int
    games: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """How reliably a player sends orders, in per cent with the prior, at most 100.

    `asked` are the seasons in which orders were due, `sent` those in which they were sent, `left` the games left for
    good.
    """

    per_cent: int
    asked: int
    sent: int
    left: int

    @property
    def known(self) -> bool:
        """Return whether enough seasons are known."""
        return self.asked >= PRIOR


def public_rating(mu: float, sigma: float) -> int:
    """Return the displayed rating: the lower bound `mu - 3 sigma` on the scale of `START` and `STEP`."""
    return round(START + STEP * (mu - 3 * sigma))


def places(game: Game) -> dict[str, int]:
    """Return the place of each power in a finished game, from 1.

    Winners share the first place. The others are ranked by the number of phases they survived, then by centres.
    """
    winners = set(game.outcome.winners) if game.outcome else set()
    final = centre_counts(game.variant, game.position)
    lasted = _phases_alive(game)

    def key(power: str) -> tuple[int, int, int]:
        return (0, 0, 0) if power in winners else (1, -lasted[power], -final.get(power, 0))

    powers = [power.name for power in game.variant.powers]
    order = sorted({key(power) for power in powers})
    ahead = {one: 1 + sum(key(power) < one for power in powers) for one in order}
    return {power: ahead[key(power)] for power in powers}


def rate(table: Table, game: Game, now: datetime) -> None:
    """Rate a game that has just ended, within the transaction that ends it.

    The person who played most phases of a power gets its place.
    """
    if rating_obstacle(table, game) or RatedSeat.objects.filter(table=table).exists():
        return
    reached = places(game)
    players = _players(table)
    ranks = {user: reached[power] for user, power in players.items()}
    overall = _change("", ranks)
    _change(table.variant.partition("[")[0], ranks)
    RatedSeat.objects.bulk_create(
        RatedSeat(table=table, user=user, power=players[user], place=ranks[user], before=before, after=after, at=now)
        for user, (before, after) in overall.items()
    )


def rating_obstacle(table: Table, game: Game) -> str:
    """Return a sentence on why a finished game is not rated; empty if it is.

    Not rated are sandboxes, games without a result, games whose players stay anonymous, games with fewer than two
    people, and games that ended by an agreement that needed bots.
    """
    if table.sandbox or game.outcome is None:
        return _("Sandboxes and games without a result are not rated.")
    if store.settings_of(table).anonymity == "always":
        return _("The game is not rated, because its players stay anonymous.")
    if ballots.bots_decided(game, store.seats_at(table)):
        return _("The game is not rated, because bots agreed to its end.")
    if len(_players(table)) < FEWEST:
        return _("The game is not rated, because fewer than two people played.")
    return ""


REBUILD = "ratings"
"""The job that recomputes all ratings."""
AT_ONCE = 1000


def take_back(table: Table, now: datetime) -> None:
    """Remove the ratings of a game that was taken back; a job recomputes all others."""
    if RatedSeat.objects.filter(table=table).delete()[0]:
        jobs.ask(REBUILD, now)


def rebuild(_subject: int = 0, _now: datetime | None = None) -> bool:
    """Recompute all ratings from the stored places, in the order in which the games ended.

    The games are read and rated before the transaction. Return whether another game was rated meanwhile, so that this
    must be done again.
    """
    skills: dict[tuple[int, str], Rating] = {}
    changed: list[RatedSeat] = []
    seen = _last_rated()
    rows = RatedSeat.objects.order_by("at", "table_id", "pk").select_related("table").defer("table__record")
    for _table, group in groupby(rows.iterator(AT_ONCE), key=attrgetter("table_id")):
        seats = list(group)
        before = {one.pk: _shown(skills.get((one.user_id, ""))) for one in seats}
        for scope in ("", seats[0].table.variant.partition("[")[0]):
            own = {one.user_id: skills.get((one.user_id, scope)) for one in seats}
            skills |= {(new.user_id, scope): new for new in _rated(scope, own, [one.place for one in seats])}
        for one in seats:
            now = before[one.pk], _shown(skills[one.user_id, ""])
            if (one.before, one.after) != now:
                one.before, one.after = now
                changed.append(one)
    with transaction.atomic():
        if _last_rated() != seen:
            return True
        Rating.objects.all().delete()
        Rating.objects.bulk_create(skills.values(), AT_ONCE)
        RatedSeat.objects.bulk_update(changed, ["before", "after"], AT_ONCE)
    return False


def _last_rated() -> tuple[int, int]:
    """Return the number of rated seats and the last of them."""
    found = RatedSeat.objects.aggregate(number=Count("pk"), last=Max("pk"))
    return found["number"], found["last"] or 0


def standings(scope: str = "", *, after: int = 0, most: int = LONGEST_LIST) -> list[Standing]:
    """Return the ranking, strongest first, from the place `after` the given one on."""
    ratings = Rating.objects.filter(scope=scope, user__is_active=True).select_related("user")
    lines = ratings.order_by("-shown", "user__username")[after : after + most]
    return [Standing(place, one.user, one.shown, one.games) for place, one in enumerate(lines, after + 1)]


NAMES_KNOWN = Q(table__settings__anonymity="none") | Q(
    table__settings__anonymity="until_end", table__state__in=[TableState.FINISHED, TableState.CANCELLED]
)
"""Filter for seats whose player may be known to everybody."""


def reliability(user: User, *, public: bool = False) -> Reliability:
    """Return a player's reliability; games against bots alone do not count.

    With `public`, games with anonymous players do not count either: a drop after a missed deadline would reveal which
    power the player has.
    """
    others = Seat.objects.filter(table=OuterRef("table"), user__isnull=False).exclude(user=user)
    seats = Seat.objects.filter(Exists(others), user=user, table__sandbox=False)
    if public:
        seats = seats.filter(NAMES_KNOWN)
    left_for_good = Q(state=SeatState.LEFT) | Q(state=SeatState.DISORDER)
    counted = seats.aggregate(asked=Sum("asked"), sent=Sum("sent"), left=Count("pk", filter=left_for_good))
    asked, sent, left = counted["asked"] or 0, counted["sent"] or 0, counted["left"] or 0
    per_cent = round(100 * (sent + BENEFIT) / (asked + PRIOR + PRICE_OF_LEAVING * left))
    return Reliability(min(per_cent, 100), asked, sent, left)


def check_reliable(user: User, least: int) -> None:
    """Raise `Refused` if a player's reliability is below `least` per cent."""
    if not least:
        return
    own = reliability(user)
    if own.per_cent < least:
        raise Refused(
            "not-reliable",
            _("This game is for players who are at least {least} % reliable; you are {per_cent} %."),
            _("play other games to their end first"),
            least=least,
            per_cent=own.per_cent,
        )


def _change(scope: str, ranks: Mapping[User, int]) -> dict[User, tuple[float, float]]:
    """Update the ratings of one scope; map each user to the displayed rating before and after."""
    own = {user.pk: Rating.objects.filter(user=user, scope=scope).first() for user in ranks}
    before = {user: _shown(own[user.pk]) for user in ranks}
    after = _rated(scope, own, list(ranks.values()))
    for rating in after:
        rating.save()
    return {user: (before[user], float(rating.shown)) for user, rating in zip(ranks, after, strict=True)}


def _rated(scope: str, own: Mapping[int, Rating | None], places: Sequence[int]) -> list[Rating]:
    """Return the ratings of the users after a game in which they reached these places; nothing is stored."""
    skills = [(one.mu, one.sigma) if one else (FRESH.mu, FRESH.sigma) for one in own.values()]
    teams = [[MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in skills]
    after = []
    for (user, rating), [new] in zip(own.items(), MODEL.rate(teams, ranks=[float(p) for p in places]), strict=True):
        games = rating.games + 1 if rating else 1
        number = rating.pk if rating else None
        shown = public_rating(new.mu, new.sigma)
        after.append(Rating(pk=number, user_id=user, scope=scope, mu=new.mu, sigma=new.sigma, games=games, shown=shown))
    return after


def _shown(rating: Rating | None) -> float:
    return float(rating.shown if rating else public_rating(FRESH.mu, FRESH.sigma))


def _phases_alive(game: Game) -> dict[str, int]:
    """Return the number of phases in which each power had a unit or a centre."""
    lasted = {power.name: 0 for power in game.variant.powers}
    for position in [*(record.position for record in game.records), game.position]:
        alive = {unit.power for unit in position.units} | set(position.owners.values())
        for power in alive & lasted.keys():
            lasted[power] += 1
    return lasted


def _players(table: Table) -> dict[User, str]:
    """Map the person who played most of each power to that power. Nobody gets two powers."""
    best: dict[str, tuple[int, int, User]] = {}
    for seat in table.seats.select_related("user").filter(power__isnull=False, user__is_active=True):
        end = table.ordinal if seat.left_ordinal is None else seat.left_ordinal
        length = max(end - seat.joined_ordinal, 0)
        entry = (length, -seat.pk, seat.user)
        if seat.user is not None and seat.power and entry[:2] > best.get(seat.power, (-1, 0))[:2]:
            best[seat.power] = (length, -seat.pk, seat.user)
    players: dict[User, str] = {}
    for power, (_length, _number, user) in sorted(best.items(), key=lambda item: -item[1][0]):
        players.setdefault(user, power)
    return players


def own_tables(user: User) -> list[Seat]:
    """Return the seats of a person in finished games that the profile may show: those with known names."""
    found = Seat.objects.filter(user=user, table__state=TableState.FINISHED, table__sandbox=False, power__isnull=False)
    seats = found.select_related("table").order_by("-table__finished")[:200]
    return [seat for seat in seats if store.settings_of(seat.table).anonymity != "always"]


def let_in(table: Table, user: User, invitation: str) -> str:
    """Raise `Refused` unless the table is open or the invitation is valid; use the invitation up.

    Return the power that the invitation is for, "" for any.
    """
    settings = store.settings_of(table)
    if table.owner_id == user.pk:
        return ""
    check_reliable(user, settings.min_reliability)
    if settings.join == "open":
        return ""
    found = Invitation.objects.select_for_update().filter(table=table, key=invitation, uses_left__gt=0).first()
    if found is None:
        raise Refused("not-invited", _("This game is for invited players."), _("ask for a new invitation"))
    found.uses_left -= 1
    found.save()
    return found.power
