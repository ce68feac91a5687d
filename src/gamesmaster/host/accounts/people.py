"""Accounts: profiles, absences, sign-ins, one-time links, and the role of moderator."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Group, User
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.site.zones import zone_hint, zones
from gamesmaster.host.tables import store
from gamesmaster.host.tables.notifications import CHANNELS, Channel
from gamesmaster.host.tables.notifications import CHOSEN as CHOSEN_KINDS
from gamesmaster.orders.dialect import HOUSE, dialects, written_dialects

MOST_BOUNCES = 5
"""Number of consecutive bounces after which a person gets no mail until the address has proved to work."""


class Profile(models.Model):
    """A person's settings: time zone, display, and which e-mails to send."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="profile")
    time_zone = models.CharField(max_length=64, default="UTC")
    theme = models.CharField(max_length=8, default="auto", choices=[(c, c) for c in ("auto", "light", "dark")])
    colour_mode = models.CharField(max_length=16, default="", blank=True)
    language = models.CharField(max_length=8, default="en")
    dialect = models.CharField(max_length=24, default="house")  # dialect of completed orders
    notices = models.JSONField(default=dict)  # by kind of event: the channel that the person chose
    feed = models.IntegerField(default=0)  # number of the calendar feed's address; 0 and below: no feed
    waiting = models.BooleanField(default=False)  # for a moderator's approval
    bounces = models.PositiveSmallIntegerField(default=0)

    @property
    def channels(self) -> dict[str, Channel]:
        """Return how the person hears of each kind of event, for the kinds that can be chosen."""
        return {name: self.notices.get(name, kind.usual) for name, kind in CHOSEN_KINDS.items()}

    @property
    def gets_no_mail(self) -> bool:
        """Return whether mails to this person are held back, because the last ones came back."""
        return self.bounces >= MOST_BOUNCES


class Absence(models.Model):
    """Days on which a person is away, first and last included, in the person's time zone."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="absences")
    begins = models.DateField()
    ends = models.DateField()

    class Meta:
        """A range never ends before it begins."""

        constraints = [models.CheckConstraint(condition=models.Q(ends__gte=models.F("begins")), name="absence_forward")]


class SignIn(models.Model):
    """One sign-in to an account."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sign_ins")
    at = models.DateTimeField()
    method = models.CharField(max_length=24, blank=True)  # methods joined by "+"
    device = models.CharField(max_length=80, blank=True)
    network = models.CharField(max_length=48, blank=True)  # shortened address; empty if addresses are not noted
    known = models.BooleanField(default=False)  # the browser had signed in to the account before

    class Meta:
        """Index for showing the newest and deleting the oldest."""

        indexes = [models.Index(fields=["user", "at"], name="sign_in_time")]


class OneTimeLink(models.Model):
    """A link that works once. Only the hash of its token is stored."""

    token_hash = models.CharField(max_length=64, unique=True)
    purpose = models.CharField(max_length=24)
    made = models.DateTimeField()
    used = models.DateTimeField(null=True)
    expires = models.DateTimeField(null=True)  # None: never
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="links_made")


class SignUp(models.Model):
    """A sign-up by mail that waits for a reply. The account is created when the reply arrives."""

    email = models.CharField(max_length=254, unique=True)
    name = models.CharField(max_length=150, blank=True)
    letters = models.PositiveSmallIntegerField(default=0)
    made = models.DateTimeField()


COLOUR_MODES = {
    "": gettext_lazy("Colours, each with a letter of its power"),
    "patterns": gettext_lazy("Patterns instead of colours, black on white"),
}
"""Descriptions of the values of `Profile.colour_mode`."""


MODERATORS = "moderators"
"""The group of moderators. Admins are moderators without being members."""
MOST_ABSENCES = 100
LONGEST_ABSENCE = 366  # days
CHOSEN = ("time_zone", "theme", "colour_mode", "dialect", "notices")


def profile(user: User) -> Profile:
    """Return the profile of an account, creating it at first use."""
    known: Profile | None = getattr(user, "profile", None)
    if known is not None:
        return known
    made, _ = Profile.objects.get_or_create(user=user)
    return made


def own_time(user: User, at: datetime) -> str:
    """Return a time in the person's time zone: `Tue 2027-01-05 21:00 Europe/Vienna`."""
    return clock.on_the_wall(at, profile(user).time_zone)


