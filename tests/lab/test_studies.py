"""The studies of the documentation: played by one command, and their pages made of the figures that are kept."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from gamesmaster.lab import Experiment, read_games
from gamesmaster.players import Match
from tests.lengths import short_and_long

DOCS = Path(__file__).parents[2] / "docs"
KEPT = runpy.run_path(str(DOCS / "studies.py"))["with_figures"](DOCS / "studies")


@pytest.fixture
def command() -> SimpleNamespace:
    """What is in `docs/studies.py`, run anew for each test."""
    return SimpleNamespace(**runpy.run_path(str(DOCS / "studies.py")))


def test_pages_are_written_and_what_was_added_by_hand_stays(command: SimpleNamespace, tmp_path: Path) -> None:
    """A study plays what is missing, writes its page with the report beside it, and keeps the words below the mark."""
    studies, main, end = command.STUDIES, command.main, command.END
    for name in ("conquest2", "cline9-turkey"):
        studies[name] = replace(studies[name], turns=2, batch=False)
    page = tmp_path / "docs/studies/conquest2.md"
    main(["conquest2"], games=2, jobs=1, docs=tmp_path / "docs", build=tmp_path / "games")
    assert "2 games of `conquest2`" in page.read_text(encoding="utf-8")
    page.write_text(page.read_text(encoding="utf-8") + "Look at Holland.\n", encoding="utf-8")
    main(["conquest2", "cline9-turkey"], games=3, jobs=1, docs=tmp_path / "docs", build=tmp_path / "games")
    told = page.read_text(encoding="utf-8")
    assert "3 games of `conquest2`" in told
    assert told.endswith(f"{end}\nLook at Holland.\n")
    assert len(read_games(tmp_path / "games/conquest2")[1]) == 3
    assert "heuristic (3 games), people (3 games), peaceful (3 games)" in told
    assert told.count(" of 3 |") == 3 * 5  # five powers: their centres, leads and victories
    compared = (page.parent / "cline9-turkey.md").read_text(encoding="utf-8")
    assert "3 pairs" in compared
    assert "| Turkey: centres |" in compared
    boards = ("conquest2", "cline9", "cline9-turkey-fleet-smyrna")
    pictures = {f"{board}-{picture}.svg" for board in boards for picture in ("leads", "centres")}
    written = {file.name for file in page.parent.iterdir()}
    assert written == {
        *(f"conquest2{ending}" for ending in (".md", ".html", ".json", "-players.json")),
        *(f"cline9-turkey{ending}" for ending in (".md", ".html", ".json", "-players.json")),
        *(f"{board}.{ending}" for board in boards for ending in ("html", "json")),
        *pictures,
    }
    assert all(name in told + compared for name in pictures)
    for picture in pictures:
        assert ElementTree.parse(page.parent / picture).getroot().tag.endswith("svg")
        assert "var(" not in (page.parent / picture).read_text(encoding="utf-8")


def test_one_power_in_many_variants(command: SimpleNamespace, tmp_path: Path) -> None:
    """A study of more than two variants is a table of how its power fares in each."""
    studies, main = command.STUDIES, command.main
    study = studies["cline9-openings"]
    studies["cline9-openings"] = replace(study, turns=1, batch=False)
    main(["cline9-openings"], games=2, jobs=2, docs=tmp_path, build=tmp_path / "games")
    files = sorted((tmp_path / "studies").iterdir())
    assert [file.name for file in files] == [f"cline9-openings{end}" for end in ("-players.json", ".json", ".md")]
    lines = files[-1].read_text(encoding="utf-8").splitlines()
    rows = [line.split(" | ")[0] for line in lines if line.startswith("| `cline9")]
    assert rows[:8] == [f"| `{variant}`" for variant in study.variants]
    assert set(rows[8:]) <= set(rows[1:8])  # where Turkey ends otherwise than in the regular way
    assert "## For how many players it holds" in lines


def test_pages_are_made_without_playing(
    command: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the figures that are kept come the same pages; a second time nothing is written."""
    studies, main = command.STUDIES, command.main
    studies["conquest2"] = replace(studies["conquest2"], turns=2)
    main(["conquest2"], games=2, jobs=1, docs=tmp_path, build=tmp_path / "games")
    folder = tmp_path / "studies"
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert len(before) == 6
    for file in [file for file in folder.iterdir() if file.suffix != ".json"]:
        file.unlink()

    def play(*_: Any) -> None:
        raise AssertionError("games are played")

    monkeypatch.setitem(main.__globals__, "play_games", play)
    main(["conquest2"], docs=tmp_path, pages=True)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    times = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    main(docs=tmp_path, pages=True)
    assert {file.name: file.stat().st_mtime_ns for file in folder.iterdir()} == times


@short_and_long("names", ("conquest2", "cline9-turkey"), ("conquest2", "cline9-turkey", "cline9-openings"))
def test_a_page_opens_with_the_games_it_lacks(
    command: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    """One variant, two, or many: where games fail, the page, its figures and its reports say so before all else."""
    studies, main, play = command.STUDIES, command.main, Experiment.play
    for name in names:
        studies[name] = replace(studies[name], turns=1, batch=False)

    def fragile(self: Experiment, number: int, **options: Any) -> Match:
        if number == 1:
            raise ZeroDivisionError("no luck")
        return play(self, number, **options)

    monkeypatch.setattr(Experiment, "play", fragile)
    lacking = "1 of 3 games is missing (number 1). All numbers below are biased"
    main([*names], games=3, jobs=1, docs=tmp_path, build=tmp_path / "games")
    for name in names:
        text = (tmp_path / f"studies/{name}.md").read_text(encoding="utf-8")
        opening = text.partition(f"# {studies[name].title}\n\n")[2]
        assert opening.startswith('!!! danger "Games')
        assert opening.splitlines()[2].startswith(f"    {lacking}")
        assert lacking in (tmp_path / f"studies/{name}.json").read_text(encoding="utf-8")
    if "cline9-openings" in names:
        assert (tmp_path / "studies/cline9-openings.md").read_text(encoding="utf-8").count(lacking) == 8
    assert lacking in (tmp_path / "studies/cline9-turkey.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", KEPT)
def test_the_tables_are_those_of_the_figures(command: SimpleNamespace, tmp_path: Path, name: str) -> None:
    """Each page in the repository says what its figures say, and its figures are of the study that is described."""
    page = (DOCS / "studies" / f"{name}.md").read_text(encoding="utf-8")
    assert command.page(DOCS / "studies", name) == page
    study = command.STUDIES[name]
    for balance in command._balances(DOCS / "studies", name):
        assert balance.games >= study.games
        assert balance.missing is None
        experiment = balance.experiment
        assert experiment.variant in study.variants
        assert (experiment.seed, experiment.batch) == (study.seed, study.batch)
