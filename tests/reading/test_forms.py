"""Many ways to write the same order: each form of each language means what it says, on every sheet it may stand on.

`tests/data/orders/forms.toml` has the forms; they are filled in with names as that language has them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.orders import Order, PhaseKind
from gamesmaster.orders.dialect import find_dialect
from tests.reading.corpus import read, rules_of

pytestmark = pytest.mark.bulk

FORMS = tomllib.loads((Path(__file__).parents[1] / "data" / "orders" / "forms.toml").read_text(encoding="utf-8"))
RULES = rules_of("standard")

UNITS = {
    "english": {"A": "army", "F": "Fleet"}, "german": {"A": "Armee", "F": "Flotte"},
    "french": {"A": "Armée", "F": "Flotte"}, "spanish": {"A": "Ejército", "F": "Flota"},
    "italian": {"A": "Armata", "F": "Flotta"},
}  # fmt: skip
LETTERS = {"spanish": {"A": "E", "F": "F"}}
COASTS = {"german": "(Südküste)", "french": "(côte sud)", "spanish": "(costa sur)", "italian": "(costa sud)"}
STANDING = {
    "Russia": ["F Stp/SC", "A Mos", "F Bal", "A Lvn"], "Germany": ["A Ber", "F Kie", "A Sil", "A Mun"],
    "Turkey": ["A Con", "F Bla"],
}  # fmt: skip
ORDERS = {
    "move": ["F Stp/SC - Bot", "A Mos - Ukr"],
    "via": ["A Lvn - Den"],
    "hold": ["F Bal H", "A Mos H"],
    "support_hold": ["A Mos S F Stp/SC", "F Bal S A Ber"],
    "support_move": ["F Bal S A Ber - Pru", "A Mos S A Lvn - War"],
    "convoy": ["F Bal C A Lvn - Swe", "F Bal C A Ber - Lvn"],
    "retreat": ["A War - Gal", "F Rum - Sev"],
    "disband": ["A War D", "F Rum D"],
    "build": ["Build F Stp/SC", "Build A Mos"],
    "remove": ["Remove A Lvn", "Remove F Bal"],
    "waive": ["Waive"],
}
PHASES = {
    "retreat": "retreats", "disband": "retreats", "build": "adjustments", "remove": "adjustments",
    "waive": "adjustments",
}  # fmt: skip


def entry(about: str, text: str) -> dict[str, Any]:
    """What Russia writes, in the phase in which one orders that."""
    phase = PHASES.get(about, "movement")
    standing = {**STANDING, "Russia": ["F Bal", "A Lvn"]} if about == "build" else STANDING
    beaten = {"Russia": ["A War", "F Rum"]} if phase == "retreats" else {}
    place = {"variant": "standard", "phase": phase, "units": standing, "dislodged": beaten}
    return {**place, "power": "Russia", "text": text}


def meant(about: str, meaning: str) -> Order:
    """The order that a form is filled in with."""
    return RULES.notation.read(meaning, PhaseKind(PHASES.get(about, "movement")))


def filled(language: str, form: str, about: str, meaning: str) -> str:
    """A form with the names of an order in it, as they are in a language."""
    order = meant(about, meaning)
    names = {} if language == "english" else find_dialect(language).names
    words, letters = UNITS[language], LETTERS.get(language, {"A": "A", "F": "F"})

    def place(at: object) -> str:
        if at is None:
            return ""
        where = RULES.board.province(at.province)  # type: ignore[attr-defined]
        name = names.get(where.name, (where.name,))[0]
        return f"{name} {COASTS.get(language, '(south coast)')}" if at.coast else name  # type: ignore[attr-defined]

    kind, helped = order.kind or "A", order.of_kind or "A"
    return form.format(
        k=letters[kind], K=words[kind], ok=letters[helped], OK=words[helped], P="Russia",
        opos="Russian" if order.of and order.of.province != "BER" else "German",
        at=place(order.at), of=place(order.of), to=place(order.to),
    )  # fmt: skip


@pytest.mark.parametrize(("language", "about"), [(language, about) for language in FORMS for about in FORMS[language]])
def test_every_form_means_what_it_says(language: str, about: str) -> None:
    """It is read as the order it was made of, and as nothing else."""
    for form in FORMS[language][about]:
        for meaning in ORDERS[about]:
            text = filled(language, form, about, meaning)
            found = read(entry(about, text))
            got = [replace(one, of_power="", via=False) for one in found.orders]
            assert got in ([meant(about, meaning)], [replace(meant(about, meaning), kind="")]), (form, text, found)


def in_daide(order: str) -> str:
    """An order of Russia as a DAIDE client sends it."""
    return RULES.notation.write(replace(RULES.notation.read(order), power="Russia"), dialect="daide")


SHEETS: dict[str, Callable[[list[str]], str]] = {
    "bullets": lambda orders: "\n".join(f"• {one}" for one in orders),
    "numbers": lambda orders: "\n".join(f"{number}. {one}" for number, one in enumerate(orders, 1)),
    "numbers and colons": lambda orders: "\n".join(f"{number}: {one}" for number, one in enumerate(orders, 1)),
    "numbers and dashes": lambda orders: "\n".join(f"{number} - {one}" for number, one in enumerate(orders, 1)),
    "commas": ", ".join,
    "semicolons": "; ".join,
    "strokes": " / ".join,
    "bars": " | ".join,
    "full stops": lambda orders: ". ".join(orders) + ".",
    "a letter": lambda orders: "Dear GM,\n\nmy orders for Fall 1903:\n" + "\n".join(orders) + "\n\nBest wishes\nMary",
    "a table": lambda orders: "<table>" + "".join(f"<tr><td>{one}</td></tr>" for one in orders) + "</table>",
    "results": lambda orders: "\n".join(f"{one} (*bounce*)" for one in orders),
    "coasts and results": lambda orders: "\n".join(
        f"{one.replace('/SC', ' (south coast)')}. (Failed)" for one in orders
    ),
    "small Roman numbers": lambda orders: "\n".join(
        f"{number}. {one}" for number, one in zip(("i", "ii", "iii", "iv"), orders, strict=True)
    ),
    "keys of numbers": lambda orders: "\n".join(f"{number}\ufe0f\u20e3 {one}" for number, one in enumerate(orders, 1)),
    "numbers in words": lambda orders: "\n".join(f"Order {number}: {one}" for number, one in enumerate(orders, 1)),
    "a table of bars": lambda orders: "\n".join(f"| {one} |" for one in orders),
    "DAIDE with the turn": lambda orders: "SUB (SPR 1901) " + " ".join(f"({in_daide(one)})" for one in orders),
    "above another mail": lambda orders: "\n".join(orders) + "\n\n-----Original Message-----\nFrom: GM\nA Mos - War",
    "above its header": lambda orders: "\n".join(orders) + "\n\nFrom: GM\nTo: Mary\nA Mos - War",
    "a mail that quotes another": lambda orders: (
        "".join(f"<div>{one}</div>" for one in orders)
        + "<blockquote>Earlier:<blockquote>A Mos - War</blockquote></blockquote>"
    ),
    "beside what is struck out": lambda orders: (
        "<p>" + "<br>".join(f"<s>A Mos - War</s> {one}" for one in orders) + "</p>"
    ),
}


@pytest.mark.parametrize("how", SHEETS)
def test_sheets_as_they_come(how: str) -> None:
    """Whatever stands around orders and between them, they are these."""
    orders = ["F Stp/SC - Bot", "A Mos S A Lvn", "F Bal C A Ber - Swe", "A Lvn H"]
    text = SHEETS[how](orders)
    found = read(entry("move", text))
    assert [RULES.notation.write(one) for one in found.orders] == orders


def test_the_letter_of_a_unit_is_no_place() -> None:
    """No fleet in Finland is built because an F stands behind a name."""
    found = read(entry("build", "St. Petersburg (north coast), F"))
    assert [RULES.notation.write(one) for one in found.orders] in ([], ["Build F Stp/NC"])


def test_a_build_needs_its_letter_where_both_could_be_built() -> None:
    """An army or a fleet: nobody says which, so that both are named; inland there is but one."""
    found = read(entry("build", "build St. Petersburg; build Warsaw"))
    assert [RULES.notation.write(one) for one in found.orders] == ["Build A War"]
    assert found.refused[0].what == "this could be Build A Stp or Build F Stp"


EVERYDAY: dict[str, tuple[str, str, dict[str, list[str]], dict[str, list[str]]]] = {
    # variant, phase, the units (the writer's first), and what is written with the orders meant, none if it is refused
    "on a list": ("standard", "movement", {"France": ["A Par", "A Mar", "F Bre"], "England": ["F Eng"]}, {
        "1. A Par - Bur": ["A Par - Bur"], "* A Par - Bur": ["A Par - Bur"], "- A Par - Bur": ["A Par - Bur"],
        "FRANCE: A Par-Bur, A Mar S A Par-Bur": ["A Par - Bur", "A Mar S A Par - Bur"],
        "A Par-Bur (France)": ["A Par - Bur"], "A Mar (S) A Par-Bur": ["A Mar S A Par - Bur"],
        "A Mar S (A Par - Bur)": ["A Mar S A Par - Bur"], "A Par - H": ["A Par H"],
        "A Mar supp A Par - Bur": ["A Mar S A Par - Bur"], "mar Support par bur": ["A Mar S A Par - Bur"],
        "The army at Marseilles support move to Burgundy from Paris.": ["A Mar S A Par - Bur"],
        "A Mar suports A Par - Bur": ["A Mar S A Par - Bur"],
        "A Mar suports A Par": [],  # Paris is out of reach, so that nothing tells what the word with a slip means
        "A Par - Med Atlantic": [],  # so is the sea that may be meant
    }),
    "across the sea": ("standard", "movement", {"England": ["A Lon", "F Nth", "F Eng"]}, {
        "F Nth conv A Lon-Nwy": ["F Nth C A Lon - Nwy"], "A Lon-Nwy via F Nth": ["A Lon - Nwy via Nth"],
        "The fleet at North Sea convoy to Norway from London.": ["F Nth C A Lon - Nwy"],
        "A Lon - Nwy via F Eng, F Nth": ["A Lon - Nwy via Eng, Nth"],
    }),
    "in winter": ("standard", "adjustments", {"France": ["A Mar"]}, {
        "B A Par": ["Build A Par"], "+A Par": ["Build A Par"], "par Build Army": ["Build A Par"],
        "Destroy the unit at Marseilles.": ["Remove A Mar"], "R A Mar": ["Remove A Mar"], "D A Mar": ["Remove A Mar"],
    }),
    "with coasts": ("standard", "movement", {"France": ["F Mao", "A Par"], "Turkey": ["F Bla"]}, {
        "F Mao - Spain (South Coast). (Failed)": ["F Mao - Spa/SC"], "F Mao - Spain (south cst)": ["F Mao - Spa/SC"],
        "F Mao - Spa (either coast)": [], "F Mao - Spa/nc or Spa/sc": [], "F Mao - Spa(sc) (sorry)": ["F Mao - Spa/SC"],
    }),
    "in signs": ("standard", "movement", {"Germany": ["A Mun", "F Kie"], "Russia": ["F Swe"]}, {
        "A Mun ⇄ Ruh": [], "A Mun ⟷ Ruh": [], "A Mun ← Ruh": [], "A Mun ⇒ Ruh": ["A Mun - Ruh"],
    }),
    "towards a name of two": ("standard", "movement", {"Russia": ["F Ska", "F Swe"], "Germany": ["F Den"]}, {
        "F ska Supports F swe -> den": ["F Ska S F Swe - Den"], "F Ska - Swe-den": [],
    }),
    "with signs in winter": ("standard", "adjustments", {"France": ["A Bur", "F Mao"]}, {
        "➕ A Par": ["Build A Par"], "build in Paris": ["Build A Par"],
    }),
    "with a minus": ("standard", "adjustments", {"France": ["A Bur", "F Mao", "A Gas", "A Spa", "A Bel", "F Por"]}, {
        "➖ F Mao": ["Remove F Mao"], "➖ A Gas": ["Remove A Gas"],
    }),
    "of a judge's results": ("standard", "movement", {"Turkey": ["A Con"]}, {
        "ORD (SPR 1901) ((TUR AMY CON) MTO BUL) (SUC)": [], "SUB (SPR 1901) ((TUR AMY CON) MTO BUL)": ["A Con - Bul"],
    }),
    "with canoes": ("indianomacy", "movement", {"Iroquois": ["W 14", "W 12"], "Shoshoni": ["W 66"]}, {
        "W 14 carries CF to 13": ["W 14 - 13 with CF"], "W 14 portages CF to 13": ["W 14 - 13 with CF"],
        "W 14 - 13 in a canoe": ["W 14 - 13 with CF"], "W Seneca (14) - 13": ["W 14 - 13"],
        "W 14 S W 15 (neutral)": ["W 14 S Neutral W 15"], "WP 12 - 13": ["W 12 - 13"],
    }),
    "where a letter is a sea": ("indianomacy2", "movement", {"Iroquois": ["W/CF c"]}, {
        "W/CF c - h": ["W/CF c - h"], "W/CF c holds": ["W/CF c H"],
    }),
    "in the hunting grounds' winter": ("indianomacy", "adjustments", {"Iroquois": ["W 66"]}, {
        "Build a War Party in 12": ["Build W 12"], "Build War Party 14": ["Build W 14"],
    }),
    "ashore in Scotland": ("scottomacy", "movement", {"England": ["A/F ff"], "Campbell": ["A o"]}, {
        "A ff - 73": ["A/F ff lands 73"], "F ff disgorges A to 73": ["A/F ff lands 73"],
        "A/F ff disgorges 73": ["A/F ff lands 73"],
    }),
    "a move by its letter, first": ("standard", "movement", {"France": ["A MAR", "A PAR"]}, {
        "m mar-gas": ["A Mar - Gas"], "M A Par - Pic": ["A Par - Pic"],
    }),
    "with a boat bunch": ("scottomacy", "movement", {"Campbell": ["A o"]}, {"BB o - 30": ["A/BB o - 30"]}),
    "ashore in the New World": ("conquest2", "movement", {"Spain": ["A/F VIS"]}, {
        "A Vis - Vir": ["A/F VIS lands VIR"], "A/F Vis disembarks army Vir": ["A/F VIS lands VIR"],
    }),
}  # fmt: skip
"""What players were once refused, each where it was written."""


@pytest.mark.parametrize("where", EVERYDAY)
def test_everyday_spellings(where: str) -> None:
    """They are read, or refused with the reason, and the nearest order where one resembles the text."""
    variant, phase, units, texts = EVERYDAY[where]
    write = rules_of(variant).notation.write
    for text, orders in texts.items():
        found = read({"variant": variant, "phase": phase, "units": units, "power": next(iter(units)), "text": text})
        assert [write(one) for one in found.orders] == orders, text
        assert bool(found.refused) is not bool(orders), text
        assert all(no.what and (not no.hint or no.hint.startswith("did you mean ")) for no in found.refused)
