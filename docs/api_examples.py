"""Write recorded answers of the API into the marked blocks of `host-api.md`.

    python docs/api_examples.py

Needs the extra `host`.  A short game is played through the API with a fixed clock and fixed seeds.  Lists and the
texts of reports are shortened (`shorten`).
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

PAGE = Path(__file__).resolve().parent / "host-api.md"
NOW = datetime(2027, 3, 4, 18, 30, tzinfo=UTC)
KEY = "kmqdtrwvzx"
SEED = 1
LONGEST_LIST = 1
LONGEST_OBJECT = 16
LONGEST_MAP = 2
LONGEST_TEXT = 160
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


def record() -> dict[str, str]:
    """Play the game in an empty database and return each call with its answer, by the name of its block."""
    from django.contrib.auth.models import User

    from gamesmaster.host.accounts import tokens
    from gamesmaster.host.models import Table

    with _fixed_chance():
        owner = User.objects.create_user("Anna", "anna@example.org", date_joined=NOW)
        headers = {"Authorization": f"Bearer {tokens.make_token(owner, 'examples', list(tokens.SCOPES), NOW)[0]}"}
        game = {"variant": "standard", "name": "Seven at a table", "settings": {"fill": "holder", "panic": 0}}
        key = _call(headers, "POST", "/tables", game)["key"]
        Table.objects.filter(key=key).update(key=KEY)
        at = f"/tables/{KEY}"
        _call(headers, "POST", f"{at}/join", {})
        power = _call(headers, "POST", f"{at}/start")["powers"][0]
        tree = _call(headers, "GET", f"{at}/legal/{power}")["tree"]
        move = next(text for choices in tree.values() for text in choices["move"].values())
        orders = {"ordinal": 0, "orders": [move]}
        shown = {
            "table": _shown(headers, "GET", at),
            "legal": _shown(headers, "GET", f"{at}/legal/{power}"),
            "preview": _shown(headers, "POST", f"{at}/orders/{power}/preview", {"orders": [move]}),
            "orders": _shown(headers, "PUT", f"{at}/orders/{power}", orders),
        }
        User.objects.filter(pk=owner.pk).update(is_superuser=True)
        Table.objects.filter(key=KEY).update(gm=owner)
        _call(headers, "POST", f"{at}/process", {"ordinal": 0})
        return shown | {
            "phase": _shown(headers, "GET", f"{at}/phases/0"),
            "problem": _shown(headers, "PUT", f"{at}/orders/{power}", orders),
            "variant": _shown(headers, "GET", "/variants/standard"),
        }


@contextmanager
def _fixed_chance() -> Iterator[None]:
    """Fix the clock, the dice and the codes of receipts."""
    from gamesmaster.players import seed_of

    codes = count(1)
    with ExitStack() as patches:
        patches.enter_context(mock.patch("gamesmaster.host.site.clock._machine", return_value=NOW))
        for module in ("seats", "hosting"):
            patches.enter_context(mock.patch(f"gamesmaster.host.games.{module}.new_seed", return_value=seed_of(SEED)))
        hexadecimal = mock.Mock(side_effect=lambda size=32: f"{next(codes):0{2 * size}x}")
        patches.enter_context(mock.patch("secrets.token_hex", hexadecimal))
        yield


def _shown(headers: dict[str, str], method: str, path: str, body: object = None) -> str:
    answer = json.dumps(shorten(_call(headers, method, path, body)), indent=2, ensure_ascii=False)
    sent = f" {json.dumps(body)}" if body else ""
    return f"{method} /api{path}{sent}\n\n{answer}"


def _call(headers: dict[str, str], method: str, path: str, body: object = None) -> Any:
    """Call the API and return the JSON of its answer."""
    from django.test import Client

    data = "" if body is None else json.dumps(body)
    return Client().generic(method, f"/api{path}", data, "application/json", headers=headers).json()


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
            blocks = record()
        connections.close_all()
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), blocks), encoding="utf-8")


if __name__ == "__main__":
    main()
