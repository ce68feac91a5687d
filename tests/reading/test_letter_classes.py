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


def ahead(found: OrderSheet) -> list[str]:
    """What is kept for later phases, as it is printed."""
    write = rules_of("standard").notation.write
    return [write(line.order) for part in found.later for line in part.lines if line.order]


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
        ("Keep Marseilles and the Mid secret from England please.\nF Bre - Eng", [ENG]),
        ("The army in Marseilles is to watch the one in Paris, which goes for Burgundy.", []),
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
        ("A Mar H\n\nWhat I feared this turn:\nA Par - Bur", ["A Mar H"]),
        ("Was ich befürchtet habe:\nA Par - Bur\n\nMeine Züge:\nA Mar H", ["A Mar H"]),
        ("What I am actually doing is this:\nA Par - Bur", [BUR]),
        ("The Lord of the Isles commands:\nA Par - Bur", [BUR]),
        ("Sa Majesté le Roi ordonne :\nA Par - Bur", [BUR]),
        ("Seine Majestät der Kaiser befiehlt:\nA Par - Bur", [BUR]),
        ("Su Majestad el Rey manda:\nA Par - Bur", [BUR]),
        ("Sua Maestà il Re comanda:\nA Par - Bur", [BUR]),
        ("The German Kaiser commands:\nA Par - Bur", []),
        ("Suggested moves for the French:\nA Par - Bur", [BUR]),
        ("Suggested moves for the Italians:\nA Par - Bur", []),
        ("Voici mes ordres au format demandé :\nA Par - Bur", [BUR]),
        ("Blauer Zettel (ungültig):\nA Par - Pic\n\nGelber Zettel (der gilt):\nA Par - Bur", [BUR]),
        ("A Par - Bur\nA Mar - Pie?? Strike it. A Mar H instead.", [BUR, "A Mar H"]),
        ("A Par - Pic  <-- no, scrap that: A Par - Bur", [BUR]),
        ("~A Par - Pic~\nF Bre - Eng", ["F Bre - Eng"]),
        ("A Par - Pic\n\nHmm, Picardy is silly. Make that Burgundy.", [BUR]),
        (
            "A Par - Bur\n\nP.S. Make that A Par - Pic.\nP.P.S. Oh, ignore the P.S., leave it as I first wrote it.",
            [BUR],
        ),
        ("A Par - Bur\n\nDoch nicht nach Burgund: Paris bleibt, wo es ist.", ["A Par H"]),
        ("A Par - Bur\n\nNote: I considered A Par - Pic but rejected it as too risky.", [BUR]),
        ("A Mar H\n\nWhat would happen if I did A Mar - Pie instead?", ["A Mar H"]),
        ("A Mar H\n\nCould you change A Mar H to A Mar - Pie?", []),
        ("A Par → Bur — puts pressure on Munich\nF Bre - Eng as always", [BUR, ENG]),
    ],
)
def test_headings(text: str, expected: list[str]) -> None:
    """What is below results, press or a heading that is not understood is no order."""
    assert orders(sheet(text, FRENCH)) == expected


WHOLE = [BUR, "A Mar H", ENG, "F Mao H"]
SET = "\n".join(WHOLE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"To business:\n{SET}", WHOLE),
        (f"Back from a marvellous weekend. To business: {SET.replace(chr(10), '; ')}.", WHOLE),
        ("\n".join(f"[21:0{at}] sofa_general: {order}" for at, order in enumerate(WHOLE)), WHOLE),
        ("21:01 <anna> orders, at last\n" + "\n".join(f"21:02 <anna> {order}" for order in WHOLE), WHOLE),
        ("To business:\nA Par - Bur", []),
        (f"My horoscope:\n{SET}\n\nI'll decide tomorrow.", []),
        ("Bob's mother:\nF Bre - Eng\n\nMy orders:\nA Par H", ["A Par H"]),
        (f"What he wants:\n{SET}", []),
    ],
)
def test_everything_that_was_sent_stands_below_one_strange_heading(text: str, expected: list[str]) -> None:
    """It counts if it is an order for every unit, and neither the heading nor the letter warns of it."""
    assert orders(sheet(text, FRENCH)) == expected


@pytest.mark.parametrize(
    "words",
    [
        "The others hold.", "Everyone else, sit tight.", "Los demás, quietos.", "Alle anderen: stehen bleiben.",
        "Gli altri fermi.", "Les autres ne bougent pas.", "A Mar, F Bre and F Mao hold.", "A Mar, F Bre, F Mao halten",
    ],
)  # fmt: skip
def test_other_units_hold(words: str) -> None:
    """Behind a comma, a colon, or in a list."""
    assert sorted(orders(sheet(f"A Par - Bur\n{words}", FRENCH))) == sorted([BUR, "A Mar H", "F Bre H", "F Mao H"])


@pytest.mark.parametrize(
    "words", ["Disband both", "Both of them disband.", "Beide auflösen, bitte.", "Les deux sont dissoutes.",
              "Disuelvo ambas.", "Entrambe si sciolgono."],
)  # fmt: skip
def test_both_units_disband(words: str) -> None:
    """If there are two."""
    for beaten in (["A BUR", "F BEL"], ["A BUR", "F BEL", "F MAO"]):
        entry = {"variant": "standard", "phase": "retreats", "units": {}, "dislodged": {"France": beaten}}
        found = read(Situation(rules_of("standard"), PhaseKind.RETREATS, position_of(entry)), "France", words)
        assert orders(found) == (["A Bur D", "F Bel D"] if len(beaten) == 2 else [])


@pytest.mark.parametrize(
    "words",
    [
        "And since I am off hiking: in the event that Marseilles is pushed out, it retreats to Gascony.",
        "Should Marseilles fall, the army goes to Gascony.",
        "Wird Marseille überrannt, weicht die Armee in die Gascogne aus.",
        "Si Marseille est prise, l'armée se replie en Gascogne.", "Se perdo Marsiglia, l'armata va in Guascogna.",
    ],
)  # fmt: skip
def test_a_unit_that_may_be_driven_out(words: str) -> None:
    """Its retreat is kept, and its order counts."""
    found = sheet(f"A Par - Bur\nA Mar H\n\n{words}", FRENCH)
    assert orders(found) == [BUR, "A Mar H"]
    assert [str(line.order) for section in found.later for line in section.lines] == ["A MAR - GAS"]


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
        (
            ["A TUN"],
            ["BRE", "MAR"],
            "So rule 4 applies: Build F Bre\n(The fleet sails as soon as it can.)",
            ["Build F Bre"],
        ),
        (["A YOR", "F SKA"], ["EDI"], "Eine Einheit muss weg, und zwar die Armee in Yorkshire.", ["Remove A Yor"]),
        (["A TUN"], ["BRE", "MAR"], "Eine neue Einheit steht mir zu: in Brest eine Flotte.", ["Build F Bre"]),
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


