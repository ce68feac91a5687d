"""Tables: made, joined, started, paused, ended."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import User

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, HouseRules, new_seed
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Table, TableState
from gamesmaster.host.service import beginning, bots, clock, editions, letters, press, rows, store, turns
from gamesmaster.host.service.rights import must_host
from gamesmaster.host.service.rights import must_run as must_run
from gamesmaster.host.service.seating import add_bot as add_bot
from gamesmaster.host.service.seating import invite as invite
from gamesmaster.host.service.seating import join as join
from gamesmaster.host.service.seating import leave as leave
from gamesmaster.host.service.seating import replace as replace
from gamesmaster.host.service.seating import withdraw as withdraw
from gamesmaster.host.service.table_clock import extend as extend
from gamesmaster.host.service.table_clock import pause as pause
from gamesmaster.host.service.table_clock import resume as resume
from gamesmaster.host.service.table_clock import start_clock as start_clock
from gamesmaster.host.service.table_clock import stop_clock as stop_clock
from gamesmaster.host.table_settings import TableSettings
from gamesmaster.host.wording import this_game_is

LONGEST_NAME = 80


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

    The game's own house rules take their votes from the settings, and leave lost players to the table's policy, which
    asks standbys beforehand if it does not say and they do.  Raises `Refused` for what cannot be played.
    """
    settings = settings or TableSettings()
    if settings.fill:
        bots.check_name(settings.fill)
    seed = new_seed()
    try:
        found = editions.find(variant)
        base = Game.start(found, seed=seed, rulebook=rulebook, house_rules=house_rules)
        lost = {"missed_before_standby": 0, "standby_players": "whoever_comes"}
        wanted = {"preset": "standard", **base.house_rules.choices(), **_votes(settings), **lost}
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
        settings=_with_standbys(settings, base.house_rules).model_dump(mode="json"),
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
    with rows.locked(made) as table:
        beginning.begin(table, beginning.new_game(table), at)
    return table


def start(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Begin the game: the powers are drawn by lot, and the first deadline is set.  Raises `Refused`."""
    with rows.locked(table) as row:
        must_host(row, by)
        if row.state != TableState.FORMING:
            raise Refused("not-forming", this_game_is(row.state))
        beginning.start(row, now or clock.now())


def cancel(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Give up a table: before it begins whoever made it may, later only the Gamesmaster."""
    with rows.locked(table) as row:
        at = now or clock.now()
        must_host(row, by) if row.state == TableState.FORMING else must_run(row, by)
        if row.state in (TableState.FINISHED, TableState.CANCELLED):
            raise Refused("over", this_game_is(row.state))
        rows.check_quiet(row, at)
        give_up(row, letters.cancelled(row), at)
        rows.audit(by, "cancelled", row, at)


def give_up(table: Table, letter: letters.Letter, now: datetime) -> None:
    """Cancel a table under lock, and tell everybody by this letter; the table is saved."""
    table.state, table.finished, table.ready_at = TableState.CANCELLED, now, None
    turns.put_deadline(table, None)
    store.touch(table)
    table.save()
    press.proclaim(table, letter, now)


def _with_standbys(settings: TableSettings, agreed: HouseRules) -> TableSettings:
    """The settings with an answer to whether standbys are asked beforehand."""
    absent = settings.absent
    if absent.beforehand is not None:
        return settings
    beforehand = agreed.standby_players == "asked_beforehand" and absent.misses >= 2
    return settings.model_copy(update={"absent": absent.model_copy(update={"beforehand": beforehand})})


def _votes(settings: TableSettings) -> dict[str, object]:
    shares = "all_survivors" if settings.draws == "survivors" else "any_group"
    return {"draw_shares": shares, "votes": settings.ballots}
