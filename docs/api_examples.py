"""Record calls of the API with their answers: the examples of its description, and the blocks of `host-api.md`.

    python docs/api_examples.py

Needs the extra `host`.  A short game is played through the API with a fixed clock and fixed seeds.  Lists and the
texts of reports are shortened, with a mark on the page (`shorten`) and without in the description (`clip`).
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from unittest import mock

if TYPE_CHECKING:
    from django.test import Client

PAGE = Path(__file__).resolve().parent / "host-api.md"
EXAMPLES = PAGE.parents[1] / "src" / "gamesmaster" / "host" / "api" / "examples.json"
NOW = datetime(2027, 3, 4, 18, 30, tzinfo=UTC)
KEY = "kmqdtrwvzx"
SEED = 1
LONGEST_LIST = 1
LONGEST_OBJECT = 16
LONGEST_FORM = 40
MOST_WORDS = 5
LONGEST_MAP = 2
LONGEST_TEXT = 160
LONGEST_LINE = 120
STEADY: dict[str, Any] = {"id": 1, "held": 1, "judge": "1.0.0+0123456789ab"}
BLOCK = re.compile(r"(<!-- answer: ([\w-]+) -->\n).*?(<!-- end of answer -->)", re.DOTALL)


def page(text: str, blocks: dict[str, str]) -> str:
    """Return the page with each marked block replaced; raise `KeyError` for a mark that names no answer."""
    return BLOCK.sub(lambda found: f"{found[1]}\n```\n{blocks[found[2]]}\n```\n\n{found[3]}", text)


def shorten(value: Any, depth: int = 0) -> Any:
    """Return `value` with long lists, objects and texts cut, and `"..."` where something was left out.

    An object within another whose values are all lists or objects is a map, and keeps fewer entries.
    """
    if isinstance(value, dict):
        is_map = depth > 0 and all(isinstance(entry, list | dict) for entry in value.values())
        most = LONGEST_MAP if is_map else LONGEST_OBJECT
        kept = {key: shorten(entry, depth + 1) for key, entry in list(value.items())[:most]}
        return kept | ({"...": "..."} if len(value) > most else {})
    if isinstance(value, list):
        return [shorten(entry, depth + 1) for entry in value[:LONGEST_LIST]] + ["..."] * (len(value) > LONGEST_LIST)
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return value[:LONGEST_TEXT] + "..."
    return value


def written(calls: dict[str, dict[str, Any]]) -> str:
    """Return the recorded calls as they are kept: sorted, one line each."""
    lines = (f"{json.dumps(name)}: {json.dumps(calls[name], ensure_ascii=False)}" for name in sorted(calls))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def clip(value: Any) -> Any:
    """Return `value` as an example of the same form: lists of objects cut to one entry, large maps to two, long texts.

    Values that differ from run to run, or from one version to the next, are replaced by those in `STEADY`.
    """
    if isinstance(value, dict):
        most = len(value) if len(value) <= LONGEST_FORM else LONGEST_MAP
        steady = {key: of for key, of in STEADY.items() if isinstance(value.get(key), type(of)) and value[key]}
        return {key: clip(entry) for key, entry in list(value.items())[:most]} | steady
    if isinstance(value, list):
        most = LONGEST_LIST if any(isinstance(entry, dict | list) for entry in value) else MOST_WORDS
        return [clip(entry) for entry in value[:most]]
    return value[:LONGEST_LINE] + "..." if isinstance(value, str) and len(value) > LONGEST_LINE else value


class Recorder:
    """Calls the API, and keeps the first body and answer of each call that succeeds."""

    def __init__(self) -> None:
        self.calls: dict[str, dict[str, Any]] = {}
        self.blocks: dict[str, str] = {}

    def __call__(
        self, client: Client, method: str, path: str, body: object = None, *, block: str = "", **values: object
    ) -> Any:
        """Make a call with `values` in its path and return the JSON of its answer; record it as `block` of the page."""
        address = path.format(**values)
        sent = "" if body is None else json.dumps(body)
        response = client.generic(method, f"/api{address}", sent, "application/json")
        answer = response.json()
        if response.status_code < 300:
            known = {"answered": clip(answer)} if body is None else {"sent": clip(body), "answered": clip(answer)}
            self.calls.setdefault(f"{method} /api{path.partition('?')[0]}", known)
        elif not block:
            raise ValueError(f"{method} {address}: {answer}")
        if block:
            shown = json.dumps(shorten(answer), indent=2, ensure_ascii=False)
            self.blocks[block] = f"{method} /api{address}{f' {sent}' if sent else ''}\n\n{shown}"
        return answer


def record() -> Recorder:
    """Play a game in an empty database and return all calls of the API with their answers."""
    with _fixed_chance():
        return _play(Recorder())


def _play(call: Recorder) -> Recorder:
    from django.contrib.auth.models import User
    from django.test.utils import override_settings

    from gamesmaster.host.games.ratings import Rating, public_rating
    from gamesmaster.host.models import Standby, Table

    names = ("Anna", "Ben", "Carl", "Dora", "Emil")
    anna, ben, carl, dora, _ = (_person(name, number) for number, name in enumerate(names, 1001))
    User.objects.filter(username="Carl").update(is_superuser=True)
    Rating.objects.create(
        user=User.objects.get(username="Ben"), mu=28.5, sigma=3.2, games=12, shown=public_rating(28.5, 3.2)
    )
    at = {"key": KEY}

    # -- accounts and variants
    call(anna, "GET", "/me")
    call(anna, "PUT", "/me/profile", {"time_zone": "Europe/Vienna", "notices": {"press": "daily"}})
    call(anna, "GET", "/me/profile")
    away = call(anna, "POST", "/me/absences", {"begins": "2027-07-01", "ends": "2027-07-14"})
    call(anna, "GET", "/me/absences")
    call(anna, "DELETE", "/me/absences/{number}", number=away["id"])
    call(carl, "GET", "/me/data")
    call(ben, "GET", "/ratings")
    call(ben, "GET", "/variants")
    call(ben, "GET", "/variants/{name}", name="standard", block="variant")
    call(ben, "GET", "/variants/{name}/rules", name="standard")
    files = {"files": {"variant.toml": 'format = 1\nid = "isles"\n', "board.json": "{}"}}
    key = call(ben, "POST", "/my-variants", files)["key"]
    call(ben, "GET", "/my-variants")
    call(ben, "GET", "/my-variants/{key}", key=key)
    call(ben, "PUT", "/my-variants/{key}", files, key=key)
    call(ben, "DELETE", "/my-variants/{key}", key=key)

    # -- before a game begins
    game = {
        "variant": "standard", "name": "Seven at a table",
        "settings": {"fill": "holder", "panic": 0, "powers": "preference", "absent": {"beforehand": True}},
        "house_rules": {"draw_shares": "any_group"},
    }  # fmt: skip
    made = call(anna, "POST", "/tables", game)
    Table.objects.filter(key=made["key"]).update(key=KEY)
    call(ben, "GET", "/tables")
    call(anna, "POST", "/tables/{key}/bots", {"bot": "holder"}, **at)
    invitation = call(anna, "POST", "/tables/{key}/invitations", {"uses": 2}, **at)["text"]
    call(anna, "GET", "/tables/{key}/invitations", **at)
    call(anna, "DELETE", "/tables/{key}/invitations/{invitation}", invitation=invitation, **at)
    call(anna, "POST", "/tables/{key}/join", {"preferences": ["France", "Italy"]}, **at)
    call(ben, "POST", "/tables/{key}/join", {"preferences": ["Italy"]}, **at)
    call(dora, "POST", "/tables/{key}/join", {}, **at)
    call(dora, "POST", "/tables/{key}/leave", **at)
    call(anna, "POST", "/tables/{key}/start", **at)
    Table.objects.filter(key=KEY).update(gm=User.objects.get(username="Carl"))
    other = call(anna, "POST", "/tables", game)["key"]
    call(anna, "POST", "/tables/{key}/cancel", key=other)

    # -- orders
    own = {"key": KEY, "power": "France"}
    call(anna, "GET", "/tables/{key}", **at, block="table")
    call(anna, "GET", "/tables/{key}/position", **at)
    call(anna, "GET", "/tables/{key}/legal/{power}", **own, block="legal")
    doubtful = {"orders": ["A Par S A Mar - Bur", "F Brest to MAO", "A Mrs H"]}
    call(anna, "POST", "/tables/{key}/orders/{power}/preview", doubtful, **own, block="preview")
    orders = {"ordinal": 0, "orders": ["A Par - Bur", "F Bre - Mao", "Retreats:", "A Bur - Par"], "based_on": 0}
    receipt = call(anna, "PUT", "/tables/{key}/orders/{power}", orders, **own, block="orders")
    call(anna, "GET", "/tables/{key}/orders", **at)
    call(anna, "POST", "/receipts/check", {"text": receipt["text"]})
    now = {"ordinal": 0}
    call(anna, "PUT", "/tables/{key}/orders/{power}/confirmed", {**now, "wanted": False}, **own)
    call(anna, "PUT", "/tables/{key}/orders/{power}/hold", {**now, "wanted": True}, **own)
    call(dora, "PUT", "/tables/{key}/standby", {"power": "France"}, **at)
    Standby.objects.update(power="France")
    call(dora, "PUT", "/tables/{key}/standby/orders", {**now, "orders": ["A Par H", "F Bre - Mao"]}, **at)
    call(dora, "GET", "/tables/{key}/standby", **at)
    call(dora, "DELETE", "/tables/{key}/standby", **at)
    call(dora, "PUT", "/queue", {"variant": "standard", "pace": "daily", "min_reliability": 70, "bots": "day"})
    call(dora, "GET", "/queue")
    call(dora, "DELETE", "/queue")

    # -- press and votes
    text = {"text": "Shall we leave Piedmont empty?", "to": ["Italy"]}
    with override_settings(PRESS_HOLD=20):
        held = call(anna, "POST", "/tables/{key}/press", text, **at)["held"]
    call(anna, "GET", "/tables/{key}/press/held", **at)
    call(anna, "DELETE", "/tables/{key}/press/held/{number}", number=held, **at)
    with override_settings(PRESS_HOLD=0):
        call(anna, "POST", "/tables/{key}/press", text, **at)
    call(ben, "GET", "/tables/{key}/press?after=0", **at)
    call(ben, "POST", "/tables/{key}/press/read", {"thread": "France,Italy", "number": 1}, **at)
    call(ben, "PUT", "/tables/{key}/press/mutes", {"power": "France", "muted": True}, **at)
    call(carl, "PUT", "/tables/{key}/press/strikes", {"number": 2, "struck": False}, **at)
    draw = {**now, "winners": ["France", "Italy"]}
    call(anna, "PUT", "/tables/{key}/votes/{power}/end", draw, **own)
    call(anna, "PUT", "/tables/{key}/votes/{power}/{kind}", {**now, "wanted": True}, kind="extend", **own)
    call(anna, "GET", "/tables/{key}/votes", **at)

    Table.objects.filter(key=KEY).update(deadline=None, phase_began=NOW - timedelta(days=1))
    call(carl, "POST", "/tables/{key}/nudge", **at)

    # -- the Gamesmaster, and results
    call(carl, "POST", "/tables/{key}/announce", {"text": "The clocks change on Sunday."}, **at)
    call(carl, "POST", "/tables/{key}/helpers", {"user": "Emil"}, **at)
    call(carl, "GET", "/tables/{key}/helpers", **at)
    call(carl, "DELETE", "/tables/{key}/helpers/{user}", user="Emil", **at)
    board = {"centers": {"Italy": ["NAP", "ROM", "TUN", "VEN"]}}
    correction = {**now, "why": "A slip of mine: Tunis is Italy's.", "board": board}
    seen = call(carl, "POST", "/tables/{key}/corrections/preview", correction, **at)["seen"]
    call(carl, "POST", "/tables/{key}/corrections", {**correction, "seen": seen}, **at)
    call(anna, "GET", "/tables/{key}/corrections", **at)
    call(carl, "POST", "/tables/{key}/corrections/undo", now, **at)
    call(carl, "PUT", "/tables/{key}/override/{power}", {**now, "orders": ["A Ven H"]}, key=KEY, power="Italy")
    call(carl, "GET", "/tables/{key}/preview", **at)
    call(carl, "POST", "/tables/{key}/extend", {"until": "2027-03-08T20:00:00Z"}, **at)
    call(carl, "POST", "/tables/{key}/pause", **at)
    call(carl, "POST", "/tables/{key}/resume", **at)
    hook = call(carl, "POST", "/tables/{key}/hooks", {"url": "https://example.org/hook", "events": ["phase"]}, **at)
    call(carl, "GET", "/tables/{key}/hooks", **at)
    call(carl, "DELETE", "/tables/{key}/hooks/{number}", number=hook["id"], **at)
    call(carl, "POST", "/tables/{key}/process", now, **at)
    call(carl, "GET", "/tables/{key}/log", **at)
    call(carl, "GET", "/tables/{key}/course/{power}", **own)
    call(anna, "PUT", "/tables/{key}/orders/{power}", orders, **own, block="problem")
    call(anna, "GET", "/tables/{key}/phases", **at)
    call(anna, "GET", "/tables/{key}/phases/{ordinal}", ordinal=0, **at, block="phase")
    call(anna, "GET", "/tables/{key}/phases/{ordinal}/report", ordinal=0, **at)
    call(anna, "GET", "/tables/{key}/phases/{ordinal}/ledger", ordinal=0, **at)
    for path in ("ledger", "history", "record", "board"):
        call(anna, "GET", f"/tables/{{key}}/{path}", **at)
    call(anna, "POST", "/tables/{key}/fork", now, **at)

    # -- remarks, and the end of the game
    question = call(carl, "POST", "/tables/{key}/remarks/questions", {"text": "Is the Black Sea too crowded?"}, **at)
    call(anna, "GET", "/tables/{key}/remarks/questions", **at)
    remark = {"scores": {"balance": 4, "joy": 5}, "text": "Too crowded, but fun.", "question": question["id"]}
    call(anna, "POST", "/tables/{key}/remarks", remark, **at)
    call(anna, "GET", "/tables/{key}/remarks", **at)
    call(carl, "GET", "/tables/{key}/remarks/summary", **at)
    call(carl, "POST", "/tables/{key}/replace", {"power": "Italy", "user": "Dora"}, **at)
    call(carl, "POST", "/tables/{key}/rollback", now, **at)
    call(anna, "PUT", "/tables/{key}/votes/{power}/end", draw, **own)
    call(dora, "PUT", "/tables/{key}/votes/{power}/end", draw, key=KEY, power="Italy")
    call(anna, "PUT", "/tables/{key}/statement", {"text": "Well played, Italy."}, **at)
    call(anna, "GET", "/people/{username}", username="Anna")

    # -- reports, and what only browsers may do
    call(ben, "POST", "/me/reports", {"about": "conduct", "text": "Dora calls everybody names."})
    call(ben, "GET", "/me/reports")
    browser = _browser("Carl")
    call(browser, "POST", "/me/tokens", {"name": "my bot", "scopes": ["read", "orders"]})
    number = call(browser, "GET", "/me/tokens")[-1]["id"]
    call(browser, "DELETE", "/me/tokens/{number}", number=number)
    return call


def _person(name: str, number: int) -> Client:
    """Create an account and return a client that calls with a token of it."""
    from django.contrib.auth.models import User
    from django.test import Client

    from gamesmaster.host.accounts import tokens

    user = User.objects.create_user(name, f"{name.casefold()}@example.org", pk=number, date_joined=NOW)
    token = tokens.make_token(user, "examples", list(tokens.SCOPES), NOW)[0]
    return Client(headers={"Authorization": f"Bearer {token}"})


def _browser(name: str) -> Client:
    """Return a client signed in as this person, who has just given the password."""
    from allauth.account.internal.flows.login import record_authentication
    from django.contrib.auth.models import User
    from django.http import HttpRequest
    from django.test import Client

    client, user, request = Client(), User.objects.get(username=name), HttpRequest()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    request.session = client.session
    record_authentication(request, user, "password")
    request.session.save()
    return client


@contextmanager
def _fixed_chance() -> Iterator[None]:
    """Fix the clock, the dice, and everything drawn at random."""
    from gamesmaster.players import seed_of

    codes = count(1)
    with ExitStack() as patches:
        patches.enter_context(mock.patch("gamesmaster.host.site.clock._machine", return_value=NOW))
        for module in ("games.seats", "games.hosting", "phases.past"):
            patches.enter_context(mock.patch(f"gamesmaster.host.{module}.new_seed", return_value=seed_of(SEED)))
        for name, width in (("token_hex", 2), ("token_urlsafe", 1)):
            drawn = mock.Mock(side_effect=lambda size=32, width=width: f"{next(codes):0{width * size}x}")
            patches.enter_context(mock.patch(f"secrets.{name}", drawn))
        patches.enter_context(mock.patch("secrets.choice", Random(SEED).choice))
        yield


def main() -> None:
    """Write the page anew, from a game in a database of its own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"GAMESMASTER_DATA": folder, "GAMESMASTER_DATABASE_URL": ""}
        os.environ["DJANGO_SETTINGS_MODULE"] = "gamesmaster.host.settings"
        import django

        from gamesmaster.host.site.places import make_data_folder

        make_data_folder()
        django.setup()
        from django.core.management import call_command
        from django.db import connections
        from django.test.utils import override_settings

        call_command("migrate", verbosity=0)
        with override_settings(ALLOWED_HOSTS=["testserver"]):
            recorded = record()
        connections.close_all()
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), recorded.blocks), encoding="utf-8")
    EXAMPLES.write_text(written(recorded.calls), encoding="utf-8")


if __name__ == "__main__":
    main()