AUSTRIAN = ["A SER", "F GRE"]
TWO_BUILDS = {"units": AUSTRIAN, "centers": ["SER", "GRE", "VIE", "TRI", "BUD"]}
ONE_REMOVAL = {"units": [*AUSTRIAN, "A ROM"], "centers": ["SER", "GRE"]}


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("Build A Vie\nBuild A Tri\n\n...make Trieste a fleet, I've talked to Italy.", TWO_BUILDS, "A Vie, F Tri"),
        ("Build A Vie\nBuild A Tri\nIn Trieste lieber eine Flotte.", TWO_BUILDS, "A Vie, F Tri"),
        ("Build A Vie\nBuild F Tri\nInstead of the fleet in Trieste, an army in Budapest.", TWO_BUILDS, "A Vie, A Bud"),
        ("Two up! One army, one fleet:\nthe army in Vienna\nthe fleet in Trieste", TWO_BUILDS, "A Vie, F Tri"),
        ("Une armée et une flotte :\nl'armée à Vienne\nla flotte à Trieste", TWO_BUILDS, "A Vie, F Tri"),
        ("Build A Vie\nGreetings from Trieste", TWO_BUILDS, "A Vie"),
        ("I have to lose one. It's got to be Greece, it is too far from anywhere.", ONE_REMOVAL, "F Gre"),
        ("Je dois dissoudre une unité : ce sera la flotte en Grèce, les autres restent.", ONE_REMOVAL, "F Gre"),
        ("Devo perderne una. Sarà la Grecia.", ONE_REMOVAL, "F Gre"),
        ("To be struck off:\nF Gre", ONE_REMOVAL, "F Gre"),
        ("I must remove one. I visited Greece once.", ONE_REMOVAL, ""),
        ("I must remove one. Rome is far, Serbia is near.", ONE_REMOVAL, ""),
        ("Removals: Rome.\nGreetings from Serbia", ONE_REMOVAL, "A Rom"),
    ],
)
def test_winters_in_several_sentences(text: str, position: dict[str, list[str]], expected: str) -> None:
    """What the first sentence announces the next may name; a correction may change the kind of a unit built."""
    entry = {"variant": "standard", "phase": "adjustments", "units": {"Austria": position["units"]}}
    here = position_of({**entry, "centers": {"Austria": position["centers"]}})
    found = read(Situation(rules_of("standard"), PhaseKind.ADJUSTMENTS, here), "Austria", text)
    assert ", ".join(text.split(" ", 1)[1] for text in orders(found)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sevastopol retreats to the Ukraine.\nGreetings from Moscow", "Ukr"),
        ("Grüße aus Moskau\nA Sev - Ukr", "Ukr"),
        ("Sebastopol se retira a Ucrania.\nSaludos de Moscú", "Ukr"),
        ("Back to Ukraine please, not Moscow", "Ukr"),
        ("A Sev - Ukr\nSorry, Moscow instead", "Mos"),
        ("Ukraine. Nein, doch lieber Moskau.", "Mos"),
        ("Ukraine or Moscow, you choose", ""),
    ],
)
def test_a_retreat_goes_to_no_place_that_somebody_writes_from(text: str, expected: str) -> None:
    """A unit has one retreat, which only a correction changes."""
    entry = {"variant": "standard", "phase": "retreats", "units": {}, "dislodged": {"Russia": ["A SEV"]}}
    found = read(Situation(rules_of("standard"), PhaseKind.RETREATS, position_of(entry)), "Russia", text)
    assert orders(found) == [f"A Sev - {expected}"] * bool(expected)


OWN, CHANGED = [BUR, "A Mar - Spa", ENG], ["A Mar - Spa", ENG, "A Par - Pic"]
LISTED = "\n".join(OWN)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{LISTED}\n\nEdito: al final cambio la primera, será A Par - Pic. Las demás, igual.", CHANGED),
        (f"{LISTED}\n\nGah: I changed my mind, A Par - Pic", CHANGED),
        (f"{LISTED}\n\nNB: Germany asked me to change A Par - Pic", OWN),
        (f"Ignore my mail from an hour ago (the one with A Par - Pic), use this set:\n\n{LISTED}", OWN),
        (f"Vergiss die Mail von vor einer Stunde, nimm diesen Satz:\n{LISTED}", OWN),
        (f"Use this set, not the one from an hour ago:\n{LISTED}", OWN),
        ("a par-bur\nf bre-mao - no sorry, f bre-eng\na mar-spa", [BUR, ENG, "A Mar - Spa"]),
        ("a par-bur\nf bre-mao (no sorry, f bre-eng)\na mar-spa", [BUR, ENG, "A Mar - Spa"]),
        (f"{LISTED}\n\nLet me know if you'd like me to revise any of these.", OWN),
        ("F Bre - Eng, with A Par - Bur to make room", [ENG, BUR]),
        ("A Par - Bur to put pressure on Munich, A Mar - Spa to take the centre", [BUR, "A Mar - Spa"]),
        ("A Par - Bur pour faire de la place, A Mar - Spa", [BUR, "A Mar - Spa"]),
        ("A Par - Bur – A quiet move\nF Bre H – Keeps the neighbours guessing", [BUR, "F Bre H"]),
        (f"We stand at:\nA Par\nA Mar\nF Bre\n\nCables sent to the front:\n{LISTED}", OWN),
        (f"Voici ce qu'ils doivent faire :\n{LISTED}", OWN),
        (f"The Marshal to his generals:\n{LISTED}", OWN),
        (f"Bob's homework:\n{LISTED}", []),
        (f"Copied from the forum:\n{LISTED}", []),
        (f"Pour rire :\n{LISTED}", []),
        (f"Meine Witze:\n{LISTED}", []),
        (f"This is what he must do:\n{LISTED}", []),
        (
            "<table><tr><th>Unit</th><th>Order</th></tr><tr><td>A Par</td><td>A Par - Bur</td></tr>"
            "<tr><td>F Bre</td><td>F Bre - Eng</td></tr></table>",
            [BUR, ENG],
        ),
    ],
)
def test_what_is_said_around_the_orders(text: str, expected: list[str]) -> None:
    """Headings, corrections, reasons, offers and tables, in several languages."""
    assert orders(sheet(text, ["A PAR", "A MAR", "F BRE"])) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{LISTED}\n\nErr, hold on. I misread the map: A Par - Pic is what I need, the rest is fine.", OWN[1:]),
        (f"{LISTED}\n\nOh no. Not Burgundy! Picardy. Sorry, long day.", OWN[1:]),
        (f"{LISTED}\n\nMoment, Kommando zurück bei Paris: doch lieber nach Picardie.", OWN[1:]),
        (f"{LISTED}\n\nScrap all that, my daughter has found a better plan:\nA Par H\nA Mar H\nF Bre H", []),
        (f"{LISTED}\n\nThen, in the autumn, I'd follow up with\nA Par - Pic", OWN),
        (f"{LISTED}\n\nParis is not in danger.", OWN),
    ],
)
def test_an_order_is_in_doubt_if_what_changes_it_is_not_understood(text: str, expected: list[str]) -> None:
    """The older order of a unit does not count only because the newer one could not be read."""
    assert orders(sheet(text, ["A PAR", "A MAR", "F BRE"])) == expected


def test_nothing_is_built_if_a_build_is_taken_back_for_none() -> None:
    """The last word counts, also where it is to build nothing."""
    text = "Build A Par\n\nWait, make it nothing at all."
    assert orders(sheet(text, ["F BRE"], "adjustments", ["PAR", "BRE"])) == ["Waive"]


