"""Creating, starting and cancelling games, and lists of games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType

from django.contrib.auth.models import User
from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, When
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, new_seed
from gamesmaster.host.accounts.likeness import likeness
from gamesmaster.host.games import deadlines, seats
from gamesmaster.host.notices import inbox
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock, names
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import editions, notifications, shelf, store
from gamesmaster.host.tables.access import must_host, must_run
from gamesmaster.host.tables.models import SEATED, Helper, Seat, SeatState, Sheet, Table, TableState
from gamesmaster.host.tables.settings import Absent, TableSettings
from gamesmaster.host.tables.view import phase_words, this_game_is
from gamesmaster.variant import HouseRules, Variant, rules_text_of

LONGEST_NAME = 80
LEFT_TO_THE_TABLE: Mapping[str, object] = MappingProxyType(
    {"missed_before_standby": 0, "standby_players": "whoever_comes"}
)
"""House rules of a game when the table handles lost players instead (`TableSettings.absent`)."""


@dataclass(frozen=True, slots=True)
class GameChoice:
    """Which game is hosted."""

    variant: str  # a name with options (`cline9[turkey=fleet-smyrna]`) or an edition's address
    name: str = ""  # of the table; by default the variant's
    rulebook: str | Mapping[str, object] | None = None
    house_rules: str | Mapping[str, object] | None = None


def create(
    owner: User | None,
    game: GameChoice | str,
    settings: TableSettings | None = None,
    *,
    gm: User | None = None,
    sandbox: bool = False,
    now: datetime | None = None,
) -> Table:
    """Create a table for a game, which may be named by its variant alone.

    House rules about lost players become the table's policy where `settings` leave it open; the game itself never takes
    a power from its player. Raise `Refused` if the variant or the rules are not playable.
    """
    chosen = GameChoice(game) if isinstance(game, str) else game
    rulebook, house_rules = chosen.rulebook, chosen.house_rules
    settings = settings or TableSettings()
    if settings.fill:
        seats.check_bot(settings.fill)
    seed = new_seed()
    if not shelf.may_begin(chosen.variant, owner):
        raise Refused("bad-variant", _("There is no such variant."), _("see the site's variants"))
    try:
        found = editions.find_variant(chosen.variant)
        base = Game.start(found, seed=seed, rulebook=rulebook, house_rules=house_rules)
        wanted = {"preset": "standard", **base.house_rules.choices(), **LEFT_TO_THE_TABLE}
        trial = Game.start(found, seed=seed, rulebook=rulebook, house_rules=wanted)
    except GamesmasterError as error:
        raise Refused("bad-variant", error.what, error.hint) from error
    at = now or clock.now()
    editions.keep_edition(found, at)
    return Table.objects.create(
        name=_table_name(chosen.name or found.name),
        variant=found.id,
        digest=found.digest,
        rulebook={} if rulebook is None else {"given": rulebook},
        house_rules={"preset": "standard", **trial.house_rules.choices()},  # explicit, in case the variant's differ
        settings=_with_absent(settings, base.house_rules).model_dump(mode="json"),
        sandbox=sandbox,
        seed=seed,
        owner=owner,
        gm=gm,
        created=at,
    )


def _table_name(given: str) -> str:
    """Return the name of a table as one line; raise `Refused` if it cannot be read, or poses as the Gamesmaster's."""
    name = " ".join(given.replace(names.EMOJI, "").split())[:LONGEST_NAME]
    if fault := names.name_fault(name):
        raise Refused("false-name", fault)
    if poses(name):
        raise Refused("false-name", _("The name of a game must not pose as a message from the Gamesmaster."))
    return name


def poses(name: str) -> bool:
    """Return whether a name reads like that of the Gamesmaster."""
    return correspondence.poses(name) or bool(re.search("games?master", likeness(name)))


def sandbox(variant: str, user: User | None = None, *, name: str = "", now: datetime | None = None) -> Table:
    """Create a sandbox and begin it. It has no seats or deadlines; anybody with its key orders for all powers."""
    at = now or clock.now()
    made = create(user, GameChoice(variant, name), sandbox=True, now=at)
    with store.lock(made) as table:
        seats.begin(table, seats.new_game(table), at)
    return table


