"""A year of Fog of War by mail alone, with two people and bots: each is written what the power may see, and no more."""

from __future__ import annotations

import re
from datetime import timedelta
from email.message import Message

import pytest
from django.contrib.auth.models import User

from gamesmaster.host.games import hosting
from gamesmaster.host.mailroom import addresses
from gamesmaster.host.models import Table
from gamesmaster.host.phases import processing
from gamesmaster.host.tables import store
from tests.host.conftest import NOW, people, power_of
from tests.host.mailing import House, World
from tests.host.sighted import (
    FRANCE,
    GERMANY,
    UNIT,
    YEAR,
    check_board,
    check_map,
    orders_told,
    sees,
    table_of,
    units_in_sight,
    words_of,
)
from tests.host.test_mail_game import Clock, Post
from tests.host.test_mail_game import time as time  # a fixture

pytestmark = pytest.mark.django_db(transaction=True)
ROW = re.compile(r"^  (.+?)  +(?:succeeds|holds|bounces|fails|cut|void|disrupted|leads|has no)", re.M)


def checked(post: Post, table: Table, user: User, orders: list[str] | None) -> None:
    """Check the mails that somebody has got since the phase began: results and answers say what the power may see."""
    game, power = store.load(table), power_of(table, user)
    results = post.text(user).replace("\r\n", "\n")
    asked = ["board", "status", "map svg"]
    answer = post.reply(user, "\n".join([*(orders or []), *(["confirm"] if orders else []), *asked])).replace(
        "\r\n", "\n"
    )
    seen, shown = sees(game, game.position, power), units_in_sight(game, game.position, power)
    check_board(answer.partition("> board")[2].partition("> status")[0], game, power)
    assert ("names a place out of sight" in answer) is any("A War" in line for line in orders or [])
    for owner in {*game.rules.powers} - {power}:
        number = sum(one == owner for one, _ in shown) + sum(out.unit.power == owner for out in game.position.dislodged)
        assert re.search(rf"^  {owner}: .* {number} units? in sight", answer, re.M)
    allowed = {name for _, name in shown} | words_of([(power, line) for line in orders or []])
    told = orders_told(game, game.records[-1], power) if game.records else []
    if told:
        assert sorted(rows_of(results)) == told
        allowed |= words_of(told) | {name for _, name in units_in_sight(game, game.records[-1].position, power)}
        allowed |= {
            f"{d.unit.kind} {d.unit.at.province.title()}" for d in game.position.dislodged if d.unit.at.province in seen
        }
    told_of = {" ".join(found) for text in (results, answer) for found in UNIT.findall(text)}
    assert told_of <= allowed
    check_map(map_of(post.world.of(user)[-1]), game, power)


def rows_of(report: str) -> list[tuple[str, str]]:
    """Return the orders in a report, each with its power."""
    found = []
    for part in re.split(r"\n\n", report):
        owner, _, lines = part.partition("\n")
        if owner.split(" (")[0] in {"Austria", "England", FRANCE, GERMANY, "Italy", "Russia", "Turkey"}:
            found += [(owner.split(" (")[0], text) for text in ROW.findall(lines)]
    return found


def map_of(mail: Message) -> str:
    """Return the picture in a mail."""
    part = next(part for part in mail.walk() if part.get_content_type() == "image/svg+xml")
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    return data.decode()


def test_a_year_of_fog_by_mail(time: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards, results, refusals and maps have what is in sight, from the first Spring to the next; then all is open."""
    monkeypatch.setattr(hosting, "new_seed", lambda: bytes(32))
    users = people(2)
    table = table_of(users[0], NOW)
    with World().open() as world, House() as house:
        post = Post(house, world, time)
        for user, power in zip(users, (FRANCE, GERMANY), strict=True):
            post.send(user, addresses.person(user), f"join {table.key} as {power}")
            post.deliver()
        hosting.start(table, users[0], now=NOW)
        post.deliver()
        for phase, orders in YEAR:
            table.refresh_from_db()
            assert table.phase_code == phase
            for user in users:
                checked(post, table, user, orders.get(power_of(table, user)))
            time.at += timedelta(minutes=5)
            for number, ordinal in processing.due(time.at):
                assert processing.process(number, ordinal, now=time.at) is processing.Done.PROCESSED
            post.deliver()
        for user in users:
            post.reply(user, "vote draw")
        table.refresh_from_db()
        assert table.state == "finished"
        game, answer = store.load(table), post.reply(users[0], "report S1901M\nboard\nmap svg").replace("\r\n", "\n")
        rulings = game.adjudication(game.records[0]).rulings
        assert len(rows_of(answer.partition("> board")[0])) == len(rulings) == 22
        assert len(re.findall(r"^(?:Army|Fleet) in ", answer, re.M)) == len(game.position.units)
        assert "out of sight" not in answer
        assert "#s-fog" not in map_of(world.of(users[0])[-1])
