"""Release the version that `src/gamesmaster/version.py` names: check, build, try out, and tag it (`make release`).

Nothing leaves this machine. The script prints the commands that publish what it has made.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)


def release(root: Path) -> str:
    """Build, check and tag the version in `root`, and return its tag; exit with the reason if anything is wrong."""
    version = version_of(root)
    if reasons := list(refusals(root, version)):
        sys.exit("\n".join(reasons))
    dist, fresh = root / "dist", root / "build" / "release"
    for folder in (dist, fresh):
        shutil.rmtree(folder, ignore_errors=True)
    python, tag = sys.executable, f"v{version}"
    run(root, "make", "docs")
    run(root, python, "-m", "build", "--outdir", str(dist))
    archives = sorted(map(str, dist.iterdir()))
    run(root, python, "-m", "twine", "check", "--strict", *archives)
    venv.create(fresh, with_pip=True)
    run(root, str(fresh / "bin" / "python"), "-m", "pip", "install", "--quiet", *dist.glob("*.whl"))
    run(root, "make", "demo", f"VENV={fresh}")
    run(root, "git", "tag", "--annotate", tag, "--message", f"Gamesmaster {version}")
    return tag


def version_of(root: Path) -> str:
    """Return the version of the sources in `root`; exit if there is none."""
    found = VERSION.search((root / "src" / "gamesmaster" / "version.py").read_text(encoding="utf-8"))
    return found[1] if found else sys.exit("src/gamesmaster/version.py names no __version__")


def refusals(root: Path, version: str) -> Iterator[str]:
    """Yield the reasons why this version cannot be released from `root`, each with what to do."""
    if changed := output(root, "git", "status", "--porcelain"):
        yield f"the working tree is not clean; commit or remove:\n{changed}"
    if output(root, "git", "tag", "--list", f"v{version}"):
        yield f"the tag v{version} exists; raise __version__ in src/gamesmaster/version.py"
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        yield f"CHANGELOG.md has no dated section; write: ## {version} - YYYY-MM-DD"


def output(root: Path, *command: str) -> str:
    """Return what a command prints."""
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.rstrip()


def run(root: Path, *command: str | Path) -> None:
    """Run one step and show what it prints; exit if it fails."""
    print("$", *command, flush=True)
    if subprocess.run(command, cwd=root, check=False).returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\nnothing is tagged")


if __name__ == "__main__":
    tag = release(Path(__file__).resolve().parents[1])
    print(
        f"{tag} is built and tagged. To publish it:\n  git push origin {tag}\n  {sys.executable} -m twine upload dist/*"
    )
