"""Classes of letters that were once read wrongly or not at all, each with what counts for the phase."""

from __future__ import annotations

import pytest

from gamesmaster.orders import PhaseKind
from gamesmaster.reading import OrderSheet, Situation, read
from tests.reading.corpus import position_of, rules_of

FRENCH = ["A PAR", "A MAR", "F BRE", "F MAO"]
BUR, ENG, HELP = "A Par - Bur", "F Bre - Eng", "A Mar S A Par - Bur"


def sheet(
    text: str, units: list[str], phase: str = "movement", owned: list[str] | None = None, variant: str = "standard"
) -> OrderSheet:
    """What the first power named in a position says, which has these units and centres."""
    power = {"standard": "France", "conquest2": "England", "scottomacy": "England"}[variant]
    centers = {"centers": {power: owned}} if owned else {}
    entry = {"variant": variant, "phase": phase, "units": {power: units}, **centers}
    return read(Situation(rules_of(variant), PhaseKind(phase), position_of(entry)), power, text)


def orders(found: OrderSheet, variant: str = "standard") -> list[str]:
    """The orders of a sheet as they are printed."""
    return [rules_of(variant).notation.write(order) for order in found.orders]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A Par - Bur\nA Mar supports Paris's move", [BUR, HELP]),
        ("A Par - Bur\nA Mar supports the attack from Paris", [BUR, HELP]),
        ("A Par - Bur\nA Mar unterstützt den Angriff aus Paris", [BUR, HELP]),
        ("A Par - Bur\nA Mar soutient l'attaque de Paris", [BUR, HELP]),
        ("A Par - Bur\nA Mar appoggia l'attacco di Parigi", [BUR, HELP]),
        ("A Par - Bur\nA Mar apoya el ataque de París", [BUR, HELP]),
        ("A Mar supports Paris's move", []),
        ("Paris attacks Burgundy supported by Marseilles.", [BUR, HELP]),
        ("Brest sails to the Channel with support from the Mid-Atlantic.", [ENG, "F Mao S F Bre - Eng"]),
        ("Brest slips into the Channel, and the Atlantic fleet supports it.", [ENG, "F Mao S F Bre - Eng"]),
        ("Let Paris take Burgundy, have Brest take the Channel.", [BUR, ENG]),
        ("Leave Marseilles where it is. Send Paris to Burgundy.", ["A Mar H", BUR]),
        ("My army in Paris should try to get to Burgundy this time.", [BUR]),
        ("Paris goes to Burgundy should Italy attack.", []),
        ("A Mar doesn't move. F Bre - Eng", ["A Mar H", ENG]),
        ("F Bre - Eng\nKeep Marseilles in mind.", [ENG]),
        ("A Par - Bur\nGermany keeps Munich, I keep Paris.", [BUR]),
        ("Attack on Burgundy from Paris is what Germany fears.", []),
        (
            "Paris and Marseilles both go to Burgundy. Brest and the Mid hold.",
            [BUR, "A Mar - Bur", "F Bre H", "F Mao H"],
        ),
        ("Everyone holds except Brest, which goes to the Channel.", [ENG, "A Par H", "A Mar H", "F Mao H"]),
        ("Both armies hold. F Bre - Eng", ["A Par H", "A Mar H", ENG]),
        ("Attack Burgundy from Italy. The rest hold.", ["A Par H", "A Mar H", "F Bre H", "F Mao H"]),
        ("A Par - Xyzxyz\nRest hold", ["A Mar H", "F Bre H", "F Mao H"]),
        ("L'armée de Paris entre en Bourgogne et la flotte de Brest vient en Manche.", [BUR, ENG]),
        ("F Manche - Mao, F Bre - Mer d'Irlnade", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    """A support may name a move by who makes it, and who helps may stand behind what is helped."""
    assert orders(sheet(text, FRENCH)) == expected


SETS = "{0} one:\nA Par - Bur\nF Bre - Eng\n\n{0} two:\nA Par - Pic\nF Bre - Gas\n\n"


@pytest.mark.parametrize(
    ("label", "words", "expected"),
    [
        ("Set", "Set two it is.", ["A Par - Pic", "F Bre - Gas"]),
        ("Option", "I'll go with option one.", [BUR, ENG]),
        ("Variante", "Ich nehme Variante two.", ["A Par - Pic", "F Bre - Gas"]),
        ("Option", "Please ignore option two.", []),
        ("Option", "Germany would play option two.", []),
        ("Option", "Which would you take, option one?", []),
    ],
)
def test_one_set_of_several_is_chosen(label: str, words: str, expected: list[str]) -> None:
    """Words that name one of several sets choose it, unless they doubt it or tell of somebody else."""
    assert orders(sheet(SETS.format(label) + words, FRENCH)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The hamster in its wheel:\nA Par - Bur\nF Bre - Eng", []),
        ("Quick ones from Italy:\nA Par - Bur\nF Bre - Eng", []),
        ("What his mother would play:\nA Par - Bur\nF Bre - Eng", []),
        ("R: A Par - Gas", []),
        (
            "Hope the tabs survive:\n\nUnit\tOrder\tIf hit\nA Par\tH\tGas\nA Mar\tS A Par\tSpa",
            ["A Par H", "A Mar S A Par"],
        ),
        ("IF Italy moves\nF Bre - Eng\n\nNot depending on anything:\nA Par - Bur", [BUR]),
        ("A Par - Bur\n\n--- RESULTS (below, for what it is worth) ---\nFrance:\nA Par - Pic OK", [BUR]),
        ("A Par - Bur\n\nPRESS\nLondon: I never said A Par - Pic.", [BUR]),
        ("A Par - Bur\nF Bre - Mao\nwait no. F Bre - Eng", [BUR, ENG]),
        ("# france.ord by hand\n# tried and dropped: A Par - Pic\nA Par - Bur\nF Bre - Eng", [BUR, ENG]),
        ("# Old: A Par - Pic\nF Bre - Eng", []),
        ("A Par - Pic   <- struck\nA Par - Bur\nF Bre - Mao (crossed out)\nF Bre - Eng", [BUR, ENG]),
        ("Francia (hoja con tachaduras, perdón)\nA Par - Bur", [BUR]),
        ("If Italy moves:\nF Bre - Eng\nCome what may:\nA Par - Bur", [BUR]),
        ("My moves don't hang on the answer:\nA Par - Bur", [BUR]),
        ("My moves hang on the answer:\nA Par - Bur", []),
        (
            '"A Par - Pic, F Bre - Gas" is what London would like to see. Not this year.\n\nA Par - Bur\nF Bre - Eng',
            [BUR, ENG],
        ),
        ('"A Par - Bur" is what London would like. A Par - Pic.', ["A Par - Pic"]),
    ],
)
def test_headings(text: str, expected: list[str]) -> None:
    """What is below results, press or a heading that is not understood is no order."""
    assert orders(sheet(text, FRENCH)) == expected


