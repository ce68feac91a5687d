"""The installed package's own tests, run against the drop-in; each that fails is named on the page."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.compat.package import folder

ROOT = Path(__file__).parents[2]

if folder() is not None:

    @pytest.mark.long
    def test_the_packages_own_tests_pass_but_for_those_on_the_page() -> None:
        """Of 521 tests fail those that docs/compat.md names, each with its clause or its reason, and no others."""
        done = subprocess.run(
            [sys.executable, "-m", "tests.compat.package", "-q", "--tb=no", "-rf"],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
        failed = set(re.findall(r"^FAILED .*::(test_\w+)", done.stdout, re.M))
        page = (ROOT / "docs" / "compat.md").read_text(encoding="utf-8")
        named = set(re.findall(r"`(test_\w+)`", page.partition("\n## Verdicts")[2]))
        assert failed == named, done.stdout
        assert int(re.findall(r"(\d+) passed", done.stdout)[0]) > 490
