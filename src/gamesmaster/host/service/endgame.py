"""How everybody stands in a game, how it came to that, and what its players say of it when it is over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.game import Game
from gamesmaster.game.progress import centre_counts, unit_counts
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import RatedSeat, Seat, Table
from gamesmaster.host.service import clock, press, ratings, rows, store
from gamesmaster.host.service.shown import SeatView
from gamesmaster.host.service.table_view import OVER, TableView
from gamesmaster.host.service.viewing import row_of

LONGEST_STATEMENT = 4000


@dataclass(frozen=True, slots=True)
class Standing:
    """How a power stands at the end.

    `seat` is who played it last, as the viewer may know that; `out` the year in which it went out of the game (None: it
    did not), `rating` that of its player before and after, if the game is rated.
    """

    power: str
    seat: SeatView | None
    place: int
    centres: int
    units: int
    out: int | None
    rating: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Year:
    """A year that was played: its last phase, and how many centres each power had after it, in the variant's order."""

    year: int
    ordinal: int
    centres: tuple[int, ...]


def standings(view: TableView) -> tuple[Standing, ...]:
    """The final table, the best first.  Raises `Refused` while the game goes on."""
    game = _over(view)
    places, out = ratings.places(game), _went_out(game)
    centres, units = centre_counts(game.variant, game.position), unit_counts(game.variant, game.position)
    seats, rated = {seat.power: seat for seat in view.seats}, _rated(view)
    found = [
        Standing(p, seats.get(p), places[p], centres.get(p, 0), units.get(p, 0), out.get(p), rated.get(p))
        for p in places
    ]
    return tuple(sorted(found, key=lambda one: (one.place, -one.centres)))


def years(view: TableView) -> tuple[Year, ...]:
    """The years of a game, each with the centres at its end; of the year being played, as they stand."""
    game, found = view.bare_game, dict[int, Year]()
    stood = [*(record.position for record in game.records), game.position]
    for ordinal, (record, position) in enumerate(zip(game.records, stood[1:], strict=True)):
        counts = centre_counts(game.variant, position)
        found[record.phase.year] = Year(record.phase.year, ordinal, tuple(counts[p.name] for p in game.variant.powers))
    return tuple(found.values())


def opening(view: TableView) -> tuple[int, ...]:
    """How many centres each power had when the game began, in the variant's order."""
    game = view.bare_game
    counts = centre_counts(game.variant, game.records[0].position if game.records else game.position)
    return tuple(counts[power.name] for power in game.variant.powers)


def state(table: Table | int, user: User | None, text: str, *, now: datetime | None = None) -> None:
    """Keep a player's statement on a game that is over, in place of an earlier one; an empty text takes it away.

    Players whose powers went out of the game have one, too.  Raises `Refused`.
    """
    with rows.locked(table) as row:
        if row.state not in OVER:
            raise Refused("not-over", _("Statements are for games that are over."))
        seat = row.seats.filter(user=user, power__isnull=False, state__in=rows.SEATED).first() if user else None
        if seat is None:
            raise Refused("no-seat", _("Only players of this game can write a statement."))
        if (length := len(text.replace("\r\n", "\n"))) > LONGEST_STATEMENT:
            hint = _("yours has {length:,}").format(length=length)
            raise Refused(
                "too-long",
                _("A statement has at most {longest_statement:,} characters.").format(
                    longest_statement=LONGEST_STATEMENT
                ),
                hint,
            )
        said = press.cleaned(text) if text.strip() else ""
        Seat.objects.filter(pk=seat.pk).update(statement=said)
        store.touch(row)
        row.save(update_fields=["version"])
        rows.audit(user, gettext_lazy("wrote a statement"), row, now or clock.now())


def unrated(view: TableView) -> str:
    """Why a game that is over is not rated, in a sentence; empty if it is."""
    return ratings.unrated(row_of(view), _over(view))


def _over(view: TableView) -> Game:
    game = view.bare_game
    if game.outcome is None:
        raise Refused("not-over", _("The game is not over."))
    return game


def _rated(view: TableView) -> dict[str, tuple[int, int]]:
    """Ratings before and after by power; a game whose players stay anonymous has none."""
    return {one.power: (round(one.before), round(one.after)) for one in RatedSeat.objects.filter(table__key=view.key)}


def _went_out(game: Game) -> dict[str, int]:
    """The year in which each power that is out of the game went out: that of the phase after which it had nothing."""
    found: dict[str, int] = {}
    living = set(game.survivors)
    for record in game.records:
        for power in {unit.power for unit in record.position.units} | set(record.position.owners.values()):
            if power not in living:
                found[power] = record.phase.year
    return found
