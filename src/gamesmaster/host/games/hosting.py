"""Tables made, begun and given up."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from django.contrib.auth.models import User
from pydantic import ValidationError

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, new_seed
from gamesmaster.host.games import bots, deadlines, seats
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import editions, letters, store
from gamesmaster.host.tables.access import must_host, must_run
from gamesmaster.host.tables.models import Table, TableState
from gamesmaster.host.tables.settings import Absent, TableSettings
from gamesmaster.host.tables.view import this_game_is
from gamesmaster.variant import HouseRules

LONGEST_NAME = 80
LEFT_TO_THE_TABLE: Mapping[str, object] = MappingProxyType(
    {"missed_before_standby": 0, "standby_players": "whoever_comes"}
)
"""House rules of a game whose table looks after lost players (`TableSettings.absent`), as the game is to have them."""


def create(
    owner: User | None,
    variant: str,
    settings: TableSettings | None = None,
    *,
    name: str = "",
    rulebook: str | Mapping[str, object] | None = None,
    house_rules: str | Mapping[str, object] | None = None,
    gm: User | None = None,
    sandbox: bool = False,
    now: datetime | None = None,
) -> Table:
    """Make a table; `variant` is a name with options (`cline9[turkey=fleet-smyrna]`), or the address of an edition.

    Of the house rules those about lost players become the table's policy where the settings leave that open; the game
    itself takes no power from its player.  Raises `Refused` for what cannot be played.
    """
    settings = settings or TableSettings()
    if settings.fill:
        bots.check_name(settings.fill)
    seed = new_seed()
    try:
        found = editions.find(variant)
        base = Game.start(found, seed=seed, rulebook=rulebook, house_rules=house_rules)
        wanted = {"preset": "standard", **base.house_rules.choices(), **LEFT_TO_THE_TABLE}
        trial = Game.start(found, seed=seed, rulebook=rulebook, house_rules=wanted)
    except GamesmasterError as error:
        raise Refused("bad-variant", error.what, error.hint) from error
    at = now or clock.now()
    editions.keep(found, at)
    return Table.objects.create(
        name=" ".join((name or found.name).split())[:LONGEST_NAME],
        variant=found.id,
        digest=found.digest,
        rulebook={} if rulebook is None else {"given": rulebook},
        house_rules={"preset": "standard", **trial.house_rules.choices()},  # not the variant's where they differ
        settings=_with_absent(settings, base.house_rules).model_dump(mode="json"),
        sandbox=sandbox,
        seed=seed,
        owner=owner,
        gm=gm,
        created=at,
    )


def sandbox(variant: str, user: User | None = None, *, name: str = "", now: datetime | None = None) -> Table:
    """A table at which whoever has its key orders for all powers: no seats, no deadlines, begun at once."""
    at = now or clock.now()
    made = create(user, variant, TableSettings(), name=name, sandbox=True, now=at)
    with store.locked(made) as table:
        seats.begin(table, seats.new_game(table), at)
    return table


def start(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Begin the game: the powers are drawn by lot, and the first deadline is set.  Raises `Refused`."""
    with store.locked(table) as row:
        must_host(row, by)
        if row.state != TableState.FORMING:
            raise Refused("not-forming", this_game_is(row.state))
        seats.start(row, now or clock.now())


def cancel(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Give up a table: before it begins whoever made it may, later only the Gamesmaster."""
    with store.locked(table) as row:
        at = now or clock.now()
        must_host(row, by) if row.state == TableState.FORMING else must_run(row, by)
        if row.state in (TableState.FINISHED, TableState.CANCELLED):
            raise Refused("over", this_game_is(row.state))
        store.check_quiet(row, at)
        give_up(row, letters.cancelled(row), at)
        store.audit(by, "cancelled", row, at)


def give_up(table: Table, letter: letters.Letter, now: datetime) -> None:
    """Cancel a table under lock, and tell everybody by this letter; the table is saved."""
    table.state, table.finished, table.ready_at = TableState.CANCELLED, now, None
    deadlines.put_deadline(table, None)
    store.touch(table)
    table.save()
    correspondence.proclaim(table, letter, now)


def _with_absent(settings: TableSettings, agreed: HouseRules) -> TableSettings:
    """The settings with all that becomes of the absent: what they leave open is as the house rules have it."""
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
