"""A table with something secret in every corner, people of every kind around it, and every address of the site."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from html import unescape

from django.apps import apps
from django.contrib.auth.models import User
from django.core.serializers import serialize
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from gamesmaster.host.games import deadlines, hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.models import (
    Ballot,
    Complaint,
    Message,
    OutMail,
    Profile,
    Question,
    Remark,
    Sheet,
    Standby,
    Table,
    WebHook,
)
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import downtime, processing, votes
from gamesmaster.host.tables import store
from gamesmaster.host.tables.settings import Absent, TableSettings
from tests.host.conftest import NOW, person, power_of

LATER = NOW + timedelta(hours=2)
PHASES = ("forming", "moves", "later", "paused", "quarantined", "finished")
"""The states in which a table is looked at; `later` is the second phase, with one that is over."""
ROLES = ("stranger", "outsider", "own", "other", "replaced", "successor", "gm", "moderator", "staff",
         "standby")  # fmt: skip
"""Nobody, an observer, a player, another, one who was replaced and by whom, the Gamesmaster, an admin who plays, one
who does not, and who is asked for orders beside the first player."""
CORE = ("stranger", "own", "other", "gm", "moderator")
"""Those who are looked at in every state; the others where a phase is over and another being played."""
SECRETIVE = TableSettings(
    anonymity="until_end", fill="holder", starts="asked", panic=60, absent=Absent(beforehand=True)
)


@dataclass(frozen=True, slots=True)
class Secret:
    """A word that may be read by people of these roles alone."""

    word: str
    known: frozenset[str]


@dataclass(frozen=True)
class World:
    """A table, the people by their roles, and the secrets."""

    table: Table
    people: dict[str, User]
    secrets: tuple[Secret, ...]

    def client(self, role: str, *, csrf: bool = False) -> Client:
        """A browser with a person of this role before it."""
        client = Client(enforce_csrf_checks=csrf, raise_request_exception=False)
        if role in self.people:
            client.force_login(self.people[role], backend="django.contrib.auth.backends.ModelBackend")
        return client

    def hidden_from(self, role: str) -> tuple[str, ...]:
        """What a person of this role must not read anywhere."""
        return tuple(secret.word for secret in self.secrets if role not in secret.known)


def make_world(
    phase: str = "moves",
    settings: TableSettings = SECRETIVE,
    name: str = "Table of secrets",
    variant: str = "standard",
) -> World:
    """A table in this state of play, with people and secrets."""
    folk = {role: person(f"zq{role}", f"zqmail{role}@example.org") for role in ROLES[1:]}
    for role in ("moderator", "staff"):
        User.objects.filter(pk=folk[role].pk).update(is_superuser=True, is_staff=True)
        folk[role].refresh_from_db()
    for user in folk.values():
        Profile.objects.get_or_create(user=user)
    downtime.beat(LATER)
    gm = folk["gm"]
    table = hosting.create(gm, GameChoice(variant, name=name), settings, gm=gm, now=NOW)
    secrets = [Secret(f"zqmail{role}@", frozenset({role, "staff", "moderator"})) for role in folk]
    secrets.append(Secret(seats.invite(table, gm, uses=9, now=NOW).key, frozenset({"gm"})))
    link = seats.invite(table, gm, uses=9, now=NOW).key if settings.join != "open" else ""
    for role in ("own", "other", "replaced", "moderator"):
        seats.join(table, folk[role], invitation=link, now=NOW)
    secrets.append(_hook(table, gm))
    if phase != "forming":
        hosting.start(table, gm, now=NOW)
        table.refresh_from_db()
        seats.replace(table, power_of(table, folk["replaced"]), folk["successor"], gm, now=NOW)
        if phase in ("later", "finished"):
            _send(table, folk, "first")
            processing.process(table, 0, "asked", now=NOW + timedelta(hours=1))
            table.refresh_from_db()
        if phase == "finished":
            _end(table, folk)
        else:
            secrets += _send(table, folk, "now")
        secrets += [*_press(table, folk), *_notes(table, folk), _standby(table, folk)]
    table.refresh_from_db()
    over = frozenset(ROLES) if phase == "finished" else frozenset()
    secrets.append(Secret(bytes(table.seed).hex(), over))
    names = {role: frozenset({role, "gm", "staff"}) | over for role in ("own", "other", "successor")}
    if settings.anonymity == "until_end":
        secrets += [Secret(f"zq{role}", known) for role, known in names.items()]
    _state(table, phase, gm)
    return World(table, folk, tuple(secrets))


def _send(table: Table, folk: dict[str, User], when: str) -> list[Secret]:
    """Orders of three players; of those of this phase every sheet holds a word that nobody else may read."""
    found = []
    for role in ("own", "other", "moderator"):
        power = power_of(table, folk[role])
        units = store.load(table).position.of(power)
        lines = [f"{unit.kind} {unit.at} H" for unit in units]
        submission.submit(
            table, power, lines, Submission(table.ordinal), user=folk[role], now=NOW + timedelta(minutes=5)
        )
        if when == "now":
            word, later = f"zqorder{role}", f"zqahead{role}"
            sheet = Sheet.objects.get(table=table, ordinal=table.ordinal, power=power)
            Sheet.objects.filter(pk=sheet.pk).update(text=f"{sheet.text}\n{word}", ahead={"retreats": [later]})
            found += [Secret(one, frozenset({role, "gm"})) for one in (word, later)]
            found.append(Secret(sheet.salt, frozenset()))
            ballot = f"zqvote{role}"
            Ballot.objects.create(table=table, ordinal=table.ordinal, power=power, winners=[ballot], at=NOW)
            found.append(Secret(ballot, frozenset({role, "gm"})))
    if when == "now":
        waits = {power_of(table, folk["successor"]): {"adjustments": ["zqwaits"]}}
        Table.objects.filter(pk=table.pk).update(ahead=waits)
        found.append(Secret("zqwaits", frozenset({"successor", "gm"})))
    return found


def _press(table: Table, folk: dict[str, User]) -> list[Secret]:
    """Press between two players, one to the power that changed hands, and one to everybody."""
    found = []
    for number, (sender, to) in enumerate([("own", "other"), ("own", "successor"), ("moderator", "gm")]):
        word = f"zqpress{number}x"
        known = frozenset({sender, to, "gm"})
        powers = [] if to == "gm" else [power_of(table, folk[to])]
        _write(table, power_of(table, folk[sender]), powers or ["Gamesmaster"], word)
        found.append(Secret(word, known))
    _write(table, power_of(table, folk["own"]), [], "Good day to all of you.")
    return found


def _write(table: Table, sender: str, to: list[str], text: str) -> Message:
    return Message.objects.create(
        table=table, ordinal=table.ordinal, sender=sender, shown_as=sender, to=to, text=text, sent_at=NOW
    )


def _notes(table: Table, folk: dict[str, User]) -> list[Secret]:
    """A remark for the designer, and a complaint for the moderators."""
    own, power = folk["own"], power_of(table, folk["own"])
    question = Question.objects.create(table=table, ordinal=table.ordinal, text="Was it fair?", asked=NOW)
    Remark.objects.create(
        table=table, question=question, user=own, power=power, ordinal=table.ordinal, text="zqremark", made=NOW
    )
    Complaint.objects.create(by=own, table=table, about="conduct", text="zqcomplaint", made=NOW)
    # an admin who plays at the table reads no complaint about it, nor the remarks (G1)
    return [Secret("zqremark", frozenset({"own", "gm"})), Secret("zqcomplaint", frozenset({"own", "staff"}))]


def _standby(table: Table, folk: dict[str, User]) -> Secret:
    """Who is asked for orders beside a player, and has sent some: nobody else reads them, not even that player."""
    power = power_of(table, folk["own"])
    table.seats.filter(user=folk["own"]).update(misses=1)
    Standby.objects.create(
        table=table, user=folk["standby"], offered=NOW, wish=power, power=power, ordinal=table.ordinal,
        text="zqinstead", sent_at=NOW,
    )  # fmt: skip
    return Secret("zqinstead", frozenset({"standby"}))


def _hook(table: Table, owner: User) -> Secret:
    WebHook.objects.create(
        table=table, owner=owner, url="https://example.org/zqhook", secret="zqhooksecret", events=["phase"], made=NOW
    )
    return Secret("zqhook", frozenset({"gm"}))


def _end(table: Table, folk: dict[str, User]) -> None:
    survivors = store.load(table).survivors
    for role in ("own", "other", "successor", "moderator"):
        if votes.cast(table, power_of(table, folk[role]), survivors, ordinal=table.ordinal, user=folk[role], now=NOW):
            break
    table.refresh_from_db()
    assert table.state == "finished"


def _state(table: Table, phase: str, gm: User) -> None:
    if phase == "paused":
        deadlines.pause(table, gm, now=NOW + timedelta(hours=1))
    if phase == "quarantined":
        with store.lock(table) as row:
            row.state = "quarantined"
            row.save()
    table.refresh_from_db()


# -- every address ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Address:
    """An address of the site: its pattern, and the names of what is filled in."""

    pattern: str
    names: tuple[str, ...]

    def filled(self, values: dict[str, str]) -> str:
        """The address with these values; raises `KeyError` for a name without one."""
        return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values[found[1]], self.pattern)


def addresses() -> tuple[Address, ...]:
    """Every address that Django resolves."""
    return tuple(sorted(_walk(get_resolver().url_patterns, ""), key=lambda address: address.pattern))


def _walk(patterns: Iterable[URLPattern | URLResolver], before: str) -> Iterator[Address]:
    for one in patterns:
        whole = before + _plain(str(one.pattern))
        if isinstance(one, URLResolver):
            yield from _walk(one.url_patterns, whole)
        else:
            yield Address(whole, tuple(re.findall(r"<(?:\w+:)?(\w+)>", whole)))


def _plain(pattern: str) -> str:
    """A pattern, of a regular expression as well, with names in pointed brackets: `t/<slug:key>/`."""
    if not pattern.startswith("^") and "(?P" not in pattern:
        return pattern
    pattern = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", pattern)
    return pattern.lstrip("^").rstrip("$").replace("\\Z", "").replace("\\", "")


FILLED = {
    "provider_id": "none",
    "ordinal": "0", "power": "Austria", "token": "nosuchtoken", "code": "nosuchcode", "name": "standard",
    "variant": "standard", "uidb36": "1", "key": "nosuchtoken", "pk": "1", "number": "1", "username": "zqoutsider",
    "user": "zqoutsider", "provider": "none", "version": "0", "style": "light", "path_info": "x", "path": "x",
    "after": "0", "thread": "", "province": "Vie", "at": "Vie", "kind": "svg", "suffix": "svg", "form": "svg",
    "layout": "wide", "digest": "0", "message": "1", "hook": "1", "receipt": "nosuchcode",
    "invitation": "nosuchkey", "language": "en-gb", "seat": "1", "step": "1", "topic": "board",
}  # fmt: skip
"""What stands at the places of an address, but for the key of a table and those that a test says otherwise."""


def of_table(address: Address) -> bool:
    """Is it an address of a table?"""
    return "key" in address.names and "accounts/" not in address.pattern


# -- comparing -------------------------------------------------------------------------------------------------------

TOKEN = re.compile(rb'(csrfmiddlewaretoken" value="|csrf-token" content="|X-CSRFToken": "|csrftoken": ")[^"]*')
FLEETING = {"Session", "UserSession", "SharedValue", "ReadMark", "Notice", "AuditLine", "Heartbeat"}
"""What reading may write: what one has read, and that the Gamesmaster looked at a preview."""


def still(body: bytes) -> bytes:
    """An answer without the tokens that differ in every one."""
    return TOKEN.sub(rb"\1", body)


def words_in(text: str, words: Iterable[str]) -> list[str]:
    """Which of these words are in a text, plain, escaped or in percent signs."""
    low = unescape(text).replace("%40", "@").casefold()
    return [word for word in words if word.casefold() in low]


def kept() -> str:
    """Everything that is kept, as text: to see that nothing has changed."""
    found = [model for model in apps.get_app_config("host").get_models() if model.__name__ not in FLEETING]
    return "\n".join(serialize("json", model._default_manager.order_by("pk")) for model in found)


def mails_of(user: User) -> str:
    """All that was written to a person."""
    return "\n".join(f"{m.subject}\n{m.body}" for m in OutMail.objects.filter(user=user))
