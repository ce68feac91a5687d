"""`gamesmaster serve --demo`, which `make site` runs: where the site is, and a board to play with."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen


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
        [sys.executable, "-m", "gamesmaster.cli", *asked], env=surroundings, stdout=subprocess.PIPE, text=True
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
        finally:
            site.terminate()
