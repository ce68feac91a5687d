from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, resolve
from hypothesis import example, given
from hypothesis import strategies as st

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.accounts.tokens import make_token
from gamesmaster.host.api.client import Site, path_of
from gamesmaster.host.models import Sheet
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.site import clock
from tests.host.conftest import people, power_of, running
from tests.host.listening import listen

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
    text, _ = make_token(user, "bot", ["read", "orders"], clock.now())
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
    correspondence.send(table, b, Press("canary", [c]), user=users[1])
    text, _ = make_token(users[0], "model", ["read", "orders", "press"], clock.now())
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


# -- paths -----------------------------------------------------------------------------------------------------------

KEY = "kmqdtrwvzx"
HOSTILE = [
    f"{KEY}/leave?", f"{KEY}/leave#", "../..", "..", ".", "%2e%2e", "%2e%2e%2fleave", "a%2fb", "a%252fb", "a/b", "a\\b",
    "a?b=c", "a;b", "a\nb", "a\x00b", "", " ", "\u2024\u2024", "\uff0f", "\ud800",
]  # fmt: skip
PIECES = st.one_of(
    st.text(max_size=20), st.sampled_from(HOSTILE), st.sampled_from(["leave", "start", "preview", "France"])
)


@example(table=KEY, power="France", asked="\ud800")
@given(table=PIECES, power=PIECES, asked=PIECES)
def test_no_piece_of_a_path_reaches_another_route(table: str, power: str, asked: str) -> None:
    """Whatever a model is made to say, the call is the one of its tool, with just these words, or none at all (H3)."""
    try:
        path = path_of("tables", table, "orders", power, "preview", kind=asked)
    except GamesmasterError:
        return
    parts = urlsplit(f"http://site.example.org/api{quote(path, safe='/?=&%[],')}")  # as the client sends it
    assert (parts.fragment, parse_qs(parts.query, keep_blank_values=True)) == (
        "",
        {"kind": [asked]} if asked else {"kind": [""]},
    )
    try:
        found = resolve(unquote(parts.path))  # as servers decode it
    except Resolver404:
        return
    assert found.view_name == "api:preview"
    assert found.kwargs == {"key": table, "power": power}


@pytest.fixture
def listening() -> Iterator[tuple[str, list[str]]]:
    """A site that notes what is asked of it, and says yes to everything."""
    asked: list[str] = []

    class Yes(BaseHTTPRequestHandler):
        def _yes(self) -> None:
            asked.append(f"{self.command} {self.path}")
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        do_GET = do_POST = do_PUT = _yes  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with listen(Yes) as site:
        yield site, asked


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_hostile_words_over_standard_input(listening: tuple[str, list[str]]) -> None:
    """Through the real program: hostile keys, powers, kinds and numbers are refused, and nothing is asked (H3)."""
    pytest.importorskip("mcp")
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    url, asked = listening
    program = StdioServerParameters(
        command=sys.executable,
        args=["-m", "gamesmaster", "mcp", url],
        env={**os.environ, "GAMESMASTER_TOKEN": "gm_x"},
    )
    calls: list[tuple[str, dict[str, object]]] = []
    for bad in HOSTILE[:-1]:
        power = {"table": KEY, "power": bad, "ordinal": 0, "orders": []}
        calls += [("look", {"table": bad}), ("my_tables", {"kind": bad}), ("results", {"table": KEY, "ordinal": bad})]
        calls += [("preview", {"table": bad, "power": "France", "orders": []})]
        calls += [("wish", {"table": KEY, "power": "France", "ordinal": 0, "kind": bad})]
        if not path_taken(bad):
            calls += [("preview", power), ("submit", power), ("legal_orders", power)]
    calls += [("read_press", {"table": KEY, "after": "0&x=y"}), ("results", {"table": KEY, "ordinal": -1})]

    async def sit() -> tuple[list[str], dict[str, bool]]:
        async with stdio_client(program) as (read, write), ClientSession(read, write) as model:
            await model.initialize()
            tools = (await model.list_tools()).tools
            wrong = [f"{name} {words}" for name, words in calls if not (await model.call_tool(name, words)).is_error]
            assert not asked, asked
            await model.call_tool("legal_orders", {"table": KEY, "power": "1000 AD? no/"})
            await model.call_tool("legal_orders", {"table": KEY, "power": "Barbary States"})
            return wrong, {tool.name: bool(tool.annotations and tool.annotations.read_only_hint) for tool in tools}

    wrong, reads = asyncio.run(sit())
    assert wrong == []
    assert asked == [f"GET /api/tables/{KEY}/legal/Barbary%20States"]
    assert {name for name, read in reads.items() if not read} == {"submit", "write_press", "vote", "wish"}


def path_taken(word: str) -> bool:
    """Is this a word that may be a power's name, whatever table it is asked of?"""
    try:
        path_of(word)
    except GamesmasterError:
        return False
    return not set(word) & set("?#%")
