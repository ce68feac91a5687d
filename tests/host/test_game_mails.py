"""All the mails of one game, read one by one: they are kept as text, as they go out, in `tests/data/mails/game.txt`.

After a change that is meant, write the file again, and read what has changed in it:

    GAMESMASTER_WRITE_MAILS=yes python -m pytest tests/host/test_game_mails.py
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core import mail

from gamesmaster.host.accounts import people
from gamesmaster.host.games import deadlines, hosting, seats, standbys
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.gm import desk
from gamesmaster.host.mailroom import delivery, reading
from gamesmaster.host.models import OutMail, SeatState
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import past, processing, votes
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.site import clock
from gamesmaster.host.tables import store
from gamesmaster.host.tables.settings import Absent, TableSettings
from gamesmaster.variant import find_variant
from tests.coasts import misspelt
from tests.host.conftest import DAY, HOUR, NOW, person, power_of

pytestmark = pytest.mark.django_db

KEPT = Path(__file__).parents[1] / "data" / "mails" / "game.txt"
SETTINGS = TableSettings(
    fill="holder",
    starts="asked",
    powers="preference",
    grey=True,
    absent=Absent(notice=360, grace=720, misses=2, beforehand=True),
)
POWERS = {"ann": "France", "ben": "Russia", "cid": "Turkey"}
ZONES = {"ann": "Europe/Vienna", "ben": "America/New_York"}
MINUTE = timedelta(minutes=1)


@dataclass
class Course:
    """A game on its way: the time, the people, the table, and every mail so far as text."""

    monkeypatch: pytest.MonkeyPatch
    at: datetime = NOW
    folk: dict[str, User] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.monkeypatch.setattr(clock, "now", lambda: self.at)
        self.monkeypatch.setattr(hosting, "new_seed", lambda: bytes(range(32)))
        for name in ("gina", "ann", "ben", "cid", "dora", "eva", "fay"):
            self.folk[name] = person(name)
            people.choose(self.folk[name], {"time_zone": ZONES.get(name, "UTC")})
        gm = self.folk["gina"]
        self.table = hosting.create(gm, GameChoice("standard", name="Sunday game"), SETTINGS, gm=gm)

    def power(self, name: str) -> str:
        """The power that somebody plays."""
        return power_of(self.table, self.folk[name])

    def goes_out(self) -> None:
        """Let what was written go out, and keep it; some time passes."""
        delivery.deliver(self.at)
        self.table.refresh_from_db()
        for one in mail.outbox:
            body = str(one.body).removeprefix(f"{reading.MARK}\n\n").replace(self.table.key, "KEY").rstrip()
            to = one.to[0].partition("@")[0]
            self.told.append(f"====== {self.at:%Y-%m-%d %H:%M} UTC, to {to}\nSubject: {one.subject}\n\n{body}\n\n")
        mail.outbox.clear()
        self.at += 5 * MINUTE

    def orders(self, name: str, *lines: str) -> None:
        """Somebody sends orders; without lines, that all units hold."""
        power = self.power(name)
        texts = list(lines) or [f"{u.kind} {u.at} H" for u in store.load(self.table).position.of(power)]
        submission.submit(self.table, power, texts, Submission(self.table.ordinal), user=self.folk[name])

    def wish(self, kind: str, *names: str) -> None:
        """These players vote for something; with the last of them it carries."""
        for name in names:
            carried = votes.wish(
                self.table, self.power(name), kind, ordinal=self.table.ordinal, user=self.folk[name], now=self.at
            )
            self.goes_out()
        assert carried

    def near(self) -> None:
        """The deadline is near; whoever is late is reminded, once."""
        assert self.table.deadline is not None
        self.at = self.table.deadline - 3 * HOUR
        processing.remind(self.at)
        processing.remind(self.at + MINUTE)
        self.goes_out()

    def over(self) -> None:
        """The deadline passes, and the grace if it is given; whoever asks once more changes nothing."""
        ordinal = self.table.ordinal
        while self.table.ordinal == ordinal:
            assert self.table.deadline is not None
            self.at = max(self.at, self.table.deadline) + MINUTE
            processing.process(self.table, ordinal, now=self.at)
            processing.process(self.table, ordinal, now=self.at)
            self.goes_out()


def begins(game: Course) -> None:
    """Players sit down; the game begins; press, letters from the Gamesmaster, an offer to be a standby."""
    table, folk = game.table, game.folk
    for name, power in POWERS.items():
        seats.join(table, folk[name], preferences=[power])
        game.goes_out()
    hosting.start(table, folk["gina"])
    game.goes_out()
    ann, ben = game.power("ann"), game.power("ben")
    correspondence.send(table, ann, Press("Shall we leave each other alone?", [ben]), user=folk["ann"])
    correspondence.send(
        table,
        ben,
        Press("Somebody here cannot be trusted.", [correspondence.ALL], grey=True),
        user=folk["ben"],
    )
    correspondence.send(table, ann, Press("May I order by mail?", [correspondence.HOUSE]), user=folk["ann"])
    correspondence.send(table, "", Press("Yes, you may.", [ann]), user=folk["gina"])
    game.goes_out()
    desk.tell_all(table, folk["gina"], "Welcome to the Sunday game.\n\nPlease be on time.")
    desk.tell_all(table, folk["gina"], "One more thing: have fun.")
    standbys.offer(table, folk["dora"])
    game.goes_out()


def are_missing(game: Course) -> None:
    """Spring: two players miss their orders.  Fall: more time, a pause, and one of them loses the seat to a standby."""
    table, folk = game.table, game.folk
    game.orders("ann")
    game.near()
    game.over()
    game.wish("extend", "ann", "ben")
    game.wish("pause", "ann", "ben")
    deadlines.resume(table, folk["gina"])
    game.goes_out()
    desk.override(table, game.power("ann"), "", folk["gina"], Submission(table.ordinal))
    game.goes_out()
    asked = folk["dora"].standbys.get()
    texts = [f"{u.kind} {u.at} H" for u in store.load(game.table).position.of(asked.power)]
    standbys.send(table, folk["dora"], texts, ordinal=game.table.ordinal)
    game.over()


def come_back(game: Course) -> None:
    """The other is given up, and comes back; the Gamesmaster moves the deadline, pauses, and takes the game back."""
    table, folk = game.table, game.folk
    lost = next(name for name in ("ben", "cid") if table.seats.filter(user=folk[name]).exclude(state="left").exists())
    game.orders(lost)  # just in time; and then never again
    game.goes_out()
    while table.seats.get(user=folk[lost]).state != SeatState.DISORDER:
        for name in ("ann", "dora"):
            game.orders(name)
        game.over()
    seats.join(table, folk[lost])
    game.goes_out()
    deadlines.extend(table, folk["gina"], game.at + 5 * DAY)
    deadlines.pause(table, folk["gina"])
    game.goes_out()
    deadlines.resume(table, folk["gina"])
    game.goes_out()
    past.rollback(table, game.table.ordinal - 1, folk["gina"])
    game.goes_out()
    seats.replace(table, game.power(lost), folk["eva"], folk["gina"])
    game.goes_out()
    power = game.power("dora")
    seats.leave(table, folk["dora"])
    game.goes_out()
    seats.join(table, folk["fay"], power=power)
    game.goes_out()


def ends(game: Course) -> None:
    """Those who are left agree on a draw."""
    game.table.refresh_from_db()
    survivors = store.load(game.table).survivors
    for name in ("ann", "eva", "fay"):
        over = votes.cast(
            game.table, game.power(name), survivors, ordinal=game.table.ordinal, user=game.folk[name], now=game.at
        )
        game.goes_out()
    assert over


def test_the_mails_of_a_whole_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in which everything happens: each mail is as it was read and found good, and none is left out."""
    game = Course(monkeypatch)
    for act in (begins, are_missing, come_back, ends):
        act(game)
        game.table.refresh_from_db()
    assert game.table.state == "finished"
    assert len(game.told) == OutMail.objects.count() == len(set(game.told))
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(game.told))
    if os.environ.get("GAMESMASTER_WRITE_MAILS"):
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(text, encoding="utf-8")
    assert not misspelt(find_variant("standard").board, text)
    assert text.split("======") == KEPT.read_text(encoding="utf-8").split("======")
