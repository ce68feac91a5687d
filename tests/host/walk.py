"""A walk through the site: what people of every role are answered at every address, kept for all tests that read it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from logging.handlers import BufferingHandler

import pytest
from django.core.cache import cache as counts
from django.http import HttpResponseBase

from gamesmaster.host.models import Table
from gamesmaster.host.site import clock
from tests.host.conftest import NOW
from tests.host.world import (
    CORE,
    FILLED,
    LATER,
    PHASES,
    ROLES,
    Address,
    World,
    addresses,
    kept,
    mails_of,
    make_world,
    of_table,
)

PATIENT = ("stream", "events", "live")
"""Parts of addresses whose answers do not end: they are looked at by the tests of live updates."""
ASKING = dict.fromkeys(PHASES, CORE) | {
    "forming": (*CORE, "staff"), "moves": (*CORE, "standby"), "later": ROLES, "finished": (*CORE, "staff"),
}  # fmt: skip
"""Who walks in each state of play."""
EVERYWHERE = ("forming", "later", "finished")
"""The states in which pages that belong to no table are opened, too."""
EVENT = "onload=zqx"
EVIL = f"<b zqx=1>\"'><script>zqx</script><svg {EVENT}>"
"""Markup in what people write: the name of the table and a letter."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody got at an address."""

    role: str
    address: Address
    url: str
    status: int
    headers: Mapping[str, str]
    text: str
    """Headers and body."""

    @property
    def kind(self) -> str:
        """The media type, with its parameters."""
        return self.headers.get("Content-Type", "")


@dataclass(frozen=True)
class Walk:
    """All answers at a table in one state of play, and what else the walk left behind."""

    world: World
    answers: tuple[Answer, ...]
    changed: tuple[str, ...]
    """Those whose reading changed something."""
    logged: str
    mails: Mapping[str, str]
    """What was written to the people, by their roles."""

    def of(self, *roles: str) -> list[Answer]:
        """Return the answers that people of these roles got."""
        return [answer for answer in self.answers if answer.role in roles]


def asked_of(table: Table, extra: dict[str, str] | None = None, *, elsewhere: bool = True) -> list[tuple[Address, str]]:
    """Every address, filled in for this table; those whose answers do not end left out."""
    values = FILLED | {"key": table.key} | (extra or {})
    found = []
    for address in addresses():
        if any(part in address.pattern.casefold() for part in PATIENT):
            continue
        if not elsewhere and not of_table(address):
            continue
        found.append((address, address.filled(values if of_table(address) else FILLED)))
    return found


def body_of(response: HttpResponseBase) -> str:
    """All that is answered, headers first."""
    parts = b"".join(response) if getattr(response, "streaming", False) else getattr(response, "content", b"")
    head = "\n".join(f"{name}: {value}" for name, value in response.items())
    return f"{head}\n\n{parts.decode('utf-8', 'replace')}"


@cache
def walk(phase: str) -> Walk:
    """Make a table in this state of play, and open every address as everybody who walks in it."""
    log, root = BufferingHandler(10**9), logging.getLogger()
    answers: list[Answer] = []
    changed = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: LATER)
        patch.setattr(root, "handlers", [log])
        patch.setattr(root, "level", logging.DEBUG)
        world = make_world(phase, name=EVIL)
        world.table.messages.create(ordinal=0, sender="", shown_as="Gamesmaster", to=[], text=EVIL, sent_at=NOW)
        for role in ASKING[phase]:
            client = world.client(role)
            before = kept()
            counts.clear()  # with all that counts how often somebody asks
            for address, url in asked_of(world.table, elsewhere=phase in EVERYWHERE):
                found = client.get(url)
                answers.append(Answer(role, address, url, found.status_code, found.headers, body_of(found)))
            if kept() != before:
                changed.append(role)
    ours = [record for record in log.buffer if record.name.startswith("gamesmaster")]
    logged = "\n".join(f"{record.getMessage()} {record.__dict__}" for record in ours)
    mails = {role: mails_of(user) for role, user in world.people.items()}
    return Walk(world, tuple(answers), tuple(changed), logged, mails)
