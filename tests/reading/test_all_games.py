"""Rules of reading, in each of the seven games: dashes about verbs, headings that stop, bare units, and conditions."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import pytest

from gamesmaster.judge.legal import given_options
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.players import Heuristic, Match, play
from gamesmaster.reading import OrderSheet, Situation, read
from gamesmaster.variant import find_variant
from tests.reading.corpus import rules_of

pytestmark = [pytest.mark.bulk, pytest.mark.together]

GAMES = ("standard", "indianomacy", "indianomacy2", "scottomacy", "cline9", "conquest2", "1000ad")
ORDERS_OF_EACH_KIND = 12
YEARS = 3
LETTERS = {Verb.SUPPORT: "S", Verb.CONVOY: "C"}
NO_CONVOYS = frozenset({"indianomacy", "indianomacy2", "scottomacy", "conquest2"})  # armies go by boat there
FOR_ANOTHER_TIME = (
    "Retreats:", "If dislodged:", "Fall 2525:", "Old orders (do not use):", "Plan B:",
    "Draft:", "Rückzüge:", "Ordres de l'an dernier :", "Retiradas:", "Se sono sloggiato:",
)  # fmt: skip
FOR_NOW = ("My orders:", "Dear GM,", "Orders:", "Hello,\nhere are my orders for this season:", "Meine Befehle:")


@cache
def played(variant: str) -> Match:
    """Some years of a game, so that powers have many units, which meet others."""
    players = [Heuristic()] * len(rules_of(variant).powers)
    return play(find_variant(variant), players, seed=11, until=start_year(variant) + YEARS)


def start_year(variant: str) -> int:
    """The year of a game's first phase."""
    return find_variant(variant).calendar.first.year


class Stand(NamedTuple):
    """A position of a game that was played, and a power that has much to choose from there."""

    situation: Situation
    power: str
    orders: tuple[Order, ...]
    movers: int  # how many units may move


@cache
def stand(variant: str) -> Stand:
    """The position and power with the most kinds of orders, and the most units, of a game."""
    rules, calendar, found = rules_of(variant), find_variant(variant).calendar, []
    for record in played(variant).game.records:
        if record.phase.kind is PhaseKind.MOVEMENT:
            situation = Situation(rules, PhaseKind.MOVEMENT, record.position, calendar.season(record.phase))
            for power in rules.powers:
                listed = tuple(given_options(rules, PhaseKind.MOVEMENT, record.position, power))
                movers = len({order.at for order in listed if order.verb is Verb.MOVE})
                found.append(Stand(situation, power, listed, movers))
    return max(found, key=lambda one: (len({order.verb for order in one.orders}), one.movers))


def sheet_of(variant: str, text: str, kind: PhaseKind = PhaseKind.MOVEMENT) -> OrderSheet:
    """What the reader makes of a letter of that power."""
    chosen = stand(variant)
    return read(replace(chosen.situation, kind=kind), chosen.power, text)


def moves(variant: str) -> list[str]:
    """A legal move for each unit that has one, as it is printed."""
    found = {order.at: order for order in stand(variant).orders if order.verb is Verb.MOVE and not order.via}
    return [rules_of(variant).notation.write(order) for order in found.values()]


@pytest.mark.parametrize("variant", GAMES)
def test_dashes_about_a_verb(variant: str) -> None:
    """A letter for what a unit does may stand between dashes."""
    notation = rules_of(variant).notation
    for verb, letter in LETTERS.items():
        wanted = [order for order in stand(variant).orders if order.verb is verb]
        assert wanted or (verb is Verb.CONVOY and variant in NO_CONVOYS)
        for order in random.Random(7).sample(wanted, min(len(wanted), ORDERS_OF_EACH_KIND)):
            text = notation.write(order).replace(f" {letter} ", f" -{letter}- ", 1)
            (found,) = sheet_of(variant, text).orders
            assert replace(found, of_power="") == replace(order, of_power=""), text


@pytest.mark.parametrize("variant", GAMES)
def test_headings_stop(variant: str) -> None:
    """Orders below words for another time are none of this phase; the answer quotes them."""
    listed = moves(variant)
    for heading in FOR_ANOTHER_TIME:
        sheet = sheet_of(variant, "\n".join([heading, *listed]))
        assert (sheet.orders, sheet.stored()) == ((), ()), heading
        later = [line for section in sheet.later for line in section.lines]
        assert {line.text for line in (*sheet.passed_over, *later)} >= set(listed), heading


@pytest.mark.parametrize("variant", GAMES)
def test_greetings_do_not_stop(variant: str) -> None:
    """Greetings and plain headings leave every order below them."""
    listed = moves(variant)
    for heading in FOR_NOW:
        sheet = sheet_of(variant, "\n".join([heading, "", *listed]))
        assert [rules_of(variant).notation.write(order) for order in sheet.orders] == listed, heading


@pytest.mark.parametrize("variant", GAMES)
def test_bare_units_are_no_removals(variant: str) -> None:
    """A list of units in Winter, with or without a greeting, removes nobody."""
    chosen = stand(variant)
    units = [f"{unit.kind} {unit.at.province}" for unit in chosen.situation.position.of(chosen.power)]
    for text in ("\n".join(units), ", ".join(units), "My units:\n" + "\n".join(units), units[0]):
        sheet = sheet_of(variant, text, PhaseKind.ADJUSTMENTS)
        assert not [order for order in sheet.orders if order.verb is Verb.REMOVE], text


@pytest.mark.parametrize("variant", GAMES)
def test_conditions_are_no_orders(variant: str) -> None:
    """No part of a conditional block is an order."""
    one, *others = moves(variant)
    for block in (
        f"if they attack me\n{one}\nelse\n{others[0]}\nendif",
        f"IF {others[-1]} THEN {one} ELSE {others[0]}",
        f"If they attack, {one}, otherwise {others[0]}.",
    ):
        sheet = sheet_of(variant, block)
        assert not sheet.orders, block