SPA, HOLD = "A Mar - Spa", "A Mar H"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("par-bur mar-spa bre-eng. sorry for the terse mail, on the bus", OWN),
        ("A Par - Bur. Désolé pour la brièveté.", [BUR]),
        ("A Par - Bur. No hard feelings. F Bre - Eng", [BUR, ENG]),
        ("Hi all, hi GM - Par: to Bur. Mar: to Spa. Bre: to Eng. (Germany: nothing personal.)", OWN),
        ("Par: to Bur. If Italy attacks, Mar: to Spa.", [BUR]),
        ("The army leaves Paris for Burgundy, and the fleet leaves Brest for the Channel.", [BUR, ENG]),
        ("La flotte quitte Brest pour la Manche.", [ENG]),
        ("Paris leaves Burgundy to Germany.", []),
        ("Paris may try Burgundy (knocking politely).", [BUR]),
        ("Paris may have gone to Burgundy.", []),
        ("Marseilles goes home to Paris.", ["A Mar - Par"]),
        ("A Par - Bur to follow up.", [BUR]),
        ("A Par - Bur to see whether Germany minds.", []),
        ("North: Par to Bur.\nSouth: Mar to Spa.\nAt sea:\nBre - Eng", OWN),
        ("The northern fleet: Brest to the Channel.", [ENG]),
        ("Germany's north: A Par - Bur", []),
        ("He is out of Burgundy, so yes, attack: A Par - Bur", [BUR]),
        ("Germany is out of Burgundy, so yes, attack: A Par - Bur", []),
        ("Germany and I agreed on the phone, he goes A Mun - Tyr, me:\nA Par - Bur", [BUR]),
        ("What Germany wants from me:\nA Par - Bur", []),
        ("all three of my units hold. I'm only sulking.", ["A Par H", HOLD, "F Bre H"]),
        ("Alle drei Einheiten halten.", ["A Par H", HOLD, "F Bre H"]),
        ("All four units hold.", []),
        ("A Par - Bur\nAll three of my units hold.", [BUR]),
        ("=== automatic report ===\nA Par-Pic (bounce)\n=== end of report ===\n\nParis to Burgundy.", [BUR]),
        ("--- From Germany ---\nYou could do A Par - Pic.\n--- end ---\nNo.\n\nA Par - Bur", [BUR]),
        ("A Par - Bur\n\n|| Ticket 4471\n|| Set 2 received 10:02:\n|| A Par - Pic", [BUR]),
        ("A Par - Bur\n\n> It's here: A Par - Pic\nScrap that older line, see above.", [BUR]),
        ("A Par - Bur\nF Bre - Eng\nScrap that line.", []),
        ("A Mar H\n\nI considered A Mar - Pie as well, but that would annoy Italy.", [HOLD]),
        ("A Mar H\n\nHaving considered everything, A Mar - Pie", []),
        ("unit;type;order;target\nPar;A;move;Bur\nBre;F;move;Eng\n\n(from my spreadsheet)", [BUR, ENG]),
        ("unit,type,order,target\nPar,A,move,Bur\nMar,A,hold,", [BUR, HOLD]),
        ("A Par;A Mar;F Bre\nA Bel;A Hol;F Lon", []),
        ("*sigh* A Par to Burgundy.", [BUR]),
    ],
)
def test_an_order_is_not_lost_for_what_stands_beside_it(text: str, expected: list[str]) -> None:
    """Chatter, headings and reports touch no order, and no order is made of them."""
    assert orders(sheet(text, ["A PAR", "A MAR", "F BRE"])) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Scrap the second one: Marseilles goes to Piedmont.", [BUR, ENG, "A Mar - Pie"]),
        ("Die zweite Zeile streichen: A Mar - Pie", [BUR, ENG, "A Mar - Pie"]),
        ("The second one is wrong: A Mar H", [BUR, ENG, HOLD]),
        ("Strike line 2: it was for my other game.", [BUR, ENG]),
        ("--\nPS: strike the Marseilles order. A Mar - Pie is the one for this game.", [BUR, ENG, "A Mar - Pie"]),
        ("--\nAnna\nA Mar - Pie", OWN),
        ("Oh bother. Marseilles stays where it is.", [BUR, ENG, HOLD]),
        ("Marseilles stays where it is.", [BUR, ENG]),
    ],
)
def test_what_is_taken_back_below_the_orders(text: str, expected: list[str]) -> None:
    """A line is named by its number, and what stands behind a colon replaces it."""
    assert orders(sheet(f"{LISTED}\n\n{text}", ["A PAR", "A MAR", "F BRE"])) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F Bre S ... no, F Bre - Eng", [ENG]),
        ("f bre supports a par .. no, - channel", [ENG]),
        ("F Bre S A Mar - Spa -- no!! it can't reach. F Bre - Eng", [ENG]),
        ("A Par - Bur. No, Picardy.", ["A Par - Pic"]),
        ("A Par - Bur?? No wait, he expects that. A Par - Pic", ["A Par - Pic"]),
        ("A Par S A Mar\nA Mar - Spa\nno wait, Marseilles leaves. So A Par H.", [SPA, "A Par H"]),
        ("A Par - Bur. Only if Germany agrees.", []),
        ("A Par - Bur. (Only if Germany agrees.)", []),
        ("Brest to the Channel, and the Mid-Atlantic backs it up.", [ENG, "F Mao S F Bre - Eng"]),
    ],
)
def test_what_is_taken_back_at_once(text: str, expected: list[str]) -> None:
    """The last word counts, and what is not understood is asked about."""
    assert orders(sheet(text, FRENCH)) == expected


@pytest.mark.parametrize(
    ("text", "units", "expected"),
    [
        ("A Con - Bul. A Smy - Con. F Ank - Bla.", ["A CON", "A SMY", "F ANK"], 3),
        ("ank-bla con-bul smy-con", ["A CON", "A SMY", "F ANK"], 3),
        ("F Bla - Con. A Sev - Rum", ["F BLA", "A SEV"], 2),
        ("F Aeg -con- A Smy - Gre", ["F AEG", "A SMY"], 1),
    ],
)
def test_a_place_that_is_a_word_for_a_convoy(text: str, units: list[str], expected: int) -> None:
    """Constantinople behind a dash is where somebody goes, unless a dash is behind it, too."""
    assert len(sheet(text, units).orders) == expected


def test_the_landing_of_a_convoyed_army_is_supported() -> None:
    """A support "of the landing" is none of the fleet that convoys."""
    entry = {"variant": "standard", "phase": "movement", "units": {"England": ["A YOR", "F NTH", "F ENG"]}}
    text = "Yorkshire takes the boat to Belgium: the North Sea convoys it, and the Channel fleet supports the landing."
    found = read(Situation(rules_of("standard"), PhaseKind.MOVEMENT, position_of(entry)), "England", text)
    assert orders(found)[-1] == "F Eng S A Yor - Bel"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Build F Bre\nI don't use the other one, waive", ["Build F Bre", "Waive"]),
        ("Paris then, an army. (I said F Bre on the phone, but that's off.)", ["Build A Par"]),
    ],
)
def test_builds_in_words(text: str, expected: list[str]) -> None:
    """A sentence in brackets stands for itself, and what is not used is waived."""
    assert orders(sheet(text, ["A BUR"], "adjustments", ["PAR", "BRE", "MAR"])) == expected


