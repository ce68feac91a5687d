"""A release is refused with the reason, and tags what was built, checked and tried out."""

from __future__ import annotations

import runpy
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from gamesmaster import __version__

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.needs("git")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The names of `tools/release.py`; `steps` lists the commands that it runs, of which only git's are carried out."""
    names = runpy.run_path(str(ROOT / "tools" / "release.py"))
    steps: list[str] = []

    def note(root: Path, *command: object) -> None:
        steps.append(" ".join(map(str, command)).replace(str(root), "ROOT"))
        if command[:2] == ("make", "docs") and (root / "broken").exists():
            names["sys"].exit("failed: make docs\nnothing is tagged")
        if "build" in command:
            (root / "dist").mkdir()
            (root / "dist" / "gamesmaster-9.0.0-py3-none-any.whl").touch()
        if command[0] == "git":
            _git(root, *map(str, command[1:]))

    monkeypatch.setitem(names["release"].__globals__, "run", note)
    monkeypatch.setattr("venv.create", lambda folder, with_pip: steps.append(f"venv {folder.name}"))
    return SimpleNamespace(**names, steps=steps)


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a version and a dated changelog."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Anna")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "anna@example.org")
    (tmp_path / "src" / "gamesmaster").mkdir(parents=True)
    (tmp_path / "src" / "gamesmaster" / "version.py").write_text('"""The version."""\n\n__version__ = "9.0.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 9.0.0 - 2031-02-03\n")
    (tmp_path / ".gitignore").write_text("dist/\nbuild/\n")
    _git(tmp_path, "init", "--quiet")
    _commit(tmp_path)
    return tmp_path


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def _commit(root: Path) -> None:
    _git(root, "add", "--all")
    _git(root, "commit", "--quiet", "--message", "Change something")


def test_a_version_is_built_checked_tried_out_and_tagged(script: SimpleNamespace, clone: Path) -> None:
    """Documentation, archives, twine, a fresh environment with the demo; the tag comes last."""
    assert script.release(clone) == "v9.0.0"
    docs, build, check, environment, install, demo, tag = script.steps
    assert (docs, environment, demo) == ("make docs", "venv release", "make demo VENV=ROOT/build/release")
    assert build.endswith("-m build --outdir ROOT/dist")
    assert check.endswith("-m twine check --strict ROOT/dist/gamesmaster-9.0.0-py3-none-any.whl")
    assert install.startswith("ROOT/build/release/bin/python -m pip install")
    assert install.endswith("gamesmaster-9.0.0-py3-none-any.whl")
    assert tag.startswith("git tag --annotate v9.0.0")
    assert _git(clone, "tag") == "v9.0.0"


def test_an_unclean_tree_and_an_undated_changelog_are_refused(script: SimpleNamespace, clone: Path) -> None:
    """All reasons come at once, each with what to do; nothing is run."""
    (clone / "CHANGELOG.md").write_text("# Changelog\n\n## 9.0.0 - unreleased\n")
    with pytest.raises(SystemExit) as refused:
        script.release(clone)
    unclean, file, undated = str(refused.value).splitlines()
    assert unclean == "the working tree is not clean; commit or remove:"
    assert file.endswith("CHANGELOG.md")
    assert undated == "CHANGELOG.md has no dated section; write: ## 9.0.0 - YYYY-MM-DD"
    assert script.steps == []


def test_a_version_is_released_once(script: SimpleNamespace, clone: Path) -> None:
    """A version whose tag exists is refused."""
    script.release(clone)
    with pytest.raises(SystemExit, match=r"the tag v9\.0\.0 exists"):
        script.release(clone)


def test_documentation_that_does_not_build_stops_the_release(script: SimpleNamespace, clone: Path) -> None:
    """Nothing is built or tagged then."""
    (clone / "broken").touch()
    _commit(clone)
    with pytest.raises(SystemExit, match="nothing is tagged"):
        script.release(clone)
    assert script.steps == ["make docs"]
    assert _git(clone, "tag") == ""


def test_a_step_that_fails_stops_the_release(tmp_path: Path) -> None:
    """The failing command is named."""
    run = runpy.run_path(str(ROOT / "tools" / "release.py"))["run"]
    run(tmp_path, "true")
    with pytest.raises(SystemExit, match="failed: false\nnothing is tagged"):
        run(tmp_path, "false")


def test_the_version_is_that_of_the_package(script: SimpleNamespace) -> None:
    """There is one version, and the changelog has a section of it."""
    assert script.version_of(ROOT) == __version__
    assert f"\n## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
