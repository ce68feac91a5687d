"""Whatever players write as orders, by every door of the site: it is answered, and the phase is over all the same."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.game import Game
from gamesmaster.host.accounts.tokens import SCOPES, make_token
from gamesmaster.host.api.callers import Rate
from gamesmaster.host.games import hosting, seats
from gamesmaster.host.mailroom import intake
from gamesmaster.host.models import Sheet, Table
from gamesmaster.host.phases import processing
from gamesmaster.host.site import clock
from gamesmaster.host.tables import store
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.variant import find_variant, full_name, variant_names
from tests.free_text import random_texts
from tests.host.conftest import NOW, people, person, power_of
from tests.host.mailing import address, sent
from tests.lengths import mark_long, short_and_long

pytestmark = pytest.mark.django_db

PHASES = 3
"""Phases of a table; then the next begins."""
EARLIER = 9
"""Phases at the most that are over when it begins."""


@pytest.fixture(autouse=True)
def _open_house(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still, dice are the same each time, and nobody is kept from sending much."""
    cache.clear()
    monkeypatch.setattr(clock, "now", lambda: NOW)
    monkeypatch.setattr(intake, "LIMITS", ())
    monkeypatch.setattr(Rate, "allow_request", lambda *_: True)
    seeds = (hashlib.sha256(str(number).encode()).digest() for number in range(10_000_000))
    monkeypatch.setattr(hosting, "new_seed", lambda: next(seeds))


class Faults(logging.Handler):
    """What the program tells its log of faults of its own."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Note it."""
        error = record.exc_info[1] if record.exc_info else None
        self.told.append(f"{record.getMessage()}: {error!r}")


@contextmanager
def faults() -> Iterator[list[str]]:
    """The faults that are logged meanwhile."""
    handler = Faults()
    loggers = [logging.getLogger(name) for name in ("gamesmaster", "gamesmaster.host", "django.request")]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield handler.told
    finally:
        for logger in loggers:
            logger.removeHandler(handler)