def test_units_go_back_into_the_box() -> None:
    """They are removed in Winter."""
    text = "The army in Marseilles and the fleet in the Channel go back into the box. Paris is my last stand."
    assert orders(sheet(text, ["A PAR", "A MAR", "F ENG"], "adjustments", ["PAR"])) == ["Remove A Mar", "Remove F Eng"]


@pytest.mark.parametrize(
    "text",
    [
        "Retreat for A Par in case Germany gets ideas: A Par - Gas.",
        "I'm away hiking, so in advance: should anybody kick me out of Paris, that army runs to Gascony.",
    ],
)
def test_a_retreat_is_kept_whoever_may_cause_it(text: str) -> None:
    """Its heading may name another power, or say why it is sent ahead."""
    (kept,) = sheet(f"A Mar - Spa\n\n{text}", ["A PAR", "A MAR"]).later
    assert [str(line.order) for line in kept.lines] == ["A PAR - GAS"]


def test_a_place_behind_the_name_of_a_beaten_unit() -> None:
    """The unit goes there."""
    entry = {"variant": "standard", "phase": "retreats", "units": {}, "dislodged": {"Turkey": ["A BUL", "F AEG"]}}
    text = "Armee Bulgarien zieht sich nach Rumänien zurück. Für die Flotte in der Ägäis: östliches Mittelmeer."
    found = read(Situation(rules_of("standard"), PhaseKind.RETREATS, position_of(entry)), "Turkey", text)
    assert orders(found) == ["A Bul - Rum", "F Aeg - Eas"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The generals report:\nA Par - Bur\nF Bre - Eng", [BUR, ENG]),
        ("To my marshals:\nA Par - Bur", [BUR]),
        ("End of turn report:\nA Par - Bur", []),
        ("Germany's generals report:\nA Par - Bur", []),
        ("Second and last attempt (forget the first one, including A Par - Pic):\nA Par - Bur", [BUR]),
        ("Hi, busy day, so I will be brief: Paris to Burgundy. If anybody asks, I know nothing.", [BUR]),
        ("Hallo, viel los hier, ich fasse mich kurz: Paris nach Burgund, Marseille hält.", [BUR, HOLD]),
        ("Salut! Semaine chargée, je serai bref : Paris en Bourgogne, Marseille tient.", [BUR, HOLD]),
        ("Hi, busy day, so I will be brief: Paris to Burgundy if Italy agrees.", []),
        ("Attack on Burgundy, both orders as the rules demand:\nA Par - Bur\nA Mar S A Par - Bur", [BUR, HELP]),
        ("Convoy to Spain:\nA Mar - Spa", [SPA]),
        ("Attack on Burgundy, if Germany leaves:\nA Par - Bur", []),
        ("Germany's attack on Burgundy:\nA Par - Bur", []),
        ("Attack on Burgundy that I fear:\nA Par - Bur", []),
        ("Frnace's ordres:\nA Par - Bur", [BUR]),
        ("Grence:\nA Par - Bur", []),
        ("A Par - Bur ;-)\nA Mar - Spa :)\nF Bre - Eng. See you in the spring :-D", OWN),
        ("For now it's A Par - Bur, A Mar - Spa and F Bre - Eng.", OWN),
        ("Perhaps it's A Par - Bur, A Mar - Spa and F Bre - Eng.", []),
        ("A Par - Bur\nF Bre - Eng\n(Germany is supposed to play F Kie - Den with A Mun - Ruh.)", [BUR, ENG]),
        ("A Par is supposed to go to Burgundy.", []),
        ("F Bre - Eng\nMaybe the fleet stays.", []),
        ("The Parisian army goes to Burgundy.", [BUR]),
        ("The Prussian army goes to Burgundy.", []),
    ],
)
def test_headings_and_remarks_that_touch_no_order(text: str, expected: list[str]) -> None:
    """What announces the orders lets them count, and what is said of others casts no doubt on them."""
    assert orders(sheet(text, ["A PAR", "A MAR", "F BRE"])) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("If anybody stands in Burgundy, Paris bounces, I know.", [BUR]),
        ("If the Germans come to Burgundy, Paris gets nowhere, too bad.", [BUR]),
        ("If anybody stands in Burgundy, A Par - Pic instead, I know.", []),
        ("If Germany moves, Paris stays, too bad.", []),
        ("If Germany moves, Paris stays.", []),
    ],
)
def test_what_may_happen_to_an_order_is_no_condition_of_it(text: str, expected: list[str]) -> None:
    """Its writer knows and sends it all the same; another order for the unit is asked about."""
    assert orders(sheet(f"A Par - Bur\n{text}", ["A PAR", "A MAR", "F BRE"])) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("And A Mar - Spa, that's for sure.", [SPA]),
        ("A Mar - Spa in any case.", []),
        ("A Mar - Spa (regardless)", [SPA]),
        ("A Mar - Spa, come what may.", [SPA]),
        ("A Mar - Spa, not for sure.", []),
        ("And A Mar - Spa.", []),
    ],
)
def test_an_order_that_is_certain_below_a_condition(text: str, expected: list[str]) -> None:
    """It counts if it says so."""
    above = "Depends:\n  if Germany leaves: A Par - Bur\n  if not: A Par - Pic\n"
    assert orders(sheet(above + text, ["A PAR", "A MAR", "F BRE"])) == expected


def test_answers_between_the_lines_of_a_quotation() -> None:
    """Each ends at the next quotation, and what stays is an order."""
    told = "On 3/11/25 22:40, GM wrote:\n> A Par - Pic\n{}\n> F Bre - Eng\n{}\n> A Mar: nothing received\nA Mar H."
    own = ["A PAR", "A MAR", "F BRE"]
    text = told.format("No, a joke. A Par - Bur.", "Right, that one stays: F Bre - Eng")
    assert orders(sheet(text, own)) == [BUR, ENG, HOLD]
    text = told.format("What Germany would like: A Par - Bur", "Right, this one stays: F Bre - Eng")
    assert orders(sheet(text, own)) == [ENG, HOLD]


BUILT = "Build A Par\nBuild F Bre\n\n"
OTHER, FLEET = "Build A Mar", "Build F Bre"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Edit: make it Marseilles instead of Paris. Brest is fine.", [FLEET, OTHER]),
        ("Correction : Marseille au lieu de Paris.", [FLEET, OTHER]),
        ("Korrektur: Marseille statt Paris.", [FLEET, OTHER]),
        ("A fleet in Marseilles instead of Brest.", ["Build A Par", "Build F Mar"]),
        ("Edit: Paris instead of Marseilles.", []),
        ("I thought of Marseilles instead of Paris.", []),
        ("Italy would like Marseilles instead of Paris.", []),
        ("Maybe Marseilles instead of Paris.", []),
    ],
)
def test_another_place_for_a_build(text: str, expected: list[str]) -> None:
    """It replaces the one that it is named instead of; a wish or a thought is asked about."""
    owned = ["PAR", "BRE", "MAR", "SPA", "POR"]
    assert orders(sheet(BUILT + text, ["A BUR", "A SPA", "F POR"], "adjustments", owned)) == expected


