from __future__ import annotations

import asyncio
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.api.client import Site
from gamesmaster.host.models import Sheet
from gamesmaster.host.service import clock, press, tokens
from tests.host.conftest import people, power_of, running

EXAMPLE = Path(__file__).parents[2] / "examples" / "bot_client.py"


class Within(Site):
    """A site without a network between: calls go to Django's test client."""

    def call(self, method: str, path: str, data: object = None) -> Any:
        """Call with JSON."""
        answer = Client().generic(
            method, f"/api{path}", json.dumps(data or {}), content_type="application/json",
            headers={"Authorization": f"Bearer {self.token}"},
        )  # fmt: skip
        said = answer.json()
        if answer.status_code >= 400:
            raise GamesmasterError(said["detail"], where=said["code"], hint=said["hint"])
        return said


@pytest.mark.django_db
def test_the_example_of_a_bot_plays(capsys: pytest.CaptureFixture[str]) -> None:
    """The example sends lawful orders for the power of its owner, and is ready."""
    (user,) = people(1)
    table = running([user])
    text, _ = tokens.make(user, "bot", ["read", "orders"], clock.now())
    spec = importlib.util.spec_from_file_location("bot_client", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    bot = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bot)
    bot.play(Within("http://testserver", text), table.key)
    sheet = Sheet.objects.get(table=table)
    assert (sheet.power, sheet.confirmed, sheet.channel) == (power_of(table, user), True, "api")
    assert sheet.lines
    assert table.key in capsys.readouterr().out


@pytest.mark.django_db(transaction=True)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_model_in_a_seat() -> None:
    """Over MCP a model looks, orders and writes as its player, and sees no press of others."""
    pytest.importorskip("mcp")
    from mcp import Client as Model

    from gamesmaster.host.api.agents import server

    users = people(3)
    table = running(users)
    a, b, c = (power_of(table, user) for user in users)
    press.send(table, b, "canary", to=[c], user=users[1])
    text, _ = tokens.make(users[0], "model", ["read", "orders", "press"], clock.now())
    made = server(Within("http://testserver", text))

    async def sit() -> dict[str, str]:
        async with Model(made) as model:
            told = {}
            for name, given in (
                ("my_tables", {}),
                ("look", {"table": table.key}),
                ("position", {"table": table.key}),
                ("legal_orders", {"table": table.key, "power": a}),
                ("submit", {"table": table.key, "power": a, "ordinal": 0, "orders": []}),
                ("write_press", {"table": table.key, "text": "hello", "to": [b]}),
                ("read_press", {"table": table.key}),
                ("wish", {"table": table.key, "power": a, "ordinal": 0, "kind": "pause"}),
                ("proposals", {"table": table.key}),
                ("legal_orders ", {"table": table.key, "power": b}),
            ):
                told[name] = repr(await model.call_tool(name.strip(), given))
            return told

    import os

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # the tools of the test call Django in the loop's own thread
    try:
        told = asyncio.run(sit())
    finally:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
    assert table.key in told["my_tables"]
    assert "GM1|" in told["submit"]
    assert "hello" in told["read_press"]
    assert "a pause" in told["proposals"]
    assert "no-seat" in told["legal_orders "]
    assert "canary" not in "".join(told.values())
