"""Reading one order."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from gamesmaster.board import Board, Location
from gamesmaster.errors import BadOrder
from gamesmaster.orders import Notation, Order, PhaseKind, Verb

DATC = Path(__file__).parents[1] / "data" / "orders" / "datc.json"
MOVE, SUPPORT = Verb.MOVE, Verb.SUPPORT


def at(text: str) -> Location:
    """A location in its plain form."""
    return Location.of(text)


def test_an_order_in_all_its_parts(standard: Notation) -> None:
    """Kind, place, coast, nationality and goal all land in the order."""
    order = standard.read("Russian F Stp(sc) supports English F Nwy - St. Petersburg (north coast)")
    assert order == Order(
        SUPPORT, "F", at("STP/SC"), at("STP/NC"), of=at("NWY"), of_kind="F", of_power="England", power="Russia"
    )


def test_datc_orders_in_full_and_abbreviated(standard: Notation) -> None:
    """Every order of the DATC's cases reads, and its two spellings are the same order."""
    data = json.loads(DATC.read_text(encoding="utf-8"))
    for phase in PhaseKind:
        assert data[phase]
        for full, short in data[phase]:
            assert standard.read(full, phase) == standard.read(short, phase), full


def scenario_orders() -> Iterator[tuple[PhaseKind, str]]:
    """The orders of the scenarios without mechanics of the regular game, each with its kind of phase."""
    text = files("gamesmaster.variants").joinpath("standard", "scenarios.json").read_text(encoding="utf-8")
    for scenario in json.loads(text):
        if "mechanics" in scenario["other"].get("ends", {}):
            continue
        phase = scenario["phase"].split()[-1].lower()
        for orders in scenario["orders"].values():
            yield from ((PhaseKind(phase), order) for order in orders)


def test_scenario_orders(standard: Notation) -> None:
    """Every order of the regular scenarios reads and prints as it stands, but for those written badly on purpose."""
    loose = {
        "F Mun stands": "F Mun H",
        "Mar S Ger A Mun H": None,
        "Par to Burgandy": None,
        "F TYS - SIC": None,
        "A PIE - SWI": None,
        "F IRI - IRE": None,
    }
    seen = set()
    for phase, text in scenario_orders():
        seen.add(text)
        if text not in loose:
            assert standard.write(standard.read(text, phase)).upper() == text
        elif (meant := loose[text]) is not None:
            assert standard.write(standard.read(text, phase)) == meant
        else:
            with pytest.raises(BadOrder):
                standard.read(text, phase)
    assert seen > loose.keys()


@pytest.mark.parametrize(
    ("text", "phase", "verb"),
    [
        ("A Par - Gas", None, MOVE),
        ("A Par - Gas", PhaseKind.MOVEMENT, MOVE),
        ("A Par - Gas", PhaseKind.RETREATS, Verb.RETREAT),
        ("A Par retreats to Gas", PhaseKind.MOVEMENT, Verb.RETREAT),
        ("A Par R Gas", None, Verb.RETREAT),
        ("A Par D", None, Verb.DISBAND),
        ("Disband A Par", PhaseKind.RETREATS, Verb.DISBAND),
        ("Remove A Par", PhaseKind.RETREATS, Verb.DISBAND),
        ("A Par D", PhaseKind.ADJUSTMENTS, Verb.REMOVE),
        ("Disband A Par", PhaseKind.ADJUSTMENTS, Verb.REMOVE),
        ("Remove A Par", None, Verb.REMOVE),
        ("A Par H", PhaseKind.RETREATS, Verb.HOLD),
        ("A Par B", None, Verb.BUILD),
        ("Waives build", None, Verb.WAIVE),
    ],
)
def test_the_phase_decides_what_few_words_mean(
    standard: Notation, text: str, phase: PhaseKind | None, verb: Verb
) -> None:
    """A step is a retreat after a battle, a disbandment a removal in winter; other words mean the same always."""
    assert standard.read(text, phase).verb is verb


@pytest.mark.parametrize(
    ("text", "kind"), [("A Par H", "A"), ("Paris H", ""), ("F Par H", "F"), ("Build War", ""), ("fleet in Par H", "F")]
)
def test_letters_missing_or_wrong_are_kept(standard: Notation, text: str, kind: str) -> None:
    """A missing unit letter is kept as missing and a wrong one as wrong (DATC 4.C.1, 4.C.2, 4.C.3)."""
    assert standard.read(text).kind == kind


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("F Mao - Spain/WC", "SPA/WC"),
        ("F Mao - Spa (w)", "SPA/W"),
        ("F Mao - Spa/west", "SPA/WC"),
        ("A Gas - Par/nc", "PAR/NC"),
        ("F Mao - Spain", "SPA"),
        ("F Mao - Spa/n", "SPA/NC"),
        ("F Mao - spanc", "SPA/NC"),
        ("F Mao - nc Spain", "SPA/NC"),
        ("F Bar - StP north coast", "STP/NC"),
        ("F Bar - StP (N.C.)", "STP/NC"),
        ("F Tus - Tunsc", None),
    ],
)
def test_coasts(standard: Notation, text: str, place: str | None) -> None:
    """A coast is read in any usual spelling; one that the province has not is kept (DATC 4.B.6)."""
    if place is None:
        with pytest.raises(BadOrder):
            standard.read(text)
    else:
        assert standard.read(text).to == at(place)