@pytest.mark.parametrize(
    ("text", "owned", "expected"),
    [
        ("An army goes up in Warsaw and a fleet on the south coast of St Petersburg. :-)", 6, ["A War", "F Stp/SC"]),
        ("A fleet goes down on the north coast of St Petersburg, and an army in Moscow.", 6, ["F Stp/NC", "A Mos"]),
        ("Eine Flotte an der Südküste von St. Petersburg und eine Armee in Moskau.", 6, ["F Stp/SC", "A Mos"]),
        ("Une flotte sur la côte sud de Saint-Pétersbourg et une armée à Moscou.", 6, ["F Stp/SC", "A Mos"]),
        ("I take a fleet: F St Petersburg (nc), and an army: A Moscow", 6, ["F Stp/NC", "A Mos"]),
        ("One too many, so the Swedish fleet is scrapped.", 3, ["F Swe"]),
        ("Servus, ich muss eine Einheit abbauen und nehme die Flotte Schweden vom Brett.", 3, ["F Swe"]),
        ("What I can feed: three. What goes: F Swe", 3, ["F Swe"]),
        ("What stays: F Swe", 3, []),
        ("I was going to scrap the fleet in Sweden.", 3, []),
        ("Nothing is scrapped, the Swedish fleet stays.", 3, []),
        ("The idea of removing Sweden is scrapped.", 3, []),
    ],
)
def test_winters_in_words(text: str, owned: int, expected: list[str]) -> None:
    """A coast is no strange word, and a unit that is scrapped is no draft."""
    entry = {
        "variant": "standard",
        "phase": "adjustments",
        "units": {"Russia": ["A UKR", "A GAL", "F RUM", "F SWE"]},
        "centers": {"Russia": ["MOS", "WAR", "SEV", "STP", "RUM", "SWE"][:owned]},
    }
    found = read(Situation(rules_of("standard"), PhaseKind.ADJUSTMENTS, position_of(entry)), "Russia", text)
    assert orders(found) == [f"{'Build' if owned > 4 else 'Remove'} {one}" for one in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my norwegian fleet goes to the barents sea pls", ["F Nwy - Bar"]),
        ("The Norwegian fleet retires to the Skagerrak.", ["F Nwy - Ska"]),
        ("The German fleet goes to the Barents Sea.", []),
        ("The Norwegian fleet goes to the Barents Sea or to Skagerrak.", []),
    ],
)
def test_a_beaten_unit_by_its_adjective(text: str, expected: list[str]) -> None:
    """The Norwegian fleet is in Norway, also beside the Norwegian Sea."""
    entry = {"variant": "standard", "phase": "retreats", "units": {}, "dislodged": {"England": ["F NWY"]}}
    found = read(Situation(rules_of("standard"), PhaseKind.RETREATS, position_of(entry)), "England", text)
    assert orders(found) == expected


@pytest.mark.parametrize(
    "title", ["For the winter, if I get a unit", "Et pour l'hiver, si j'ai une unité", "Winter, if due"]
)
def test_a_winter_ahead_if_there_is_something_to_build(title: str) -> None:
    """The condition may stand behind a comma."""
    text = f"A Mar - Spa\n\n{title}: F Bre"
    assert [str(line.order) for kept in sheet(text, ["A MAR"]).later for line in kept.lines] == ["Build F BRE"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A Par - Pic, no sorry, that bumps my fleet: A Par - Bur", [BUR]),
        ("A Par - Pic, no, too far: A Par - Bur", [BUR]),
        ("A Par - Pic, no, if Italy attacks: A Par - Bur", []),
        ("A Par - Pic, no, my ally says: A Par - Bur", []),
        ("A Par - Pic, sorry, old plan: A Par - Bur", []),
        ("A Par - Pic\nA Par - Pic was crossed out, use A Par - Bur", [BUR]),
        ("A Par - Pic, no, that is good for Italy: A Par - Bur", []),
        ("A Par - Pic\nOn second thoughts about Paris: A Par - Bur instead of A Par - Pic", [BUR]),
        ("A Par - Pic\nTen minutes later: I promised Italy to go. A Par goes to Burgundy.", [BUR]),
        ("A Par - Bur\nTwo hours later: Italy told me A Par - Pic", [BUR]),
        ("A Par - Bur\nTwo turns later: A Par - Pic", [BUR]),
        ("A Par - Bur (A Par - Pic was my first thought, now crossed out)", [BUR]),
        ("A Par - Bur\n(It was A Par - Pic in my pencil version, rubbed out.)", [BUR]),
        ("A Par - Bur\nA Par - Bur is crossed out", []),
        ("A Par - Bur (crossed out)", []),
    ],
)
def test_a_change_of_mind_with_its_reason(text: str, expected: list[str]) -> None:
    """The reason may stand before a colon; what is crossed out is an order only if nothing else is meant by it."""
    assert orders(sheet(text, ["A PAR"])) == expected


@pytest.mark.parametrize(
    ("title", "is_heading"),
    [
        ("From the Marquess, at his fireside", True),
        ("Typing fast before we hit the tunnel", True),
        ("The Emir's secretary has the honour to transmit", True),
        ("Second go, this is the real one", True),
        ("Nope, no deal, and here is what France does", True),
        ("Then", True),
        ("What the Marquess wrote before we met", False),
        ("Before I confirm", False),
        ("My ally speaks", False),
        ("Found on his desk", False),
        ("In her place I'd play", False),
        ("In his letter he orders", False),
        ("If Italy attacks:\nThen", False),
    ],
)
def test_a_heading_that_tells_of_its_writer(title: str, is_heading: bool) -> None:
    """Where a letter was written warns of nothing; who else says something does."""
    assert orders(sheet(f"{title}:\n{BUR}\n{HELP}", ["A PAR", "A MAR"])) == [BUR, HELP] * is_heading


def test_a_result_with_builds_sends_none_ahead() -> None:
    """A heading in the middle of a line of results is one of them."""
    found = sheet(f"Last season's report:\nFRANCE: A Bur h; A Mar succeeded. Builds: F Bre\n\nNow:\n{BUR}", ["A PAR"])
    assert (orders(found), found.later) == ([BUR], ())


def test_a_build_below_a_strange_heading_touches_no_move() -> None:
    """An order of another phase contradicts none of this one."""
    assert orders(sheet(f"{BUR}\nand for the squirrels:\nBuild A Par", ["A PAR"])) == [BUR]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("To spare you a mail: Paris, if beaten, retires to Gascony", ["A PAR - GAS"]),
        ("For the other unit: A Par - Gas, or A Par - Pic if all is lost", []),
        ("Italy thinks: Paris, if beaten, goes to Gascony", []),
        ("autoretreats:\nPar > Gas", ["A PAR - GAS"]),
    ],
)
def test_retreats_behind_words_and_a_colon(text: str, kept: list[str]) -> None:
    """A unit, and then what happens to it: what follows "if" is kept only if it stands behind the unit."""
    found = sheet(f"A Mar - Spa\n{text}", ["A PAR", "A MAR"])
    assert [str(line.order) for section in found.later for line in section.lines] == kept


def test_a_row_of_a_table_begins_with_its_number() -> None:
    """The unit stands in the second cell, and its support in the third, also where "a" means "to"."""
    text = "| Nr. | Einheit | Befehl |\n|---|---|---|\n| 1 | A Par | - Bur |\n| 2 | A Mar | S A Par - Bur |"
    assert orders(sheet(f"Meine Züge:\n\n{text}", ["A PAR", "A MAR"])) == [BUR, HELP]
    assert orders(sheet("Hier, zum Glück:\nS A Par", ["A SPA", "A PAR"])) == []