class House:
    """A site with people enough for any game, a Gamesmaster, and a door chosen by lot for whatever is sent."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.users = people(12)
        self.gm = person("master")
        self.clients = {user: Client() for user in (*self.users, self.gm)}
        for user, client in self.clients.items():
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        self.tokens = {user: make_token(user, "a program", list(SCOPES), NOW)[0] for user in self.users}
        self.table = Table()
        self.sent = self.stored = 0

    def begin(self, name: str) -> None:
        """A table with a person at each power, some phases of texts like these behind it."""
        powers = len(find_variant(name).powers)
        self.table = hosting.create(self.users[0], name, TableSettings(starts="asked", panic=0), gm=self.gm, now=NOW)
        for user in self.users[:powers]:
            seats.join(self.table, user, now=NOW)
        hosting.start(self.table, self.gm, now=NOW)
        self.table.refresh_from_db()
        game = store.load(self.table)
        for _ in range(self.chance.randint(0, EARLIER)):
            for power in game.survivors:
                try:
                    game = game.submit(power, tuple(random_texts(game, power, self.chance)), amend=False)
                except GamesmasterError:
                    continue
            if (after := game.process()).outcome:
                break
            game = after
        store.keep(self.table, game)
        self.table.save()

    @property
    def game(self) -> Game:
        """The game as it stands."""
        self.table.refresh_from_db()
        return store.load(self.table)

    def play(self) -> int:
        """A phase: everybody sends texts, by some door, and looks at it; it ends; all look at that.  How many texts?"""
        game, count = self.game, 0
        for user in self.users[: len(game.variant.powers)]:
            power = power_of(self.table, user)
            if power in game.survivors:
                texts = list(random_texts(game, power, self.chance))
                self.chance.choice((self.by_desk, self.by_program, self.by_mail))(user, power, texts)
                page = f"/t/{self.table.key}/"
                self.look(user, f"{page}?power={power}", f"{page}choices.json?power={power}")
                self.sent, count = self.sent + 1, count + len(texts)
        self.end()
        return count

    def by_desk(self, user: User, power: str, texts: Sequence[str]) -> None:
        """What the page of a table does: a look at the draft, saving it, saying that one is ready, and asking again."""
        data = {"power": power, "text": "\n".join(texts), "ordinal": self.table.ordinal}
        client, key = self.clients[user], self.table.key
        self.fine(client.post(f"/t/{key}/preview", data))
        for ready in ("", self.chance.choice(("1", "sure", "0"))):
            headers = {"Accept": "application/json"} if self.chance.random() < 0.5 else {}
            self.fine(client.post(f"/t/{key}/orders", {**data, "ready": ready}, headers=headers))
        self.fine(client.get(f"/t/{key}/desk", {"power": power}))

    def by_program(self, user: User, power: str, texts: Sequence[str]) -> None:
        """What a program does by the API."""
        place, headers = f"/api/tables/{self.table.key}/orders", {"Authorization": f"Bearer {self.tokens[user]}"}
        data = json.dumps({"orders": texts, "ordinal": self.table.ordinal, "confirm": self.chance.random() < 0.5})
        ask: dict[str, Any] = {"content_type": "application/json", "headers": headers}
        self.fine(self.clients[user].post(f"{place}/{power}/preview", json.dumps({"orders": texts}), **ask))
        self.fine(self.clients[user].put(f"{place}/{power}", data, **ask))
        self.fine(self.clients[user].get(place, headers=headers))

    def by_mail(self, user: User, power: str, texts: Sequence[str]) -> None:
        """A mail to the table, answered or refused as a mail can be."""
        reply = sent(user, address(self.table, user), "\n".join(texts))
        assert reply.verdict in ("done", "refused"), (power, reply, texts)

    def end(self) -> None:
        """The Gamesmaster looks ahead and ends the phase; its pages are read, and what was written about it."""
        key, ordinal = self.table.key, self.table.ordinal
        processing.preview(self.table, self.gm, now=NOW).rulings  # noqa: B018
        self.stored += Sheet.objects.filter(table=self.table, ordinal=ordinal).count()
        done = processing.ask(self.table, ordinal, self.gm, now=NOW)
        assert done is processing.Done.PROCESSED, (done, store.load(self.table).phase)
        past = f"/t/{key}/p/{ordinal}/"
        self.look(self.users[0], past, f"{past}report.txt", f"/t/{key}/board.txt", f"/t/{key}/history.txt")
        self.look(self.users[1], f"{past}why/{self.chance.randint(1, 9)}/", f"/api/tables/{key}/phases/{ordinal}")
        self.look(self.gm, f"/t/{key}/", f"/t/{key}/layer.svg", f"/t/{key}/gm/")

    def look(self, user: User, *places: str) -> None:
        """Somebody opens pages."""
        for place in places:
            self.fine(self.clients[user].get(place))

    def fine(self, answer: Any) -> None:
        """No answer is one of a fault; the client raises what a view raises."""
        assert answer.status_code < 500, (answer.status_code, answer.request["PATH_INFO"])


def options(name: str, chance: Random) -> str:
    """The variant under options drawn by lot, of those that go together."""
    while True:
        drawn = {o.name: chance.choice(o.choices) for o in find_variant(name).options if chance.random() < 0.5}
        try:
            return find_variant(full_name(name, drawn)).id
        except NotFound:
            continue


def play_texts(name: str, texts: int, seed: str) -> int:
    """Play so many texts at tables of a variant; how many were sent?"""
    chance = Random(seed)
    house, count = House(chance), 0
    while count < texts:
        house.begin(options(name, chance))
        for _ in range(PHASES):
            if house.game.outcome or count >= texts:
                break
            count += house.play()
    assert house.stored > (house.sent - 10) / 2  # the others hold something for which a whole set is refused
    return count


@pytest.mark.parametrize("name", mark_long(variant_names(), but=("standard", "conquest2")))
@short_and_long("texts", 12, 1000)
def test_no_text_is_a_fault_of_the_site(name: str, texts: int) -> None:
    """By desk, API and mail, under options drawn by lot: no exception, no answer above 499, no phase that fails."""
    with faults() as told:
        assert play_texts(name, texts, name) >= texts
    assert told == []


@short_and_long("texts", 60, 150)
def test_a_fault_of_the_judge_is_found(falling_judge: None, texts: int) -> None:
    """A judge that falls over some builds: the phase is over, and the log tells of it, which the test above sees."""
    with faults() as told:
        play_texts("standard", texts, "falling")
    assert any("KeyError" in fault for fault in told)
