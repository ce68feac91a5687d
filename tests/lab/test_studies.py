"""The studies of the documentation: played and written by one command."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from gamesmaster.lab import read_games

STUDIES = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "studies.py"))


def test_pages_are_written_and_what_was_added_by_hand_stays(tmp_path: Path) -> None:
    """A study plays what is missing, writes its page with the report beside it, and keeps the words below the mark."""
    studies, main, end = STUDIES["STUDIES"], STUDIES["main"], STUDIES["END"]
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
    compared = (page.parent / "cline9-turkey.md").read_text(encoding="utf-8")
    assert "3 pairs" in compared
    assert "| Turkey: share of centres |" in compared
    boards = ("conquest2", "cline9", "cline9-turkey-fleet-smyrna")
    pictures = {f"{board}-{picture}.svg" for board in boards for picture in ("leads", "centres")}
    written = {file.name for file in page.parent.iterdir()}
    assert written == {
        "conquest2.md",
        "cline9-turkey.md",
        "cline9-turkey.html",
        *(f"{board}.html" for board in boards),
        *pictures,
    }
    assert all(name in told + compared for name in pictures)
    for picture in pictures:
        assert ElementTree.parse(page.parent / picture).getroot().tag.endswith("svg")
        assert "var(" not in (page.parent / picture).read_text(encoding="utf-8")


def test_one_power_in_many_variants(tmp_path: Path) -> None:
    """A study of more than two variants is a table of how its power fares in each."""
    studies, main = STUDIES["STUDIES"], STUDIES["main"]
    study = studies["cline9-openings"]
    studies["cline9-openings"] = replace(study, turns=2, batch=False)
    main(["cline9-openings"], games=2, jobs=2, docs=tmp_path, build=tmp_path / "games")
    (page,) = (tmp_path / "studies").iterdir()
    rows = [line.split(" | ")[0] for line in page.read_text(encoding="utf-8").splitlines() if "`cline9" in line]
    assert rows == [f"| `{variant}`" for variant in study.variants]
    assert len(rows) == 8