@pytest.mark.parametrize(
    ("text", "removed"),
    [
        ("One has to go and it's Brest.", ["F Bre"]),
        ("One has to go and it's not Brest.", []),
        ("One has to go and Italy hopes it's Brest.", []),
        ("Disbanding one: the fleet in Brest goes home to its nets.", ["F Bre"]),
        ("Farewell to the captain of the fleet in Brest!", []),
        ("One has to go. I like Brest and Paris.", []),
        ("One has to go. The lads of Brest and Paris.", []),
    ],
)
def test_a_removal_in_words(text: str, removed: list[str]) -> None:
    """A list of which a part is not understood removes nothing."""
    assert orders(sheet(text, ["A PAR", "F BRE"], "adjustments", ["PAR"])) == [f"Remove {one}" for one in removed]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'd toyed with A Par - Pic earlier today, but Gas it is, final answer.", ["A Par - Gas"]),
        ("I'd toyed with A Par - Pic, but Bre it is.", []),
    ],
)
def test_a_retreat_that_was_thought_of(text: str, expected: list[str]) -> None:
    """What it is in the end is asked about if it is something else."""
    entry = {"variant": "standard", "phase": "retreats", "units": {}, "dislodged": {"France": ["A PAR"]}}
    found = read(
        Situation(rules_of("standard"), PhaseKind.RETREATS, position_of(entry)), "France", f"A Par - Gas\n{text}"
    )
    assert orders(found) == expected


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("If Paris is dislodged, it retreats to Gascony; A Mar, to Spain.", ["A Par - Gas", "A Mar - Spa"]),
        ("If Paris is dislodged it retreats to Gascony; F Bre holds.", ["A Par - Gas"]),
        ("If beaten, Paris goes to Gascony, and Marseilles is disbanded.", ["A Par - Gas", "A Mar D"]),
        ("A beaten A Mar comes off the board.", ["A Mar D"]),
        ("Wird Paris geschlagen, weicht die Armee nach Pic aus, Marseille nach Spa.", ["A Par - Pic", "A Mar - Spa"]),
        ("Für alle Fälle: Wird Paris geschlagen, wird die Armee aufgelöst.", ["A Par D"]),
        ("Italy is near: should A Mar be kicked out, its retreat is Spa.", ["A Mar - Spa"]),
        ("F Mao - Wes / repli : aucun, je la dissous", ["F Mao D"]),
        ("F Mao - Wes, and should it be beaten there, retreat F Mao - Iri.", ["F Mao - Iri"]),
        ("Retreats if need be: A Par - Gas? No, that is full. A Par disbands.", ["A Par D"]),
        ("Should A Par be forced out, Pic; A Mar, Spa; F Bre, Gas.", ["A Par - Pic", "A Mar - Spa", "F Bre - Gas"]),
        ("When Italy is back in Tunis, F Mao - Por.", []),
        ("Once Germany has gone back to Munich, A Par - Bur is safe.", []),
        ("Italy told me: should A Mar be kicked out, its retreat is Spa.", []),
        ("From Brest we go on to Gascony in the fall, when the time comes.", []),
    ],
)  # fmt: skip
def test_retreats_of_several_units_in_a_sentence(text: str, kept: list[str]) -> None:
    """Each unit that a sentence names has its own goals; another power's retreat is a condition."""
    found = sheet(f"A Par - Bur\nA Mar H\nF Bre H\nF Mao - Wes\n\n{text}", FRENCH)
    assert ahead(found) == kept
    assert {*orders(found)} <= {"A Par - Bur", "A Mar H", "F Bre H", "F Mao - Wes"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paris to Burgundy, Marseilles supporting that, Brest up to the Channel.", [BUR, HELP, ENG]),
        ("A Par - Bur\nPRESS, Brest: it rains.", [BUR]),
        ('A Par - Bur\nBrest: "The sea is ours, and so is the fish."', [BUR]),
    ],
)
def test_words_beside_orders(text: str, expected: list[str]) -> None:
    """A pronoun before a comma means the order before; press touches no order."""
    assert orders(sheet(text, FRENCH)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* Fleet in Brest: `F BRE`\n* Army in Paris: `A PAR`", ["Build F Bre", "Build A Par"]),
        ("Fleet in Brest. Army in Paris.\nA fleet in Marseilles was also possible.", ["Build F Bre", "Build A Par"]),
        ("Two go up and I have thought about it long enough: F Bre and A Par.", ["Build F Bre", "Build A Par"]),
    ],
)
def test_builds_that_are_said_twice(text: str, expected: list[str]) -> None:
    """A build is one, also where its unit is written before and behind a colon."""
    owned = ["PAR", "MAR", "BRE", "SPA"]
    assert orders(sheet(f"### Builds\n{text}", ["A SPA", "F MAO"], "adjustments", owned)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A 44 baut ein Boot, A 45 unterstützt A 44.", ["A 44 builds BB", "A 45 S A 44"]),
        ("L'armée 44 construit un bateau. A 45 soutient A 44.", ["A 44 builds BB", "A 45 S A 44"]),
        ("A 44 construye una barca; A 45 apoya A 44", ["A 44 builds BB", "A 45 S A 44"]),
        ("A 44 costruisce una barca. A 45 appoggia A 44.", ["A 44 builds BB", "A 45 S A 44"]),
        ("A 44 geht nach 43 mit einem Boot.", ["A 44 - 43 with BB"]),
    ],
)
def test_boats_in_every_language(text: str, expected: list[str]) -> None:
    """Boats are built and carried in the words of every language."""
    entry = {"variant": "scottomacy", "phase": "movement", "units": {"MacDonald": ["A 44", "A 45"]}}
    found = read(Situation(rules_of("scottomacy"), PhaseKind.MOVEMENT, position_of(entry)), "MacDonald", text)
    assert orders(found, "scottomacy") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("All orders, retreats in square brackets:\nA(Par)-Bur [ret. Pic]\nF(Bre)-Eng", [BUR, ENG]),
        ("A Par - Pic\nF Bre - Eng\n\n*A Par - Bur, not Pic. fat fingers", [ENG, BUR]),
        ("A Par - Pic\n\nNo, that is a B, not a P:\nA Par - Bur", [BUR]),
        ("A Par - Pic\n\nNon, c'est un B, pas un P :\nA Par - Bur", [BUR]),
        ("A Par - Bur\n##- Please type your reply above this line -##\nA Par H", [BUR]),
        ("A Par - Bur\n--- Bitte antworten Sie oberhalb dieser Zeile ---\nA Par H", [BUR]),
        ("France plays A Par - Bur and F Bre - Eng.", [BUR, ENG]),
        ("France hopes A Par - Bur.", []),
        ("With an English fleet still there: A Par - Bur. Without one: A Par - Gas.", []),
        ("A Par - Bur\nF Bre - Eng\n\nF Bre - Eng: crossed out", [BUR]),
        ("A Par - Bur\nF Bre - Eng (crossed out)", [BUR]),
        ("1. **A PAR – BUR** – the main blow.\n2. **F BRE – ENG** – towards London.", [BUR, ENG]),
        ("A Mar S A Par - Bur - makes it two against none\nA Par - Bur", [HELP, BUR]),
        ("Your Majesty's armies: A Mar S A Par - Bur, A Par - Bur.\nThe others: F Bre - Eng.", [HELP, BUR, ENG]),
        ("A Mar H\nParis to Burgundy, it can't fail.", ["A Mar H", BUR]),
        ("A Par - Bur\n(If the carriage from Paris gets stuck, so be it.)", [BUR]),
        ("A Par - Bur / A Par - Gas (toss a coin)", []),
    ],
)
def test_what_is_around_orders(text: str, expected: list[str]) -> None:
    """Headings, remarks, corrections and conditions beside orders."""
    assert orders(sheet(text, FRENCH)) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("F Bre - Eng\nOn A Par, I hesitate between Burgundy and Gascony: ask me tonight.", "On A Par, I hesitate"),
        ("A Par - Bur de préférence, à défaut A Par - Gas : dites-moi", "A Par - Bur de préférence"),
        ("A Par - Bur / A Par - Gas (toss a coin)", "A Par - Gas"),
    ],
)
def test_a_choice_left_open_is_asked_about(text: str, words: str) -> None:
    """Also where a colon is behind it, or an order for the unit before it."""
    found = sheet(text, FRENCH)
    assert any(line.text.startswith(words) for line in found.refused)
    assert not [order for order in orders(found) if order.startswith("A Par")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 units, 1 centre = 2 too many\n  -1  F Bre\n  -1  A Par", ["Remove F Bre", "Remove A Par"]),
        ("Units: A Par, A Mar, F Bre\nCentres: Mar\nOne too many, so F Bre comes off the board.", ["Remove F Bre"]),
        ("Units: A Par, A Mar, F Bre\nCentres: Mar\nOne too many. Italy wants Brest.", []),
    ],
)
def test_removals_below_a_count(text: str, expected: list[str]) -> None:
    """What is counted is a list; a sentence that says what goes ends it."""
    assert orders(sheet(text, ["A PAR", "A MAR", "F BRE"], "adjustments", ["MAR"])) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Unidades nuevas de Francia: un ejército en París y una flota en Brest.", ["Build A Par", "Build F Bre"]),
        ("New armies in Mar and Par, and tell England nothing is meant by it", ["Build A Mar", "Build A Par"]),
        ("+1 A Par\n+1 F Bre", ["Build A Par", "Build F Bre"]),
    ],
)  # fmt: skip
def test_new_units_in_words(text: str, expected: list[str]) -> None:
    """Headings and signs for builds, and what is said to somebody beside them."""
    assert orders(sheet(text, ["A SPA", "F MAO"], "adjustments", ["PAR", "MAR", "BRE", "SPA"])) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A Bur and F Bel both disband, I'd sooner rebuild at home.", ["A Bur D", "F Bel D"]),
        ("The fleet that was in Belgium is disbanded, I can't use it. A Bur - Pic", ["F Bel D", "A Bur - Pic"]),
        ("Don't retreat A Bur anywhere, disband it.\nF Bel - Pic", ["A Bur D", "F Bel - Pic"]),
        ("A Bur - Gas\nF Bel - Pic\nIn Spring we shall see if Burgundy comes back!", ["A Bur - Gas", "F Bel - Pic"]),
    ],
)
def test_retreats_in_words(text: str, expected: list[str]) -> None:
    """Units that leave the board, named by where they were."""
    entry = {"variant": "standard", "phase": "retreats", "units": {}, "dislodged": {"France": ["A BUR", "F BEL"]}}
    found = read(Situation(rules_of("standard"), PhaseKind.RETREATS, position_of(entry)), "France", text)
    assert orders(found) == expected