def is_moderator(user: AbstractBaseUser | AnonymousUser | None) -> bool:
    """Return whether this account is a moderator. The role gives no right to see anything of a game."""
    if not isinstance(user, User) or not user.is_active:
        return False
    return user.is_superuser or user.groups.filter(name=MODERATORS).exists()


def choose(user: User, chosen: Mapping[str, object]) -> Profile:
    """Update the settings named in `chosen`; raise `Refused` for an unknown time zone, dialect, kind or channel.

    `notices` maps kinds of events to channels; kinds that it leaves out stay as they are.
    """
    found = profile(user)
    if "notices" in chosen:
        chosen = {**chosen, "notices": {**found.notices, **_checked_channels(chosen["notices"])}}
    for name in CHOSEN:
        if name in chosen:
            setattr(found, name, chosen[name])
    if found.time_zone not in zones():
        zone = found.time_zone
        raise Refused("no-zone", _("There is no time zone {time_zone!r}."), zone_hint(zone), time_zone=zone[:60])
    if found.dialect not in dialect_titles():
        raise Refused("no-choice", _("Please choose one of the options shown."), ", ".join(dialect_titles()))
    found.save()
    return found


def _checked_channels(chosen: object) -> dict[str, object]:
    channels = dict(chosen) if isinstance(chosen, Mapping) else {}
    for kind, channel in channels.items():
        if kind not in CHOSEN_KINDS or channel not in CHANNELS:
            known = f"{', '.join(CHOSEN_KINDS)}; {', '.join(CHANNELS)}"
            raise Refused("no-choice", _("Please choose one of the options shown."), known)
    return channels


def dialect_titles() -> dict[str, str]:
    """Return the titles of the dialects that orders can be written in, by id, the house style first."""
    return {HOUSE: dialects()[HOUSE].title} | {dialect.id: dialect.title for dialect in written_dialects()}


def go_away(user: User, begins: date, ends: date, *, now: datetime | None = None) -> Absence:
    """Add an absence, first and last day included; raise `Refused` if it is invalid, past or overlapping."""
    if not 0 <= (ends - begins).days <= LONGEST_ABSENCE:
        raise Refused("bad-days", _("The last day must not be before the first, nor more than a year after it."))
    if ends < (now or clock.now()).astimezone(ZoneInfo(profile(user).time_zone)).date():
        raise Refused("bad-days", _("Those days have passed: the last day must be today or later."))
    other = user.absences.filter(begins__lte=ends, ends__gte=begins).order_by("begins").first()
    if other is not None:
        known = _("from {begins:%-d %b %Y} to {ends:%-d %b %Y}").format(begins=other.begins, ends=other.ends)
        raise Refused(
            "bad-days", _("Some of these days are in your calendar already: you are away {known}."), known=known
        )
    if user.absences.count() >= MOST_ABSENCES:
        raise Refused("too-many", _("Your calendar has too many absences."), _("remove old ones"))
    return Absence.objects.create(user=user, begins=begins, ends=ends)


def come_back(user: User, number: int) -> None:
    """Remove an absence from the person's calendar."""
    Absence.objects.filter(user=user, pk=number).delete()


def set_moderator(user: User, by: User, *, wanted: bool, now: datetime | None = None) -> None:
    """Give or take away the role of moderator; raise `Refused` unless `by` is an admin."""
    if not by.is_superuser:
        raise Refused("not-admin", _("Only admins can give or take away roles."))
    group = Group.objects.get_or_create(name=MODERATORS)[0]
    user.groups.add(group) if wanted else user.groups.remove(group)
    said = gettext_lazy("made a moderator: {name}") if wanted else gettext_lazy("no longer a moderator: {name}")
    store.audit(by, said, None, now or clock.now(), name=user.username)


def must_keep_order(user: User) -> None:
    """Raise `Refused` unless this account is a moderator."""
    if not is_moderator(user):
        raise Refused("not-moderator", _("Only moderators can do that."))


def named_user(name: str) -> User:
    """Return the active account with this name; raise `Refused` if it does not exist."""
    found = User.objects.filter(username=name, is_active=True).first()
    if found is None:
        raise Refused("no-player", _("There is no player with that name."))
    return found
