"""API of the own account, and of other players."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from gamesmaster.host.accounts import people, tokens
from gamesmaster.host.accounts.people import Absence, Profile, named_user
from gamesmaster.host.accounts.tokens import ApiToken
from gamesmaster.host.api.callers import (
    Caller,
    Done,
    Given,
    Name,
    PathNumber,
    browser,
    caller,
    person,
    require_confirmation,
)
from gamesmaster.host.games import ratings
from gamesmaster.host.games.ratings import Reliability
from gamesmaster.host.moderation import oversight
from gamesmaster.host.moderation.oversight import Complaint
from gamesmaster.host.orders import receipts
from gamesmaster.host.profiles import own_data
from gamesmaster.host.site import clock
from gamesmaster.host.tables import shelf
from gamesmaster.host.tables.notifications import Channel
from gamesmaster.host.tables.settings import Day


class TokenIn(Given):
    """A token to be made."""

    name: Annotated[str, Field(max_length=60)]
    scopes: list[Name] = Field(max_length=10)
    days: Annotated[int, Field(ge=1, le=3660)] | None = None


class TokenOut(Schema):
    """A token; its `text` is shown once, when it is made."""

    id: int
    name: str
    start: str
    scopes: list[str]
    made: datetime
    used: datetime | None
    expires: datetime | None
    text: str = ""


class MeOut(Schema):
    """Who you are here; `scopes` are what your token may do, null for everything."""

    name: str
    scopes: list[str] | None


class ProfileOut(Schema):
    """Your settings."""

    time_zone: str
    theme: str
    colour_mode: str
    dialect: str
    notices: dict[str, Channel] = Field(alias="channels", description="how you hear of each kind of event")


class ProfileIn(Given):
    """New settings; those left out stay as they are."""

    time_zone: Annotated[str, Field(max_length=64)] | None = None
    theme: Literal["auto", "light", "dark"] | None = None
    colour_mode: Literal["", "patterns"] | None = None
    dialect: Annotated[str, Field(max_length=24)] | None = Field(
        default=None, description="the dialect in which the site completes orders"
    )
    notices: Annotated[dict[Name, Channel], Field(max_length=20)] | None = Field(
        default=None, description="for kinds of events: push, mail (at once), daily (a mail a day), or none"
    )


class AbsenceIn(Given):
    """Days on which you are away, including the first and the last."""

    begins: Day
    ends: Day


class AbsenceOut(Schema):
    """Days on which you are away."""

    id: int
    begins: date
    ends: date


class ReportIn(Given):
    """A report to the moderators: its topic, what happened, and in which game, if any."""

    about: Name = Field(description="conduct, cheating, absence, fault or other")
    text: Annotated[str, Field(max_length=4_000)]
    table: Name = ""


class ReportOut(Schema):
    """Your report to the moderators, with their answer once it is closed."""

    id: int
    about: str
    text: str
    made: datetime
    state: str
    answer: str


class ReceiptIn(Given):
    """A receipt as it was given."""

    text: Annotated[str, Field(max_length=1000)]


class StandingOut(Schema):
    """A line of the list of players: a careful estimate of strength, 1000 for a newcomer."""

    name: str = Field(alias="user.username")
    rating: int = Field(alias="shown")
    games: int


class GameOut(Schema):
    """A finished game that is not anonymous; `place` is null if it was not rated."""

    table: str
    name: str
    variant: str
    power: str
    place: int | None


class PersonOut(Schema):
    """A player."""

    name: str
    since: datetime
    ratings: dict[str, int] = Field(description="family of variants, empty for all games, to rating")
    reliability: Reliability
    games: list[GameOut]


router = Router()


@router.get("/me", response=MeOut)
def me(request: HttpRequest) -> MeOut:
    """Your name (empty if you are not signed in), and what your token may do."""
    who: Caller = request.auth  # type: ignore[attr-defined]
    user = caller(request)
    return MeOut(name=user.username if user else "", scopes=None if who.scopes is None else sorted(who.scopes))


@router.get("/me/tokens", response=list[TokenOut])
def own_tokens(request: HttpRequest) -> QuerySet[ApiToken]:
    """Your tokens, without their texts; only for a signed-in browser."""
    return ApiToken.objects.filter(user=browser(request)).order_by("pk")


@router.post("/me/tokens", response={201: TokenOut})
def make_token(request: HttpRequest, given: TokenIn) -> Status[dict[str, object]]:
    """Make a token. Its text is shown only now."""
    text, row = tokens.make_token(browser(request), given.name, given.scopes, clock.now(), days=given.days)
    return Status(201, {**vars(row), "text": text})


@router.delete("/me/tokens/{number}", response=Done)
def drop_token(request: HttpRequest, number: PathNumber) -> Done:
    """Delete a token."""
    tokens.drop_token(browser(request), number)
    return Done()


@router.post("/receipts/check", response=receipts.Checked)
def check_receipt(request: HttpRequest, given: ReceiptIn) -> receipts.Checked:
    """Check a receipt."""
    return receipts.check(given.text)


@router.get("/me/profile", response=ProfileOut)
def profile(request: HttpRequest) -> Profile:
    """Your settings."""
    return people.profile(person(request))


@router.put("/me/profile", response=ProfileOut)
def choose(request: HttpRequest, given: ProfileIn) -> Profile:
    """Change your settings."""
    return people.choose(person(request, "me"), given.model_dump(exclude_none=True))


@router.get("/me/absences", response=list[AbsenceOut])
def absences(request: HttpRequest) -> QuerySet[Absence]:
    """The days on which you are away."""
    return person(request).absences.order_by("begins", "pk")


@router.post("/me/absences", response={201: AbsenceOut})
def go_away(request: HttpRequest, given: AbsenceIn) -> Status[Absence]:
    """Add days on which you are away."""
    return Status(201, people.go_away(person(request, "me"), given.begins, given.ends))


@router.delete("/me/absences/{number}", response=Done)
def come_back(request: HttpRequest, number: PathNumber) -> Done:
    """Remove days from your calendar."""
    people.come_back(person(request, "me"), number)
    return Done()


@router.get("/me/data", response=dict[str, Any])
def data(request: HttpRequest) -> dict[str, object]:
    """Everything that the site keeps about you; in a browser, after you have confirmed that it is you."""
    user = person(request, "me")
    require_confirmation(request)
    return own_data.export(user)


@router.get("/me/reports", response=list[ReportOut])
def reports(request: HttpRequest) -> QuerySet[Complaint]:
    """Your reports to the moderators and their answers, newest first."""
    return Complaint.objects.filter(by=person(request, "me")).order_by("-made", "-pk")[:100]


@router.post("/me/reports", response={201: ReportOut})
def report(request: HttpRequest, given: ReportIn) -> Status[Complaint]:
    """Report a problem to the moderators."""
    return Status(201, oversight.complain(person(request, "me"), given.about, given.text, key=given.table))


players_router = Router()


@players_router.get("/ratings", response=list[StandingOut])
def standings(
    request: HttpRequest,
    variant: Annotated[str, Query(max_length=80, description="a family of variants")] = "",
    after: Annotated[int, Query(ge=0, le=2**31 - 1, description="only players after the one at this place")] = 0,
) -> list[ratings.Standing]:
    """The players by rating, in all games or in those of one variant, up to 100; get more with `after`."""
    scope = shelf.find_variant(variant).id.partition("[")[0] if variant else ""
    return ratings.standings(scope, after=after)


@players_router.get("/people/{username}", response=PersonOut)
def player(request: HttpRequest, username: str) -> dict[str, object]:
    """A player: ratings, reliability, and finished games that are not anonymous."""
    user = named_user(username)
    places = {one.table_id: one.place for one in user.rated.all()}
    games = [
        {
            "table": seat.table.key, "name": seat.table.name, "variant": seat.table.variant, "power": seat.power or "",
            "place": places.get(seat.table_id),
        }
        for seat in ratings.own_tables(user)
    ]  # fmt: skip
    return {
        "name": user.username,
        "since": user.date_joined,
        "ratings": {r.scope: ratings.public_rating(r.mu, r.sigma) for r in user.ratings.order_by("scope")},
        "reliability": ratings.reliability(user, public=True),
        "games": games,
    }