def test_a_canoe_is_destroyed_beside_an_order() -> None:
    """Talk of canoes is not about a party afloat."""
    units = {"Iroquois": ["W 13", "W/CF h"]}
    entry = {"variant": "indianomacy", "phase": "movement", "units": units}
    text = "W/CF h paddles to g.\nW 13 holds, and W 13 destroys the canoe.\n(We shan't need that old canoe.)"
    found = read(Situation(rules_of("indianomacy"), PhaseKind.MOVEMENT, position_of(entry)), "Iroquois", text)
    assert orders(found, "indianomacy") == ["W/CF h - g", "W 13 H", "W 13 destroys CF"]


def test_winter_is_sent_ahead_in_a_sentence() -> None:
    """Each unit of the list is kept, and the rule below the head of a table is no end of it."""
    found = sheet("A Par - Bur\nWhen Winter comes please put a fleet in Brest and an army in Paris for me", FRENCH)
    write = rules_of("standard").notation.write
    assert [write(one.order) for part in found.later for one in part.lines if one.order] == [
        "Build F Bre",
        "Build A Par",
    ]
    table = "unit    order    retreat\n-----   ------   -------\nA Par   - Bur    Gas\nA Mar   H        Spa"
    found = sheet(table, FRENCH)
    assert [write(one.order) for part in found.later for one in part.lines if one.order] == [
        "A Par - Gas",
        "A Mar - Spa",
    ]


THREE = ["A PAR", "A MAR", "F BRE"]
SPA, MAO = "A Mar - Spa", "F Bre - Mao"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Ten minutes later: Paris goes to Picardy.", ["A Par - Pic", SPA, MAO]),
        ("Next morning: I take back the third order. That fleet stays where it is.", [BUR, SPA, "F Bre H"]),
        ("Second thoughts about number 2. That army goes to Gascony.", [BUR, "A Mar - Gas", MAO]),
        ("Strike line 2. Strike line 3. It holds.", [BUR, "F Bre H"]),
        ("I think better of it: the fleet goes to the Channel instead of the Mid-Atlantic.", [BUR, SPA, ENG]),
        ("The fleet goes to the Channel and not to the Mid-Atlantic. Paris as above.", [BUR, SPA, ENG]),
        (
            "Am nächsten Morgen: Paris geht nach Picardie. Marseille und Brest bleiben wie oben.",
            ["A Par - Pic", SPA, MAO],
        ),
        ("Une heure plus tard : Paris va en Picardie et non en Bourgogne.", ["A Par - Pic", SPA, MAO]),
        ("No, espera, con calma: el ejército de París va a Picardía y la flota al Canal.", ["A Par - Pic", SPA, ENG]),
        ("Poco dopo: Parigi va in Piccardia e non in Borgogna. Il resto come sopra.", ["A Par - Pic", SPA, MAO]),
        ("A Par - Bur: crossed out", [SPA, MAO]),
        ("A Par - Bur: scrapped. A Par H.", ["A Par H", SPA, MAO]),
        ("My wife says: Paris goes to Picardy instead of Burgundy.", [SPA, MAO]),
        ("Sorry, about Paris Italy told me: A Par - Pic instead of A Par - Bur", [SPA, MAO]),
        ("CLEAR\nA Par H", ["A Par H"]),
    ],
)
def test_what_is_said_below_orders_changes_only_what_it_names(words: str, expected: list[str]) -> None:
    """A time of day begins a change, a denied goal is the former one, and what others want is only asked about."""
    assert sorted(orders(sheet(f"A Par - Bur\nA Mar - Spa\nF Bre - Mao\n\n{words}", THREE))) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PAR TO BUR STOP MAR TO SPA STOP BRE TO MAO STOP REGARDS STOP", [BUR, SPA, MAO]),
        ("Paris nach Burgund Punkt Marseille nach Spanien Punkt Brest nach Mittelatlantik Punkt", [BUR, SPA, MAO]),
        ("this is france on the phone army paris to burgundy army marseilles to spain and fleet brest to the mid "
         "atlantic that's all talk to you tonight", [BUR, SPA, MAO]),
        ("this is france on the phone i might send army paris to burgundy army marseilles to spain and fleet brest to "
         "the mid atlantic bye", []),
        ("The men in Paris take the train to Burgundy and the fleet sails out onto the Mid-Atlantic.", [BUR, MAO]),
        ("Paris army -> Burgundy. Marseilles helps. Brest fleet -> Channel.", [BUR, HELP, ENG]),
        ("Paris stays put, so does Marseilles.", ["A Par H", "A Mar H"]),
        ("Could you please enter Paris to Burgundy, Marseilles to Spain, Brest to Mid-Atlantic?", [BUR, SPA, MAO]),
        ("Please forget this morning's mail. It is replaced by:\nA Par - Bur", [BUR]),
        ("My mail came back. These are my orders, word for word:\n\n> A Par - Bur\n> A Mar - Spa", [BUR, SPA]),
        ("My answer to your mail:\n\n> A Par - Bur\n> A Mar - Spa", []),
        ("Bestand vor dem Zug:\nArmee Paris\nFlotte Brest\n\nZugbefehle:\nArmee Paris hält", ["A Par H"]),
    ],
)  # fmt: skip
def test_orders_are_found_however_they_are_told(text: str, expected: list[str]) -> None:
    """In telegrams, dictated without a comma, in idioms, in one's own quotation, below a heading of one long word."""
    assert sorted(orders(sheet(text, THREE))) == sorted(expected)


