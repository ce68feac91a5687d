"""A coast is spelt in one way wherever somebody reads of it: reports, rulings, the page, its data, and pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest
from django.test import Client

from gamesmaster.board import Board
from gamesmaster.host.games import hosting
from gamesmaster.host.models import Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.tables import access
from gamesmaster.host.tables.view import TableView
from gamesmaster.orders import Order
from gamesmaster.pictures.orders.model import sentence
from tests.coasts import coasts, misspelt, seen
from tests.host.conftest import NOW, person
from tests.host.test_table_page import client_of, text

pytestmark = pytest.mark.django_db

PHASES = 5


def random_orders(view: TableView, power: str, chance: Random) -> list[str]:
    """An order for each unit of a power, about a coast where there is such an order."""
    notation, game = view.bare_game.rules.notation, view.bare_game
    by_unit: dict[str, list[Order]] = {}
    for order in view.legal.of_power(game.phase.kind, power, game.season):
        by_unit.setdefault(f"{order.kind} {order.at}", []).append(order)
    found = []
    for orders in by_unit.values():
        coastal = [o for o in orders if any(place and place.coast for place in (o.at, o.to, o.of))]
        found.append(notation.write(chance.choice(coastal if coastal and chance.random() < 0.9 else orders)))
    return found


def texts(client: Client, table: Table, view: TableView, power: str) -> Iterator[str]:
    """What can be read of a game as it stands."""
    here = f"/t/{table.key}"
    for path in ("/history.txt", "/board.txt"):
        yield text(client, here + path)
    for path in ("/", "/map.svg", "/layer.svg"):
        yield seen(text(client, here + path, accept="text/html"))
    told = json.loads(text(client, f"{here}/choices.json?power={power}"))
    yield "\n".join(one[word] for one in told["units"] for word in ("name", "words"))
    yield "\n".join(words for _, words in told["keys"].values())
    if view.ordinal:
        yield text(client, f"{here}/board.txt?p={view.ordinal - 1}")
        yield seen(text(client, f"{here}/p/{view.ordinal - 1}/"))
        for ruling in view.adjudication(view.ordinal - 1).rulings:
            yield f"{sentence(view.variant.board, ruling)}\n{ruling.text}"


@pytest.mark.parametrize("variant", ["standard", "cline9"])
def test_coasts_in_a_game(variant: str) -> None:
    """A game in which fleets go along the coasts."""
    user, chance = person("ann"), Random(5)
    table, client = hosting.sandbox(variant, user, now=NOW), client_of(user)
    found = 0
    for ordinal in range(PHASES):
        view = access.look(table.key, user)
        board: Board = view.variant.board
        powers = [power.name for power in view.variant.powers]
        sent = {power: random_orders(view, power, chance) for power in powers}
        for power, orders in sent.items():
            if orders:
                submission.submit(table, power, orders, Submission(ordinal), user=user, now=NOW)
        for told in texts(client, table, access.look(table.key, user), chance.choice(powers)):
            assert not misspelt(board, told)
            found += len(list(coasts(board, told)))
        processing.process(table, ordinal, "asked", now=NOW)
        table.refresh_from_db()
    assert found > PHASES
