"""API of the own account, and of other players."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.contrib.auth.models import User
from django.http import HttpRequest
from ninja import Path, Query, Router, Schema, Status
from pydantic import Field

from gamesmaster.host.accounts import people, tokens
from gamesmaster.host.accounts.people import Absence, Profile, named_user
from gamesmaster.host.accounts.tokens import ApiToken
from gamesmaster.host.api.callers import Caller, Done, Given, Name, Power, browser, caller, person, require_confirmation
from gamesmaster.host.games import ratings
from gamesmaster.host.moderation import oversight
from gamesmaster.host.moderation.oversight import Complaint
from gamesmaster.host.orders import receipts
from gamesmaster.host.profiles import own_data
from gamesmaster.host.site import clock
from gamesmaster.variant import find_variant


class TokenIn(Given):
    """A token to be made."""

    name: Annotated[str, Field(max_length=60)] = Field(examples=["my bot"])
    scopes: list[Name] = Field(max_length=10, examples=[["read", "orders"]])
    days: Annotated[int, Field(ge=1, le=3660)] | None = None


class TokenOut(Schema):
    """A token; its `text` is shown once, when it is made."""

    id: int = Field(examples=[1])
    name: str = Field(examples=["my bot"])
    start: str = Field(examples=["gm_Xh3kq"])
    scopes: list[str] = Field(examples=[["read", "orders"]])
    made: datetime
    used: datetime | None
    expires: datetime | None
    text: str = ""


class MeOut(Schema):
    """Who you are here; `scopes` are what your token may do, null for everything."""

    name: str = Field(examples=["ann"])
    scopes: list[str] | None = Field(examples=[["read", "orders"]])


class ProfileOut(Schema):
    """Your settings."""

    time_zone: str = Field(examples=["Europe/Vienna"])
    theme: str = Field(examples=["auto"])
    colour_mode: str = Field(examples=[""])
    dialect: str = Field(examples=["house"])
    notify_phase: bool
    notify_deadline: bool
    notify_press: bool
    notify_table: bool


class ProfileIn(Given):
    """New settings; those left out stay as they are."""

    time_zone: Annotated[str, Field(max_length=64)] | None = Field(default=None, examples=["Europe/Vienna"])
    theme: Literal["auto", "light", "dark"] | None = None
    colour_mode: Literal["", "patterns"] | None = None
    dialect: Annotated[str, Field(max_length=24)] | None = Field(
        default=None, examples=["german"], description="the dialect in which the site completes orders"
    )
    notify_phase: bool | None = Field(default=None, description="mail with the results of phases")
    notify_deadline: bool | None = Field(default=None, description="mail before deadlines")
    notify_press: bool | None = Field(default=None, description="mail with new press")
    notify_table: bool | None = Field(default=None, description="mail about what happens in your games")


class AbsenceIn(Given):
    """Days on which you are away, including the first and the last."""

    begins: date = Field(examples=["2027-07-01"])
    ends: date = Field(examples=["2027-07-14"])


class AbsenceOut(Schema):
    """Days on which you are away."""

    id: int = Field(examples=[1])
    begins: date = Field(examples=["2027-07-01"])
    ends: date = Field(examples=["2027-07-14"])


class ReportIn(Given):
    """A report to the moderators: its topic, what happened, and in which game, if any."""

    about: Name = Field(examples=["conduct"], description="conduct, cheating, absence, fault or other")
    text: Annotated[str, Field(max_length=4_000)] = Field(examples=["Italy calls everybody names."])
    table: Name = Field(default="", examples=["kmqdtrwvzx"])


class ReportOut(Schema):
    """Your report to the moderators, with their answer once it is closed."""

    id: int = Field(examples=[1])
    about: str = Field(examples=["conduct"])
    text: str = Field(examples=["Italy calls everybody names."])
    made: datetime
    state: str = Field(examples=["open"])
    answer: str = Field(examples=[""])


class ReceiptIn(Given):
    """A receipt as it was given."""

    text: Annotated[str, Field(max_length=1000, examples=["GM1|5f0c9e1b7a2d4c8e9f013a4b|kmqdtrwvzx|0|..."])]


class CheckedOut(Schema):
    """What a receipt proves."""

    genuine: bool = Field(examples=[True])
    known: bool = Field(examples=[True])
    current: bool = Field(examples=[True])
    void: bool = Field(examples=[False])
    text: str = Field(examples=["The receipt is genuine, and these orders count."])


class StandingOut(Schema):
    """A line of the list of players: a careful estimate of strength, 1000 for a newcomer."""

    name: str = Field(examples=["ann"])
    rating: int = Field(examples=[1240])
    games: int = Field(examples=[12])


class ReliabilityOut(Schema):
    """A player's reliability in per cent, the number of seasons behind it, and of seats given up."""

    per_cent: int = Field(examples=[97])
    asked: int = Field(examples=[120])
    sent: int = Field(examples=[118])
    left: int = Field(examples=[0])


class GameOut(Schema):
    """A finished game that is not anonymous; `place` is null if it was not rated."""

    table: str = Field(examples=["kmqdtrwvzx"])
    name: str = Field(examples=["Seven at a table"])
    variant: str = Field(examples=["standard"])
    power: Power
    place: int | None = Field(examples=[2])


