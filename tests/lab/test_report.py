"""The reports: the pages as a browser shows them, and the same numbers in files."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gamesmaster.errors import BadFile, NotFound
from gamesmaster.lab import (
    Balance,
    Experiment,
    balance_of,
    compare,
    read_balance,
    read_comparison,
    write_comparison,
    write_report,
)
from gamesmaster.lab.figures import evidence, pictures, spread
from gamesmaster.lab.report import report_page
from gamesmaster.pictures import Picture
from gamesmaster.pictures.shapes.files import shapes_of
from gamesmaster.variant import find_variant
from tests.chromium import CHROMIUM, FLAGS
from tests.lengths import mark_long

from .made import POWERS, made

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGES = [("balance.html", 5), ("compare.html", 2)]
EXPERIMENT = Experiment.of("standard", "heuristic,random", seed=5)
RISING = {year: (3, 4, 3 + year - 1900, 5, 4, 6, 4) for year in range(1901, 1909)}
GAMES = [made(n, RISING, ["France"] if n % 3 else [], out={"Italy": 1904}, experiment=EXPERIMENT) for n in range(16)]


@pytest.fixture(scope="module")
def balance() -> Balance:
    """A balance of sixteen games between two kinds of player."""
    return balance_of(EXPERIMENT, GAMES)


@pytest.fixture(scope="module")
def folder(balance: Balance, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the reports on a balance and on a comparison."""
    folder = tmp_path_factory.mktemp("report")
    assert write_report(balance, folder) == folder / "balance.html"
    falling = [dict.fromkeys(RISING, (3, 4, 2, 5, 4 + n % 2, 6, 4)) for n in range(16)]
    other = [made(n, falling[n], ["Turkey"] if n % 2 else [], experiment=EXPERIMENT) for n in range(16)]
    told = compare((EXPERIMENT, GAMES), (EXPERIMENT, other))
    assert write_comparison(told, folder) == folder / "compare.html"
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, once for all tests here."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the page's tests want Playwright")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.mark.parametrize(
    ("name", "pictures", "scheme", "width"),
    mark_long(
        [(*page, scheme, width) for page in PAGES for scheme in ("light", "dark") for width in (1280, 390)],
        but=((*PAGES[0], "light", 390), (*PAGES[1], "dark", 1280)),
    ),
)
def test_the_page_fits_its_window(
    browser: Browser, folder: Path, width: int, scheme: str, name: str, pictures: int
) -> None:
    """On a desk and on a phone, light and dark, nothing runs out of the page, fails, or is fetched."""
    wrong: list[str] = []
    fetched: list[str] = []
    context = browser.new_context(viewport={"width": width, "height": 844})
    page = context.new_page()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: fetched.append(request.url))
    page.goto((folder / name).as_uri())
    for summary in page.locator("summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert wrong == []
    assert len(fetched) == 1
    assert page.locator("figure svg").count() == pictures
    for box in (svg.bounding_box() for svg in page.locator("figure svg").all()):
        assert box is not None
        assert box["width"] > 250
        assert box["height"] > 100
    ink, paper = (page.evaluate(f"getComputedStyle(document.body).{name}") for name in ("color", "backgroundColor"))
    dark = sum(map(int, re.findall(r"\d+", paper)[:3])) < sum(map(int, re.findall(r"\d+", ink)[:3]))
    assert dark == (scheme == "dark")
    context.close()


@pytest.mark.parametrize(("name", "pictures"), PAGES)
def test_the_page_is_complete_in_itself(folder: Path, name: str, pictures: int) -> None:
    """No script, no address to fetch from, every id but once, every part filled in."""
    page = (folder / name).read_text(encoding="utf-8")
    assert "<script" not in page
    assert "$" not in page
    assert not re.findall(r'(?:src|href)="(?!#)', page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert page.count("<svg") == pictures


def test_the_page_says_what_there_is_to_say(folder: Path, balance: Balance) -> None:
    """Powers, players, what is uncertain and what was played are on the page."""
    page = (folder / "balance.html").read_text(encoding="utf-8")
    for words in (*POWERS, "heuristic", "16 games are few", "a multiple of 7 games", balance.experiment.fingerprint):
        assert words in page
    assert f"{balance.decided} of them decided" in page


def test_powers_have_the_colours_of_the_maps(folder: Path) -> None:
    """A power's chip in the tables and its line and marks in the pictures are the plate of its units on the map."""
    page = (folder / "balance.html").read_text(encoding="utf-8")
    variant = find_variant("standard")
    bearers = Picture(variant.board, shapes_of(variant), variant.powers).heraldry
    for power in POWERS:
        plate = bearers[power].paint.plate
        assert f'<span class="chip" style="background:{plate}"></span>{power}' in page
        assert page.count(f"fill: {plate}") > 4


def test_what_was_written_is_read(folder: Path, balance: Balance, tmp_path: Path) -> None:
    """From the numbers of a report comes an equal balance; the report that it makes is the same in every byte."""
    assert read_balance(folder / "balance.json") == balance
    write_report(read_balance(folder / "balance.json"), tmp_path)
    write_comparison(read_comparison(folder / "compare.json"), tmp_path)
    for file in folder.iterdir():
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_reports_open_with_what_they_lack(tmp_path: Path) -> None:
    """A page and its numbers name the games that are missing before all else, and are read and written again."""
    few = [game for game in GAMES if game.number % 5]
    write_report(balance_of(EXPERIMENT, few, asked=20), tmp_path)
    write_comparison(compare((EXPERIMENT, few), (EXPERIMENT, GAMES), asked=16), tmp_path)
    lacking = {
        "balance": "8 of 20 games are missing (numbers 0, 5, 10, 15 to 19). All numbers below are biased: ",
        "compare": "4 of 16 games are missing (numbers 0, 5, 10, 15). All numbers below are biased: ",
    }
    for name, words in lacking.items():
        page = (tmp_path / f"{name}.html").read_text(encoding="utf-8")
        assert page.partition("<main>\n")[2].startswith(f'<p class="alarm"><strong>Warning.</strong> {words}')
        data = json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))
        assert next(iter(data)) == "warning"
        assert data["warning"].startswith(words)
    again = tmp_path / "again"
    write_report(read_balance(tmp_path / "balance.json"), again)
    write_comparison(read_comparison(tmp_path / "compare.json"), again)
    for file in again.iterdir():
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_the_warning_is_red(browser: Browser, tmp_path: Path) -> None:
    """On white paper and on dark, in red that can be read."""
    write_report(balance_of(EXPERIMENT, GAMES[1:]), tmp_path)
    page = browser.new_page()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.goto((tmp_path / "balance.html").as_uri())
        colour = page.locator("main > :first-child").evaluate("line => getComputedStyle(line).color")
        red, green, blue = map(int, re.findall(r"\d+", colour))
        assert red > 1.8 * max(green, blue)
    page.close()