@pytest.mark.parametrize(
    "words",
    [
        "I might be offline on Thursday when you do retreats. Please use this then: A Mar - Gas.",
        "I may be away for the retreats. For that: A Mar - Gas",
        "I may be away for the retreats.\nIn that case:\nA Mar - Gas",
        "I may be away for the retreats. Please use A Mar - Gas then.",
        "Bei den Rückzügen bin ich vielleicht offline. Nimm dann bitte: A Mar - Gas",
        "Je serai absent pour les retraites. Utilisez alors ceci : A Mar - Gas",
        "Estaré fuera durante las retiradas. Usa entonces esto: A Mar - Gas",
        "Sarò via per le ritirate. Allora usa questo: A Mar - Gas",
        "Should Marseilles fall: A Mar - Gas",
        "If Marseilles is taken: A Mar - Gas",
        "Si cae Marsella: A Mar - Gas",
        "Se cade Marsiglia: A Mar - Gas",
    ],
)
def test_retreats_are_sent_ahead_for_a_phase_named_before(words: str) -> None:
    """Words like "then" mean the phase of the sentence before, and where an own place falls, its unit retreats."""
    found = sheet(f"A Par - Bur\nA Mar H\nF Bre - Eng\n\n{words}", THREE)
    assert (orders(found), ahead(found)) == ([BUR, "A Mar H", ENG], ["A Mar - Gas"])


@pytest.mark.parametrize(
    "words", ["No retreats, I hope. Then F Bre - Eng.", "If Munich falls: A Mar - Gas\nF Bre - Eng"]
)
def test_nothing_is_sent_ahead_below_other_words(words: str) -> None:
    """Without an order for its unit above, "then" is no other phase; nor is another power's place an own one."""
    assert ahead(sheet(f"A Par - Bur\n\n{words}", THREE)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Both others stand: A Par H, A Mar H", ["A Par H", "A Mar H"]),
        ("The other two hold: A Par H, A Mar H", ["A Par H", "A Mar H"]),
        ("Beide bleiben stehen: A Par H, A Mar H", ["A Par H", "A Mar H"]),
        ("Entrambe le altre restano ferme: A Par H, A Mar H", ["A Par H", "A Mar H"]),
        ("The fleet in Brest sails on: F Bre - Eng", [ENG]),
        ("A Par - Bur and F Bre - Eng are fixed.\nA Mar H", [BUR, ENG, "A Mar H"]),
        ("A Par - Bur und F Bre - Eng sind sicher.", [BUR, ENG]),
        ("A Par - Bur et F Bre - Eng sont sûrs.", [BUR, ENG]),
        ("A Par - Bur y F Bre - Eng son seguros.", [BUR, ENG]),
        ("A Par - Bur e F Bre - Eng sono certi.", [BUR, ENG]),
        ("Set so far:\nA Par - Bur\nF Bre - Eng\n\nI'm leaning to A Mar - Spa.", [BUR, ENG]),
        ("Moves so far this game:\nA Par - Bur", []),
    ],
)
def test_words_about_several_orders_leave_them_as_they_are(text: str, expected: list[str]) -> None:
    """A heading may say what all below it do, and the words behind orders that they are certain."""
    assert orders(sheet(text, THREE)) == expected


def test_a_canoe_is_named_before_its_order() -> None:
    """The words before the colon are no part of the order."""
    entry = {"variant": "indianomacy2", "phase": "movement", "units": {"Illinois": ["W 69", "W/CF e", "W 68"]}}
    text = "the canoes on Lake Michigan paddle on: W/CF e - f"
    found = read(Situation(rules_of("indianomacy2"), PhaseKind.MOVEMENT, position_of(entry)), "Illinois", text)
    assert orders(found, "indianomacy2") == ["W/CF e - f"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("France asks for a new army in Paris.", ["Build A Par"]),
        ("Frankreich bittet um eine neue Armee in Paris.", ["Build A Par"]),
        ("La France demande une nouvelle armée à Paris.", ["Build A Par"]),
        ("Francia pide un ejército nuevo en París.", ["Build A Par"]),
        ("La Francia chiede una nuova armata a Parigi.", ["Build A Par"]),
        ("Germany asks for a new army in Paris.", []),
    ],
)
def test_a_power_asks_for_its_build(text: str, expected: list[str]) -> None:
    """What the own power asks for is built."""
    assert orders(sheet(text, ["A BUR"], "adjustments", ["Par", "Bre", "Mar"])) == expected


@pytest.mark.parametrize(
    "text",
    ["One off: F MAO. (Gascony begged for his life.)", "I'm taking off the Atlantic fleet.", "Eine weniger: F Mao"],
)
def test_one_unit_is_taken_off(text: str) -> None:
    """Other words for a removal."""
    assert orders(sheet(text, ["A BUR", "A GAS", "F MAO"], "adjustments", ["Par", "Bre"])) == ["Remove F Mao"]


@pytest.mark.parametrize("text", ["Winter 1901 adjustment: fleet in Marseilles, thanks", "Winter: Flotte in Marseille"])
def test_a_build_is_sent_ahead_for_the_place_of_another_unit(text: str) -> None:
    """A fleet where an army stands cannot be removed."""
    assert ahead(sheet(f"A Par - Bur\nA Mar - Spa\nF Bre - Mao\n{text}", THREE)) == ["Build F Mar"]


def test_this_is_no_east_coast() -> None:
    """A place without coasts is not built on one, though a word beside it means a coast in another language."""
    text = "Para este invierno pongo una flota en Brest y un ejército en París."
    found = sheet(text, ["A SPA", "F MAO"], "adjustments", ["PAR", "BRE", "SPA", "MAR"])
    assert orders(found) == ["Build F Bre", "Build A Par"]
