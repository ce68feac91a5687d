"""A round of the chaos: short here, as long as one likes with `GAMESMASTER_CHAOS_MINUTES`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("aiosmtpd", reason="the site is not installed")

ROOT = Path(__file__).parents[2]
MINUTES = float(os.environ.get("GAMESMASTER_CHAOS_MINUTES", "1"))
URLS = ["", os.environ.get("GAMESMASTER_TEST_DATABASE_URL", "")]


@pytest.mark.chaos
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("url", sorted(set(URLS)), ids=lambda url: "postgresql" if url else "sqlite")
def test_nothing_acknowledged_is_lost_and_nothing_is_done_twice(url: str) -> None:
    """Killed, stopped, cut off, with wrong clocks: what was acknowledged is kept, once; nobody is late (H13)."""
    asked = [sys.executable, "-m", "tests.chaos", "--minutes", str(MINUTES), "--tables", "2"]
    done = subprocess.run(
        [*asked, "--url", url] if url else asked, cwd=ROOT, capture_output=True, text=True, check=False
    )
    told = json.loads(done.stdout)
    assert told["wrong"] == [], done.stderr
    assert done.returncode == 0
    assert told["counts"]["order sets acknowledged"] > 0
    assert told["counts"]["phases"] > 0
    assert told["faults"]