def test_what_is_no_report_is_refused(folder: Path, tmp_path: Path) -> None:
    """A file that is missing, holds something else or says something impossible is named with the fault's place."""
    with pytest.raises(NotFound):
        read_balance(tmp_path / "balance.json")
    with pytest.raises(BadFile, match=r"compare\.json, \$\.experiment"):
        read_balance(folder / "compare.json")
    data = json.loads((folder / "compare.json").read_text(encoding="utf-8"))
    data["differences"][1]["p"] = "often"
    file = tmp_path / "compare.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(BadFile, match=r"\$\.differences\[1\]\.p"):
        read_comparison(file)


def test_a_comparison_says_what_differs(folder: Path) -> None:
    """The surest difference in a sentence, all of them in the table and in files, those of chance beside them."""
    page = (folder / "compare.html").read_text(encoding="utf-8")
    assert "16 pairs of games" in page
    assert re.search(r"Of \d+ measures, \d+ differ by more than chance; the surest is France: ", page)
    rows = list(csv.DictReader((folder / "compare.csv").read_text(encoding="utf-8").splitlines()))
    data = json.loads((folder / "compare.json").read_text(encoding="utf-8"))
    assert [row["what"] for row in rows] == [entry["what"] for entry in data["differences"]]
    assert all(escape(row["what"]) in page for row in rows)
    france = next(row for row in rows if row["what"] == "France: centres")
    assert float(france["second"]) < float(france["first"])
    assert float(france["difference"]) < 0


def test_probabilities_are_told_in_words() -> None:
    """A number, and what it says; small ones are not rounded to nothing."""
    told = {0.2: "p = 0.20: no", 0.06: "p = 0.06: weak", 0.0312: "p = 0.031: some", 0.004: "p = 0.004: strong",
            0.0000123: "p = 0.000012: very strong", 1e-9: "p < 0.000001: very strong"}  # fmt: skip
    assert {p: evidence(p) for p in told} == {p: f"{words} evidence" for p, words in told.items()}