@pytest.mark.parametrize(
    ("text", "place"),
    [("F Mao - Spa/wc", "SPA/SC"), ("F Mao - SPAwc", "SPA/SC"), ("F Mao - Spa (w)", "SPA/SC"),
     ("F Mao - Spa/xy", "SPA/NC"), ("F Mao - Stp/wc", "STP/WC"), ("F Mao - Spa/ec", "SPA/EC")],
)  # fmt: skip
def test_coasts_with_other_letters(standard_board: Board, text: str, place: str) -> None:
    """Second letters of a coast mean that coast, of its own province only."""
    aliases = (("WC", "SC"), ("XY", "NC"))
    provinces = tuple(replace(p, coast_aliases=aliases if p.id == "SPA" else ()) for p in standard_board.provinces)
    assert Notation(replace(standard_board, provinces=provinces)).read(text).to == at(place)


@pytest.mark.parametrize(
    ("text", "route", "via"),
    [
        ("A Lon - Bel", (), False),
        ("A Lon - Bel VIA", (), True),
        ("A Lon - Bel (by convoy)", (), True),
        ("A Lon - Nth - Nwg - Nwy", ("NTH", "NWG"), True),
        ("A Lon - Nwy via Nth and Norwegian Sea", ("NTH", "NWG"), True),
        ("A Lon - Nwy via convoy Nth - Nwg", ("NTH", "NWG"), True),
        ("A Lon - North Sea - Nwy via Nwg", ("NTH", "NWG"), True),
    ],
)
def test_the_way_over_sea(standard: Notation, text: str, route: tuple[str, ...], via: bool) -> None:
    """The words "by convoy" are noted, and the waters named for it, which imply them (DATC 4.A.3, 4.A.6)."""
    order = standard.read(text)
    assert (order.route, order.via) == (route, via)


@pytest.mark.parametrize(
    ("text", "power"),
    [
        ("England F Lon H", "England"),
        ("English Lon H", "England"),
        ("Eng H", ""),
        ("F Eng H", ""),
        ("English Channel H", ""),
        ("English English Channel H", "England"),
        ("English F Channel H", "England"),
        ("England: F Lon H", "England"),
        ("England: German F Lon H", "Germany"),
        ("England builds F Lon", "England"),
        ("England declines to build", "England"),
        ("F Lon (England) H", "England"),
    ],
)
def test_whose_unit(standard: Notation, text: str, power: str) -> None:
    """A power's name or adjective goes before or behind a unit; a province's own name stays a province."""
    assert standard.read(text).power == power


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("A a - f", "A a - f"),
        ("F s S F h - c", "F s S F h - c"),
        ("f f s f h", "F f S F h"),
        ("A h H", "A h H"),
        ("F c c A 12 - 13", "F c C A Ono - 13"),
        ("F ff - f", "F ff - f"),
        ("W 12 - 13", "W Ono - 13"),
        ("war party in 12 - 13", "W Ono - 13"),
        ("W/CF h - 12", "W/CF h - Ono"),
        ("W 12 S W/CF h - 13", "W Ono S W/CF h - 13"),
        ("A/F f-h", "A/F f - h"),
        ("12 - 13", "Ono - 13"),
        ("W 12 (A) - 13", "W Ono (A) - 13"),
        ("S Wemyss Bay - s", "S Wemyss Bay - s"),
        ("Southern W 12 H", "S W Ono H"),
        ("F 44/n - 58 (E)", "F 44/N - 58/EC"),
        ("F 44 - 44/S", "F 44 - 44/S"),
        ("A A Coruna - A Coruña", "A COR - COR"),
        ("A Coruña H", "COR H"),
        ("The Hague - North Coast (nc)", "The H. - NCO/NC"),
        ("Macleod Castle S Macleod S. Africa", "MAC S macleod SAC"),
        ("A Sauk and Fox - Caribou-Eaters", "A Saf - CAE"),
        ("A CaribouEaters - Sauk and Fox", "A CAE - Saf"),
        ("A Nez Perce - Nez", "A NPE - NEZ"),
        ("Barbary States A 13 H", "Barbary States A 13 H"),
    ],
)
def test_provinces_called_like_units_and_verbs(odd: Notation, text: str, written: str) -> None:
    """After a letter of a unit comes a province, always, even one called a, f or h; numbers are names."""
    assert odd.write(odd.read(text)) == written


def test_an_id_wins_over_another_abbreviation(odd: Notation) -> None:
    """An exact id means its province though another is printed so; printing then avoids the clash."""
    order = odd.read("A NEZ - 13")
    assert order.at == at("NEZ")
    assert odd.write(Order(Verb.HOLD, "A", at("NPE"))) == "A NPE H"


def test_reading_does_not_hang_on_hash_order(standard: Notation) -> None:
    """Whatever the seed of Python's hashes, the same texts give the same orders and the same complaints."""
    texts = ["F North S A Lon - Bel", "A Gulf H", "F Bul/WC - Burgundy", "A Bugandy H", "A Lon - Nwy via Nth, Nwg"]
    program = (
        "import sys; from importlib.resources import files; from gamesmaster.board import read_board\n"
        "from gamesmaster.errors import BadOrder; from gamesmaster.orders import Notation\n"
        "path = files('gamesmaster.variants').joinpath('standard', 'board.json')\n"
        "notation = Notation(read_board(path.read_text(encoding='utf-8')))\n"
        "for text in sys.argv[1:]:\n"
        "    try: print(notation.read(text))\n"
        "    except BadOrder as error: print(error)\n"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program, *texts],
            env={"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert len(runs.pop().splitlines()) == len(texts)


def test_notation_needs_no_powers(standard_board: Board) -> None:
    """Without powers orders are read all the same, and words for powers are no words."""
    bare = Notation(standard_board)
    assert bare.write(bare.read("A Par - Bur")) == "A Par - Bur"
    with pytest.raises(BadOrder, match="no province 'France'"):
        bare.read("France A Par H")