class PersonOut(Schema):
    """A player."""

    name: str = Field(examples=["ann"])
    since: datetime
    ratings: dict[str, int] = Field(
        examples=[{"": 1240, "standard": 1190}], description="family of variants, empty for all games, to rating"
    )
    reliability: ReliabilityOut
    games: list[GameOut]


router = Router()


@router.get("/me", response=MeOut)
def me(request: HttpRequest) -> MeOut:
    """Your name (empty if you are not signed in), and what your token may do."""
    who: Caller = request.auth  # type: ignore[attr-defined]
    user = caller(request)
    return MeOut(name=user.username if user else "", scopes=None if who.scopes is None else sorted(who.scopes))


@router.get("/me/tokens", response=list[TokenOut])
def own_tokens(request: HttpRequest) -> list[TokenOut]:
    """Your tokens, without their texts; only for a signed-in browser."""
    return [_token(row) for row in ApiToken.objects.filter(user=browser(request)).order_by("pk")]


@router.post("/me/tokens", response={201: TokenOut})
def make_token(request: HttpRequest, given: TokenIn) -> Status[TokenOut]:
    """Make a token. Its text is shown only now."""
    text, row = tokens.make_token(browser(request), given.name, given.scopes, clock.now(), days=given.days)
    return Status(201, _token(row, text))


@router.delete("/me/tokens/{number}", response=Done)
def drop_token(request: HttpRequest, number: Annotated[int, Path(ge=0, le=2**31 - 1)]) -> Done:
    """Delete a token."""
    tokens.drop_token(browser(request), number)
    return Done()


@router.post("/receipts/check", response=CheckedOut)
def check_receipt(request: HttpRequest, given: ReceiptIn) -> CheckedOut:
    """Check a receipt."""
    result = receipts.check(given.text)
    return CheckedOut(**{name: getattr(result, name) for name in CheckedOut.model_fields})


def _token(row: ApiToken, text: str = "") -> TokenOut:
    return TokenOut(
        id=row.pk, name=row.name, start=row.start, scopes=row.scopes, made=row.made, used=row.used,
        expires=row.expires, text=text,
    )  # fmt: skip


@router.get("/me/profile", response=ProfileOut)
def profile(request: HttpRequest) -> ProfileOut:
    """Your settings."""
    return _profile(people.profile(person(request)))


@router.put("/me/profile", response=ProfileOut)
def choose(request: HttpRequest, given: ProfileIn) -> ProfileOut:
    """Change your settings."""
    return _profile(people.choose(person(request, "me"), given.model_dump(exclude_none=True)))


@router.get("/me/absences", response=list[AbsenceOut])
def absences(request: HttpRequest) -> list[AbsenceOut]:
    """The days on which you are away."""
    return [_absence(one) for one in person(request).absences.order_by("begins", "pk")]


@router.post("/me/absences", response={201: AbsenceOut})
def go_away(request: HttpRequest, given: AbsenceIn) -> Status[AbsenceOut]:
    """Add days on which you are away."""
    return Status(201, _absence(people.go_away(person(request, "me"), given.begins, given.ends)))


@router.delete("/me/absences/{number}", response=Done)
def come_back(request: HttpRequest, number: Annotated[int, Path(ge=0, le=2**31 - 1)]) -> Done:
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
def reports(request: HttpRequest) -> list[ReportOut]:
    """Your reports to the moderators and their answers, newest first."""
    return [_report(one) for one in Complaint.objects.filter(by=person(request, "me")).order_by("-made", "-pk")[:100]]


@router.post("/me/reports", response={201: ReportOut})
def report(request: HttpRequest, given: ReportIn) -> Status[ReportOut]:
    """Report a problem to the moderators."""
    made = oversight.complain(person(request, "me"), given.about, given.text, key=given.table)
    return Status(201, _report(made))


def _profile(profile: Profile) -> ProfileOut:
    return ProfileOut(**{name: getattr(profile, name) for name in ProfileOut.model_fields})


def _absence(absence: Absence) -> AbsenceOut:
    return AbsenceOut(id=absence.pk, begins=absence.begins, ends=absence.ends)


def _report(case: Complaint) -> ReportOut:
    return ReportOut(id=case.pk, about=case.about, text=case.text, made=case.made, state=case.state, answer=case.answer)


players_router = Router()


@players_router.get("/ratings", response=list[StandingOut])
def standings(
    request: HttpRequest, variant: Annotated[str, Query(max_length=80, description="a family of variants")] = ""
) -> list[StandingOut]:
    """The players by rating, in all games or in those of one variant."""
    scope = find_variant(variant).id.partition("[")[0] if variant else ""
    return [StandingOut(name=s.user.username, rating=s.shown, games=s.games) for s in ratings.standings(scope)]


@players_router.get("/people/{username}", response=PersonOut)
def player(request: HttpRequest, username: str) -> PersonOut:
    """A player: ratings, reliability, and finished games that are not anonymous."""
    user = named_user(username)
    own = ratings.reliability(user, public=True)
    return PersonOut(
        name=user.username,
        since=user.date_joined,
        ratings={r.scope: ratings.public_rating(r.mu, r.sigma) for r in user.ratings.order_by("scope")},
        reliability=ReliabilityOut(per_cent=own.per_cent, asked=own.asked, sent=own.sent, left=own.left),
        games=_games(user),
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