def test_retreats_go_on_behind_a_semicolon() -> None:
    """A second condition that only names the unit is for its retreat, and leaves its order as it is."""
    text = "A Par - Bur\nF Bre - Eng\nIf Paris is thrown out, A Par - Gas; if it is Brest, F Bre - Mao."
    found = sheet(text, FRENCH)
    assert orders(found) == [BUR, ENG]
    for condition in ("it is Germany that moves", "it is quiet"):
        other = sheet(f"{text.split(';')[0]}; if {condition}, F Bre - Mao.", FRENCH)
        assert orders(other) == [BUR]


@pytest.mark.parametrize(
    ("units", "owned", "text", "expected"),
    [
        (["A TUN"], ["BRE", "MAR"], "Mi tocca una flotta: a Brest", ["Build F Bre"]),
        (["A TUN"], ["BRE", "MAR"], "Costruzioni:\na Brest", []),
        (["A TUN"], ["BRE", "MAR"], "Costruzioni:\na Bre", ["Build A Bre"]),
        (["F GRE", "A SER"], ["TUN"], "I remove F Gre and A Ser", []),
        (["F GRE", "A SER", "A BUL"], ["TUN"], "I remove F Gre and A Ser", ["Remove F Gre", "Remove A Ser"]),
        (
            ["A TUN"],
            ["BRE", "MAR", "PAR"],
            "Una flota en Brest, otra flota en Marsella.",
            ["Build F Bre", "Build F Mar"],
        ),
        (
            ["A YOR", "F SKA", "F NTH"],
            ["EDI"],
            "Due in meno: via l'esercito dello Yorkshire e la flotta nello Skagerrak.",
            ["Remove A Yor", "Remove F Ska"],
        ),
        (
            ["A TUN"],
            ["BRE", "MAR", "PAR"],
            "Flotte in Brest. Auf den zweiten Bau verzichte ich.",
            ["Build F Bre", "Waive"],
        ),
    ],
)
def test_winters(units: list[str], owned: list[str], text: str, expected: list[str]) -> None:
    """No kind of unit is guessed from a preposition, and no more is removed in one breath than is due."""
    assert orders(sheet(text, units, "adjustments", owned)) == expected


@pytest.mark.parametrize(
    ("variant", "units", "text", "expected"),
    [
        ("conquest2", ["F ATL", "A ATL"], "F ATL H, A ATL E F ATL", ["F ATL H", "A ATL boards ATL"]),
        ("conquest2", ["F ATL"], "F ATL - BER, F ATL - ANT", []),
        ("conquest2", ["A CRL"], "Carolina to Virginia Sae", []),
        ("conquest2", ["A VIR"], "A Virgina - Ohoi", ["A VIR - OHI"]),
        ("scottomacy", ["A/F f"], "Army/fleet\nA/F f-h", ["A/F f - h"]),
        ("standard", ["F NTH"], "F Mer du Nrod - Mer de Norvège", ["F Nth - Nwg"]),
        ("standard", ["F MAO"], "F Mid-Altantic - Portgual", ["F Mao - Por"]),
    ],
)
def test_names(variant: str, units: list[str], text: str, expected: list[str]) -> None:
    """Units in one province have an order each, and no name is cut short to fit."""
    assert orders(sheet(text, units, variant=variant), variant) == expected


def test_a_line_of_all_powers_is_that_of_the_power_it_begins_with() -> None:
    """Semicolons and strokes do not end what is said of a power."""
    units = {"England": ["F NTH", "A YOR"], "Italy": ["A VEN"]}
    position = position_of({"variant": "standard", "phase": "movement", "units": units})
    text = "[England] F Nth - Nwy; A Yor - Edi\nItaly (Sue): A Ven H\n  if thrown out: A Ven - Tyr"
    found = read(Situation(rules_of("standard"), PhaseKind.MOVEMENT, position), "", text)
    read_as = {power: [str(line.order) for line in found.lines(power) if line.order] for power in units}
    assert read_as == {"England": ["F NTH - NWY", "A YOR - EDI"], "Italy": ["A VEN H"]}
