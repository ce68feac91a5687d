"""What you have chosen: your profile, the days on which you are away, your data, what you told the moderators."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Router, Status

from gamesmaster.host.api.callers import confirmed, person
from gamesmaster.host.api.shapes.common import Done
from gamesmaster.host.api.shapes.mine import AbsenceIn, AbsenceOut, ProfileIn, ProfileOut, ReportIn, ReportOut
from gamesmaster.host.models import Absence, Complaint, Profile
from gamesmaster.host.service import moderation, own_data, people

router = Router()


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
    confirmed(request)
    return own_data.export(user)


@router.get("/me/reports", response=list[ReportOut])
def reports(request: HttpRequest) -> list[ReportOut]:
    """Your reports to the moderators and their answers, newest first."""
    return [_report(one) for one in Complaint.objects.filter(by=person(request, "me")).order_by("-made", "-pk")[:100]]


@router.post("/me/reports", response={201: ReportOut})
def report(request: HttpRequest, given: ReportIn) -> Status[ReportOut]:
    """Report a problem to the moderators."""
    made = moderation.complain(person(request, "me"), given.about, given.text, key=given.table)
    return Status(201, _report(made))


def _profile(found: Profile) -> ProfileOut:
    return ProfileOut(**{name: getattr(found, name) for name in ProfileOut.model_fields})


def _absence(found: Absence) -> AbsenceOut:
    return AbsenceOut(id=found.pk, begins=found.begins, ends=found.ends)


def _report(found: Complaint) -> ReportOut:
    return ReportOut(
        id=found.pk, about=found.about, text=found.text, made=found.made, state=found.state, answer=found.answer
    )
