"""Hints: a refused line names the legal order that it resembles; what resembles none gets no hint."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from string import ascii_lowercase
from typing import Any

import pytest

from gamesmaster.judge.legal import given_options
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.orders.words import key
from gamesmaster.reading.wordbook import Wordbooks
from tests.lengths import short_and_long
from tests.reading.corpus import Judge, entries, position_of, read, rules_of

SEED = 20


def first_hint(entry: dict[str, Any], hint: str) -> Order | None:
    """The first order that a hint names."""
    named = re.split(" or ", hint.removeprefix("did you mean ").removesuffix("?"))[0]
    return rules_of(entry["variant"]).notation.read(named, PhaseKind(entry["phase"])) if named else None


def verdict(entry: dict[str, Any], meant: str) -> str:
    """`read`, `right` (refused, and the first hint is what is meant), `other`, `none`, or `misread`."""
    judge, found = Judge(entry), read(entry)
    want = judge.key(rules_of(entry["variant"]).notation.read(meant, PhaseKind(entry["phase"])))
    if found.orders:
        return "read" if [judge.key(order) for order in found.orders] == [want] else "misread"
    order = next((first_hint(entry, no.hint) for no in found.refused if no.hint.startswith("did you mean ")), None)
    return "none" if order is None else "right" if judge.key(order) == want else "other"


# -- slips of the pen --------------------------------------------------------------------------------------------------


def edit(rng: random.Random, text: str) -> str:
    """The text with a letter put in, left out, replaced, or swapped with the next one."""
    at, letter = rng.choice([i for i, char in enumerate(text) if char.isalpha()]), rng.choice(ascii_lowercase)
    before, behind = text[:at], text[at + 1 :]
    edits = [before + letter + text[at:], before + behind, before + letter + behind]
    if behind[:1].isalpha():
        edits.append(before + behind[0] + text[at] + behind[1:])
    return rng.choice(edits)


@cache
def legal(number: int) -> frozenset[object]:
    """What the writer of an entry may order."""
    entry = entries()[number]
    listed = given_options(
        rules_of(entry["variant"]), PhaseKind(entry["phase"]), position_of(entry), entry["power"], None
    )
    return frozenset(map(Judge(entry).key, listed))


def says_another_thing(entry: dict[str, Any], text: str) -> bool:
    """Is a new word of the text a name or a word of orders, or too short to tell?"""
    book = rules_of(entry["variant"]).derive(Wordbooks).of("en")
    tables = (book.says, book.kinds, book.powers, book.places.names)
    new = set(key(text).split()) - set(key(entry["text"]).split())
    return not new or any(len(word) < 3 or any(word in table for table in tables) for word in new)


def edited(number: int, seed: int) -> Iterator[tuple[dict[str, Any], str]]:
    """So many orders as people write them, with one or two slips of the pen, and what they mean."""
    rng = random.Random(seed)
    single = [n for n, e in enumerate(entries()) if len(e["means"] or ()) == 1 and e["text"].isprintable()]
    while number:
        entry = entries()[at := rng.choice(single)]
        (meant,), text = entry["means"], entry["text"]
        order = rules_of(entry["variant"]).notation.read(meant, PhaseKind(entry["phase"]))
        for _ in range(rng.choice((1, 2))):
            text = edit(rng, text) if any(map(str.isalpha, text)) else text
        if "<" not in text and Judge(entry).key(order) in legal(at) and not says_another_thing(entry, text):
            number -= 1
            yield {**entry, "text": text}, meant


@pytest.mark.bulk
@pytest.mark.together
@short_and_long("number", 80, 400)
def test_orders_with_slips_are_read_or_hinted_at(number: int) -> None:
    """Of orders with one or two slips more than 85 in 100 are read or named in the first hint, and none is misread."""
    found = [(entry["text"], verdict(entry, meant)) for entry, meant in edited(number, SEED)]
    counted = Counter(how for _, how in found)
    assert [text for text, how in found if how == "misread"] == []
    assert counted["read"] + counted["right"] >= 0.85 * number
    assert counted["right"] >= 0.75 * (number - counted["read"])


FRANCE = {"France": ["A Par", "A Mar", "F Bre", "F Mao", "F Eng"], "Germany": ["A Mun", "A Bel"]}
WINTER = {"England": ["F Nth", "A Nwy"], "France": ["F Bre", "A Gas"]}
CLANS = {"Campbell": ["A 56", "A 36", "A/BB o"], "England": ["A 90", "A/F ff"]}
SLIPS: dict[str, tuple[str, str, dict[str, list[str]], dict[str, str]]] = {
    # variant, phase, the units (the writer's first), and what is written with what is meant
    "names": ("standard", "movement", FRANCE, {
        "A Praiss - Brugnudy": "A Par - Bur", "A Parr - Bugrundy": "A Par - Bur", "A Marsiels - Spian": "A Mar - Spa",
        "APariss-Burgund": "A Par - Bur", "A Paarriis - Burrguunddy": "A Par - Bur",
        "A Paris - Burgundee": "A Par - Bur", "F Mid-Atlantik Okean - Nort Afrika": "F Mao - Naf",
    }),
    "codes": ("standard", "movement", FRANCE, {
        "A Pra - Bru": "A Par - Bur", "F Moa - A Iir": "F Mao - Iri", "Mra S Pra - Gsa": "A Mar S A Par - Gas",
    }),
    "verbs": ("standard", "movement", FRANCE, {
        "A Paris holsd": "A Par H", "A Pariss hodls": "A Par H",
        "A Marseilles supprots A Paris into Burgudy": "A Mar S A Par - Bur",
        "F English Chanel cnovoys A Belgiom to Walse": "F Eng C A Bel - Wal",
        "F English Chanel lifts A Belgium over to Walse": "F Eng C A Bel - Wal",
        "A Marseile lends its weight to A Pariss in Gascnoy": "A Mar S A Par - Gas",
    }),
    "sentences": ("standard", "movement", FRANCE, {
        "A Paaris is kindly asked to betake itself to Burgudny": "A Par - Bur",
        "I would love F Brset to finish up in Picadry today": "F Bre - Pic",
        "A Pariss rückt ein nach Burgudn": "A Par - Bur", "A Paaris file droit vers Bourgongne": "A Par - Bur",
        "A Parsi trekt naar Brugundy": "A Par - Bur",
    }),
    "marks": ("standard", "movement", FRANCE, {
        "-> 4.) A Parsi ===> Burgnudy !!": "A Par - Bur", "A Parsi |-> Burgnudy": "A Par - Bur",
        "A Parsi -!- Burgnudy": "A Par - Bur",
    }),
    "builds": ("standard", "adjustments", WINTER, {
        "Biuld F Lonodn": "Build F Lon", "bulid A Liverpol": "Build A Lvp", "assemble F Edinbrugh": "Build F Edi",
        "Wiave biuld": "Waive",
    }),
    "removals": ("standard", "adjustments", {"France": ["F Bre", "A Gas", "A Stp"]}, {
        "Reomve A Gacsony": "Remove A Gas", "dismiss A Gacsony": "Remove A Gas", "send home F Brset": "Remove F Bre",
        "dismiss A St. Peterbsurg": "Remove A Stp",
    }),
    "numbers": ("scottomacy", "movement", CLANS, {
        "A 56 (Bothewll Caslte) ~~> 55 (Stirlign Castle)": "A 56 - 55",
        "A 36 (Donue Castel) shall wander over to 35 (Corgraff Castle)": "A 36 - 35",
    }),
}  # fmt: skip


@pytest.mark.parametrize("kind", SLIPS)
def test_what_is_meant_is_read_or_named_first(kind: str) -> None:
    """Whatever is misspelt, the line is read as it is meant, or the first hint is what is meant."""
    variant, phase, units, texts = SLIPS[kind]
    base = {"variant": variant, "phase": phase, "units": units, "power": next(iter(units))}
    found = {text: verdict({**base, "text": text}, meant) for text, meant in texts.items()}
    assert {text: how for text, how in found.items() if how not in ("read", "right")} == {}


# -- what resembles no order -------------------------------------------------------------------------------------------

NOISE = """
Hi GM, here are my moves
Greetings from a rainy Edinburgh
Back from Rome, very tired
I flew from Paris to Rome
PRESS FROM BERLIN TO ALL
SET PRESS GREY
SIGNON France secret
Den here, back soon
Gas bill is due
Tun of beer
Bud, it was fun
War is hell
Rum and coke all round
A demain
A plus
A. Smith
S
Cc: all
Merci d'avance
Aquí están mis órdenes
Bis bald
Schöne Grüße aus Wien
Attack is the best defence
The best move is no move
All quiet on the western front
We build on sand
Sent via mobile
Fleet week is coming
Armies of the night
I hope this holds
Support me next turn and I will support you
Order of the day
London to Brighton run
Poor old Turkey
--
https://example.org/game/17
""".strip("\n").split("\n")  # fmt: skip


@pytest.mark.bulk
@pytest.mark.parametrize("text", NOISE)
@short_and_long("positions", 1, 3)
def test_noise_is_no_order_and_gets_no_hint(text: str, positions: int) -> None:
    """Greetings, signatures and sayings are no orders in any game, whatever names of places are in them."""
    seen: dict[tuple[str, str], int] = {}
    for entry in entries():
        seen[entry["variant"], entry["phase"]] = at = seen.get((entry["variant"], entry["phase"]), 0) + 1
        if at <= positions:
            found = read({**entry, "text": text})
            assert not found.orders, entry["id"]
            assert [no.hint for no in found.refused if no.hint.startswith("did you mean")] == [], entry["id"]
