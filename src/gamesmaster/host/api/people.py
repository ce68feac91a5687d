"""Players: the list of ratings, and each of them."""

from __future__ import annotations

from typing import Annotated

from django.contrib.auth.models import User
from django.http import HttpRequest
from ninja import Query, Router

from gamesmaster.game import find_variant
from gamesmaster.host.api.seeing import named_user
from gamesmaster.host.api.shapes.people import GameOut, PersonOut, ReliabilityOut, StandingOut
from gamesmaster.host.service import ratings

router = Router()


@router.get("/ratings", response=list[StandingOut])
def standings(
    request: HttpRequest, variant: Annotated[str, Query(max_length=80, description="a family of variants")] = ""
) -> list[StandingOut]:
    """The players by rating, in all games or in those of one variant."""
    scope = find_variant(variant).id.partition("[")[0] if variant else ""
    return [StandingOut(name=s.user.username, rating=s.shown, games=s.games) for s in ratings.standings(scope)]


@router.get("/people/{username}", response=PersonOut)
def player(request: HttpRequest, username: str) -> PersonOut:
    """A player: ratings, reliability, and finished games that are not anonymous."""
    found = named_user(username)
    own = ratings.reliability(found, told=True)
    return PersonOut(
        name=found.username,
        since=found.date_joined,
        ratings={r.scope: ratings.shown(r.mu, r.sigma) for r in found.ratings.order_by("scope")},
        reliability=ReliabilityOut(per_cent=own.per_cent, asked=own.asked, sent=own.sent, left=own.left),
        games=_games(found),
    )


def _games(user: User) -> list[GameOut]:
    places = {one.table_id: one.place for one in user.rated.all()}
    return [
        GameOut(
            table=seat.table.key, name=seat.table.name, variant=seat.table.variant, power=seat.power or "",
            place=places.get(seat.table_id),
        )
        for seat in ratings.own_tables(user)
    ]  # fmt: skip
