"""`gamesmaster serve --demo`, which `make site` runs: where the site is, and a board to play with."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from gamesmaster.host.site import places

BASE_URL = """
from gamesmaster.cli.hosting import begin
begin(None)
from django.conf import settings
print(settings.BASE_URL)
"""


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_the_demo_says_where_it_is(tmp_path: Path) -> None:
    """A first start in an empty folder prints the addresses of the site and of its board, and both answer."""
    port = _free_port()
    asked = ["serve", "--demo", "--no-worker", "--port", str(port), "--data", str(tmp_path / "data")]
    hidden = ("GAMESMASTER_", "DJANGO_")
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    with subprocess.Popen(
        [sys.executable, "-m", "gamesmaster", *asked], env=surroundings, stdout=subprocess.PIPE, text=True
    ) as site:
        try:
            assert site.stdout is not None
            said = ""
            for line in site.stdout:  # its end, if the site dies
                said += line
                if "A board to try" in line:
                    break
            found = re.findall(r"http://\S+", said)
            assert f"Gamesmaster at http://127.0.0.1:{port}/" in said
            with urlopen(found[-1]) as page:
                assert "Orders of" in page.read().decode()
            assert (tmp_path / "data" / "address").read_text(encoding="ascii") == f"http://127.0.0.1:{port}\n"
        finally:
            site.terminate()


def test_other_commands_know_the_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links of a worker or a mail room lead to where the site was served last, unless a setting says where it is."""
    hidden = ("GAMESMASTER_", "DJANGO_")
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    monkeypatch.setenv("GAMESMASTER_DATA", str(tmp_path))
    places.make_data_folder()

    def told(**settings: str) -> str:
        environment = {**surroundings, "GAMESMASTER_DATA": str(tmp_path), **settings}
        return subprocess.check_output([sys.executable, "-c", BASE_URL], env=environment, text=True).strip()

    assert told() == "http://127.0.0.1:8000"
    places.keep_address("http://127.0.0.1:18731")
    assert told() == "http://127.0.0.1:18731"
    assert told(GAMESMASTER_BASE_URL="https://play.example.org") == "https://play.example.org"
    (tmp_path / places.ADDRESS_FILE).write_text("javascript:alert(1)", encoding="ascii")
    assert told() == "http://127.0.0.1:8000"