def test_what_is_too_rare_has_no_index(tmp_path: Path) -> None:
    """Below five for each power there is no index; the page says so, and tells those of what is frequent enough."""
    for count, said in ((36, "too few victories for an index"), (9, "too few victories, leads and centres for an")):
        games = [made(n, RISING, ["France"] if n < 9 else [], experiment=EXPERIMENT) for n in range(count)]
        balance = balance_of(EXPERIMENT, games)
        page = report_page(balance, pictures(balance))
        assert said in page
        assert ("evenness of leads" in page) == (count == 36)


def test_nothing_differs(tmp_path: Path) -> None:
    """Two that are the same in all games are told to be, without a picture."""
    page = write_comparison(compare((EXPERIMENT, GAMES), (EXPERIMENT, GAMES)), tmp_path / "new")
    assert "The two are the same in every game." in page.read_text(encoding="utf-8")
    assert "<svg" not in page.read_text(encoding="utf-8")


def test_names_cannot_write_the_page(tmp_path: Path) -> None:
    """What a player's name or an opening holds is text on the page, never a part of it."""
    evil = "<script>alert(1)</script>"
    games = [replace(g, openings={"France": evil}, seats={"France": evil}) for g in GAMES]
    page = write_report(balance_of(EXPERIMENT, games), tmp_path).read_text(encoding="utf-8")
    assert evil not in page
    assert "&lt;script&gt;" in page


def test_the_same_numbers_are_in_files(folder: Path, balance: Balance) -> None:
    """JSON and CSV hold the numbers of the balance."""
    data = json.loads((folder / "balance.json").read_text(encoding="utf-8"))
    france = next(p for p in balance.powers if p.power == "France")
    assert data["powers"][2]["wins"] == {"value": france.wins.value, "low": france.wins.low, "high": france.wins.high}
    assert data["powers"][2]["by_year"]["1908"]["value"] == 11
    rows = {
        name: list(csv.DictReader((folder / f"{name}.csv").read_text(encoding="utf-8").splitlines()))
        for name in ("powers", "years", "fairness", "endings", "lengths", "attacks", "openings", "players")
    }
    assert float(rows["powers"][2]["wins_low"]) == france.wins.low
    assert len(rows["years"]) == 7 * 8
    assert next(r for r in rows["years"] if (r["power"], r["year"]) == ("Italy", "1904"))["alive"] == "0.0"
    assert rows["fairness"] == []  # sixteen games are too few
    assert sum(float(r["share"]) for r in rows["endings"]) == pytest.approx(1)
    assert rows["lengths"] == [{"turns": "8", "games": "16"}]
    taken = next(
        r for r in rows["attacks"] if (r["kind"], r["power"], r["against"]) == ("captures", "France", "Germany")
    )
    assert float(taken["mean"]) == 1
    assert {r["orders"] for r in rows["openings"] if r["power"] == "France"} == {"A Par H", "A Par - Bur"}
    assert [r["player"] for r in rows["players"]] == ["heuristic", "random"]


def test_the_same_games_give_the_same_page(folder: Path, balance: Balance, tmp_path: Path) -> None:
    """A page made again is the same, byte for byte."""
    assert write_report(balance, tmp_path).read_bytes() == (folder / "balance.html").read_bytes()


def test_names_beside_lines_do_not_touch() -> None:
    """Names stay in the order of the lines' ends, at least so far apart, and near them."""
    ends = {0: 5.0, 1: 1.0, 2: 1.05, 3: 1.1, 4: 1.9}
    placed = spread(ends, 0.5)
    ordered = sorted(ends, key=lambda row: ends[row])
    gaps = [placed[b] - placed[a] for a, b in pairwise(ordered)]
    assert min(gaps) >= 0.5 - 1e-9
    assert placed[0] == 5
    assert max(abs(placed[row] - ends[row]) for row in ends) < 1


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ("people", "win otherwise"),
        *mark_long([("random", "Not all of them have been fitted"), ("peaceful,people", "win otherwise")]),
    ],
)
def test_a_report_says_how_far_its_players_are_like_people(players: str, said: str) -> None:
    """Players fitted to people are told from others, and boards on which they were compared from others."""
    for variant, unknown in (("standard", False), ("cline9", True)):
        experiment = Experiment.of(variant, players, seed=5)
        powers = experiment.powers
        games = [replace(game, start=(3,) * len(powers), centres={1901: (4,) * len(powers)}) for game in GAMES[:2]]
        seated = [replace(game, seats=experiment.seats(n), openings={}, attacks=()) for n, game in enumerate(games)]
        balance = balance_of(experiment, seated)
        page = report_page(balance, pictures(balance))
        assert said in page
        assert ("on other boards is not known" in page) == (unknown and said == "win otherwise")
        assert "gamesmaster balance --ask" in page