def start(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Begin the game: assign powers and set the first deadline. Raise `Refused` if that is not possible."""
    with store.lock(table) as row:
        must_host(row, by)
        if row.state != TableState.FORMING:
            raise Refused("not-forming", this_game_is(row.state))
        seats.start(row, now or clock.now())


def cancel(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Cancel a game: the owner before it begins, later only the Gamesmaster. Raise `Refused` otherwise."""
    with store.lock(table) as row:
        at = now or clock.now()
        must_host(row, by) if row.state == TableState.FORMING else must_run(row, by)
        if row.state in (TableState.FINISHED, TableState.CANCELLED):
            raise Refused("over", this_game_is(row.state))
        store.check_quiet(row, at)
        give_up(row, notifications.cancellation(row), at)
        store.audit(by, "cancelled", row, at)


def give_up(table: Table, notification: notifications.Notification, now: datetime) -> None:
    """Cancel a table under lock, save it, and send `notification` to everybody."""
    table.state, table.finished, table.ready_at = TableState.CANCELLED, now, None
    deadlines.put_deadline(table, None)
    store.touch(table)
    table.save()
    correspondence.notify(table, notification, now)


def _with_absent(settings: TableSettings, agreed: HouseRules) -> TableSettings:
    """Return the settings with a complete policy on absences; the house rules decide what they leave open."""
    absent = settings.absent
    misses = absent.misses
    if "misses" not in absent.model_fields_set and agreed.missed_before_standby:
        misses = agreed.missed_before_standby
    beforehand = absent.beforehand
    if beforehand is None:
        beforehand = agreed.standby_players == "asked_beforehand" and misses >= 2
    try:
        found = Absent.model_validate({**absent.model_dump(), "misses": misses, "beforehand": beforehand})
    except ValidationError as error:
        raise Refused("bad-variant", error.errors()[0]["msg"].removeprefix("Value error, ")) from None
    return settings.model_copy(update={"absent": found})


@dataclass(frozen=True, slots=True)
class Card:
    """A variant as the catalogue shows it."""

    id: str
    name: str
    powers: int
    centres: int  # number of supply centres
    wins: int  # centres that win
    says: str  # first sentence of its description
    digest: str  # beginning of its digest


KINDS = {
    "open": _("To join"),
    "mine": _("Mine"),
    "running": _("Running"),
    "finished": _("Finished"),
}
"""The lists of games, with their titles."""
PAGE = 24
WANTED = [SeatState.STANDBY_WANTED, SeatState.DISORDER]


@dataclass(frozen=True, slots=True)
class TableLine:
    """A game in a list, as the asking person sees it."""

    key: str
    name: str
    variant: Variant
    state: str
    settings: TableSettings
    taken: int  # seats taken
    seats: int  # seats in all
    wanted: int  # seats that need a player
    phase: str
    deadline: datetime | None
    deadline_wall: str
    mine: str  # the person's power
    sits: bool  # the person has a seat
    runs: bool  # the person is Gamesmaster or owner
    waiting: bool  # the person's orders are missing
    unread: int  # messages that are new to the person
    sandbox: bool

    @property
    def phase_words(self) -> str:
        """Return the name of the phase in the reader's language; "" before the game begins."""
        calendar = self.variant.calendar
        return phase_words(calendar, calendar.read(self.phase)) if self.phase else ""

    @property
    def free(self) -> int:
        """Return how many people may join: empty seats before the game, lost ones in it."""
        if self.state == TableState.FORMING:
            return self.seats - self.taken
        return self.wanted if self.state in (TableState.RUNNING, TableState.PAUSED) else 0


def find_tables(kind: str, user: User | None, *, words: str = "", page: int = 0, most: int = PAGE) -> list[TableLine]:
    """Return one page of a list of games that this person may see. `words` are searched in names and variants."""
    found = _of_kind(kind, user)
    for word in words.split()[:8]:
        found = found.filter(Q(name__icontains=word) | Q(variant__icontains=word) | Q(key=word))
    if user is not None:
        found = found.annotate(helped=Exists(_helped(user)))
    tables = list(found.defer("record")[page * most : (page + 1) * most])
    counts = _counts(tables)
    seats = _seats(tables, user)
    sent, press = _tables_with_orders(tables, seats), inbox.unread_press(user, tables) if user else {}
    lines = []
    for table in tables:
        try:
            counted = counts.get(table.pk, (0, 0))
            found_line = _line(table, user, seats.get(table.pk), *counted, sent=table.pk in sent)
            lines.append(replace(found_line, unread=press.get(table.pk, 0)))
        except GamesmasterError:  # a missing variant must not hide the other games
            continue
    return lines


def _helped(user: User) -> QuerySet[Helper]:
    """Return whether a person helps the Gamesmaster of a game, as a subquery."""
    return Helper.objects.filter(table=OuterRef("pk"), user=user, ended=None)


_OVER_LAST = Case(When(state=TableState.FINISHED, then=1), default=0)


def _of_kind(kind: str, user: User | None) -> QuerySet[Table]:
    public = Table.objects.filter(sandbox=False, settings__observers=True).exclude(settings__join="invited")
    if kind == "mine":
        if user is None:
            return Table.objects.none()
        seat = Seat.objects.filter(table=OuterRef("pk"), user=user, state__in=SEATED)
        own = Q(Exists(seat)) | Q(gm=user) | Q(owner=user) | Q(Exists(_helped(user)))
        found = Table.objects.filter(own).exclude(state=TableState.CANCELLED)
        # plans are shown at their tables
        found = found.exclude(sandbox=True, settings__join="invited")
        return found.order_by(_OVER_LAST, F("deadline").asc(nulls_last=True), "-created")
    if kind == "open":
        lost = Seat.objects.filter(state__in=WANTED).values("table")  # a subquery: asked once, not for each game
        joinable = Q(state=TableState.FORMING) | Q(pk__in=lost, state__in=[TableState.RUNNING, TableState.PAUSED])
        return public.filter(joinable, settings__join="open").order_by("-created")
    if kind == "finished":
        return public.filter(state=TableState.FINISHED).order_by("-finished")
    running = [TableState.RUNNING, TableState.PAUSED]
    return public.filter(state__in=running).order_by("-started")


def _counts(tables: Sequence[Table]) -> dict[int, tuple[int, int]]:
    """Map each of these games to its number of taken seats and of seats that need a player.

    Only the games of one page are counted. An annotation on the list would count those of all games.
    """
    found = Seat.objects.filter(table__in=[table.pk for table in tables]).values("table")
    counted = found.annotate(
        taken=Count("pk", filter=Q(state__in=SEATED)), wanted=Count("pk", filter=Q(state__in=WANTED))
    )
    return {row["table"]: (row["taken"], row["wanted"]) for row in counted}


def _seats(tables: Sequence[Table], user: User | None) -> dict[int, Seat]:
    """Map each of these games to the person's seat there, with one query."""
    if user is None:
        return {}
    found = Seat.objects.filter(table__in=[table.pk for table in tables], user=user, state__in=SEATED).order_by("-pk")
    return {seat.table_id: seat for seat in found}


def _tables_with_orders(tables: Sequence[Table], seats: dict[int, Seat]) -> set[int]:
    """Return which of these games have the person's orders for the current phase."""
    now = {
        (table.pk, table.ordinal, seats[table.pk].power)
        for table in tables
        if table.pk in seats and seats[table.pk].power
    }
    if not now:
        return set()
    found = Sheet.objects.filter(table__in=[pk for pk, _, _ in now], ordinal__in={ordinal for _, ordinal, _ in now})
    return {row[0] for row in found.values_list("table", "ordinal", "power") if row in now}


def _line(table: Table, user: User | None, seat: Seat | None, taken: int, wanted: int, *, sent: bool) -> TableLine:
    variant = editions.variant_of(table)
    return TableLine(
        key=table.key,
        name=table.name,
        variant=variant,
        state=table.state,
        settings=store.settings_of(table),
        taken=taken,
        seats=len(variant.powers),
        wanted=wanted,
        phase=table.phase_code,
        deadline=table.deadline,
        deadline_wall=table.deadline_wall,
        mine=(seat.power or "") if seat else "",
        sits=seat is not None,
        runs=user is not None and (user.pk in (table.gm_id, table.owner_id) or getattr(table, "helped", False)),
        waiting=seat is not None and table.state == TableState.RUNNING and not sent and table.needs_orders(seat.power),
        unread=0,
        sandbox=table.sandbox,
    )


@lru_cache(maxsize=1)
def cards() -> tuple[Card, ...]:
    """Return the cards of all variants, Standard first."""
    names = sorted(shelf.names(), key=lambda name: (name != "standard", name))
    return tuple(card_of(shelf.find_variant(name)) for name in names)


def own_cards(names: Iterable[str]) -> list[Card]:
    """Return the cards of the members' variants among these names."""
    return [card_of(editions.find_variant(name)) for name in names if name not in shelf.names()]


def card_of(found: Variant) -> Card:
    """Return the card of a variant."""
    says = " ".join(intro_of(found).split())
    return Card(
        found.id, found.name, len(found.powers), len(found.board.centres), found.victory.centres,
        says and re.split(r"(?<!\b[A-Z])\. ", says)[0].rstrip(".") + ".", found.digest[:12],
    )  # fmt: skip


def intro_of(found: Variant) -> str:
    """Return the first paragraph of a variant's rulebook; empty without a rulebook."""
    try:
        return rules_text_of(found).brief
    except GamesmasterError:
        return ""
