"""What is not guessed: units that are listed or spared, conditional blocks, and what stands below other headings."""

from __future__ import annotations

import gc
from dataclasses import replace

import pytest

from gamesmaster.orders import PhaseKind
from gamesmaster.reading import OrderSheet, Situation, read
from gamesmaster.reading.letter import LetterReader
from tests.reading.corpus import position_of, rules_of

UNITS = {"France": ["A PAR", "A MAR", "F BRE"], "Germany": ["A MUN"]}


def sheet(phase: PhaseKind, text: str | list[str]) -> OrderSheet:
    """What France says in a phase, with one unit too many in Winter."""
    owners = {"PAR": "France", "MAR": "France", "MUN": "Germany"}
    position = position_of({"variant": "standard", "phase": phase.value, "units": UNITS})
    return read(Situation(rules_of("standard"), phase, replace(position, owners=owners)), "France", text)


def orders(found: OrderSheet) -> list[str]:
    """The orders of a sheet in the notation."""
    return [str(order) for order in found.orders]


@pytest.mark.parametrize(
    "text",
    [
        "My units:\n- A Par\n- A Mar",
        "– A Par\n– A Mar",
        "Do not remove:\nA Par",
        "Removals: none\n\nA Par\nA Mar",
        "Remove one of:\nA Par\nA Mar",
        "I refuse to remove A Par",
        "Remove anything but A Par",
        "Nobody removes A Par",
        "I thought about removing A Par",
        "Nicht abbauen:\nA Par",
        "Ne pas supprimer :\nA Par",
        "Non rimuovere:\nA Par",
    ],
)
def test_a_unit_that_is_listed_or_spared_is_not_removed(text: str) -> None:
    """A dash before a unit, or a word that takes a removal back, is asked about (STD-8.c)."""
    found = sheet(PhaseKind.ADJUSTMENTS, text)
    assert orders(found) == []
    assert found.refused


@pytest.mark.parametrize(
    "text",
    [
        "Adiós a todos desde París",
        "Un addio affettuoso da Parigi",
        "Goodbye and greetings from the fleet in Brest",
        "Farewell from Paris!",
        "Ich löse das Rätsel von Paris noch auf.",
        "Remove Germany from Paris, please!",
        "I remove the fleet in Brest, and Paris is in your hands.",
        "The fleet in Brest has to go or the army in Paris.",
        "Löse ich die Flotte in Brest auf?",
    ],
)
def test_words_that_only_sound_like_a_removal_remove_nothing(text: str) -> None:
    """A unit is never guessed off the board, and no list of units is read in part."""
    found = sheet(PhaseKind.ADJUSTMENTS, text)
    assert orders(found) == []
    assert found.refused or "?" in text


@pytest.mark.parametrize("text", ["-A Par", "Removals:\n- A Par", "Remove A Par, not A Mar", "Je supprime A Par"])
def test_a_unit_that_is_said_to_go_is_removed(text: str) -> None:
    """A sign against the unit, a heading or a verb says it plainly."""
    assert orders(sheet(PhaseKind.ADJUSTMENTS, text)) == ["Remove A PAR"]


@pytest.mark.parametrize(
    "text",
    [
        "Two have to go: I disband A Par. Marseilles fights on!",
        "I would rather lose A Par than A Mar. So: disband A Par",
    ],
)
def test_a_unit_beside_one_that_goes_is_kept(text: str) -> None:
    """A heading removes only what stands alone below it, and a comparison removes nothing."""
    assert "Remove A MAR" not in orders(sheet(PhaseKind.ADJUSTMENTS, text))


@pytest.mark.parametrize("coast", ["North Coats", "North Caost", "North hCoast", "soth coast", "côte sdu"])
@pytest.mark.parametrize(
    "text", ["+ Fleet St. Petersburg", "Build Fleet at St. Petersburg", "A new fleet, St. Petersburg"]
)
def test_no_unit_is_built_without_the_coast_that_is_misspelt(text: str, coast: str) -> None:
    """The coast is asked for; spelt rightly, it is read."""
    entry = {"variant": "standard", "phase": "adjustments", "units": {"Russia": ["A MOS"]}}
    situation = Situation(rules_of("standard"), PhaseKind.ADJUSTMENTS, position_of(entry))
    built = {str(order) for order in read(situation, "Russia", f"{text} ({coast})").orders}
    assert "Build F STP" not in built
    assert "Build F STP/NC" in {str(order) for order in read(situation, "Russia", f"{text} (North Coast)").orders}


def test_no_removal_is_sent_ahead_that_is_denied() -> None:
    """The same holds for what is kept for Winter."""
    found = sheet(PhaseKind.MOVEMENT, "A Par - Bur\nDo not disband A Par")
    assert orders(found) == ["A PAR - BUR"]
    assert found.later == ()


@pytest.mark.parametrize("condition", ["if A Mun - Bur", "if A Mun attacks Bur"])
def test_a_condition_with_an_order_in_it_reaches_to_its_end(condition: str) -> None:
    """No part of a conditional block is an order."""
    text = f"{condition}\nA Par - Bur\nelse\nA Par H\nendif\nA Mar - Spa"
    assert orders(sheet(PhaseKind.MOVEMENT, text)) == ["A MAR - SPA"]


@pytest.mark.parametrize("heading", ["Retreats", "Plan B", "Old orders", "Next turn"])
def test_a_heading_behind_a_postscript_says_what_it_says(heading: str) -> None:
    """A postscript corrects orders only if nothing else is said of the lines below."""
    assert orders(sheet(PhaseKind.MOVEMENT, f"A Par - Pic\nP.S. {heading}:\nA Par - Bur")) == ["A PAR - PIC"]
    assert orders(sheet(PhaseKind.MOVEMENT, "A Par - Pic\nP.S. A Par - Bur")) == ["A PAR - BUR"]


def test_what_is_none_has_no_lines_below() -> None:
    """A heading that says "none" at once stops nothing."""
    found = sheet(PhaseKind.MOVEMENT, "Retreats: none\nA Par - Bur\nA Mar - Spa")
    assert orders(found) == ["A PAR - BUR", "A MAR - SPA"]


@pytest.mark.parametrize("text", ["A Par\nA Bur\nA Mar", "1. A Par\n2. A Gas", "Paris\nGascony"])
def test_units_in_a_list_do_not_move_to_each_other(text: str) -> None:
    """Two lines are one order only if a dash or a verb stands in them."""
    assert orders(sheet(PhaseKind.MOVEMENT, text)) == []


OWN = "A Par - Bur\nA Mar - Spa\nF Bre - Mao"


@pytest.mark.parametrize(
    "heading",
    [
        "My ally says",
        "Rumour has it",
        "Turn 2",
        "Orders for the other game",
        "My orders in another game",
        "The board at the club",
        "A nightmare",
        "Dead letters",
        "What the spy saw",
        "Zug 2",
        "Mein Verbündeter sagt",
        "Befehle für das andere Spiel",
        "Ordres pour l'autre partie",
        "Órdenes para la otra partida",
        "Ordini per l'altra partita",
    ],
)
def test_a_heading_that_may_mean_something_else_stops_what_is_below(heading: str) -> None:
    """Also if the orders below it are for every unit; a known heading ends it."""
    assert orders(sheet(PhaseKind.MOVEMENT, f"{heading}:\n{OWN}")) == []
    assert orders(sheet(PhaseKind.MOVEMENT, f"{heading}:\n\n{OWN}")) == []
    below = orders(sheet(PhaseKind.MOVEMENT, f"{heading}:\nA Par - Pic\n\nMy orders:\n{OWN}"))
    assert below == ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]


@pytest.mark.parametrize(
    "heading",
    [
        "The opening, which I do not choose",
        "Ignore this",
        "Sorry, ignore this",
        "Oops, disregard these",
        "Not my orders",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_heading_that_denies_covers_the_block_below(heading: str, gap: str) -> None:
    """A word that takes something back does not make a correction of it."""
    found = sheet(PhaseKind.MOVEMENT, f"A Mar - Spa\n\n{heading}:{gap}A Par - Bur\nF Bre - Mao")
    assert orders(found) == ["A MAR - SPA"]


def test_a_question_does_not_touch_the_orders() -> None:
    """What stands below it is not an order, and no choice."""
    assert orders(sheet(PhaseKind.MOVEMENT, "A Par - Bur\nQuestion:\nA Par - Pic")) == ["A PAR - BUR"]
    assert "A PAR - PIC" not in orders(sheet(PhaseKind.MOVEMENT, "A Par - Bur\nQuestion: is this legal?\nA Par - Pic"))
    asked = sheet(PhaseKind.MOVEMENT, "Question: can A Mun reach Par?\nA Par - Bur")
    assert orders(asked) == ["A PAR - BUR"]


@pytest.mark.parametrize(
    "text",
    [
        "Wenn A Mun - Bur\nA Par - Bur\nsonst\nA Par H",
        "If A Mun - Bur\nA Par - Bur\nelse\nA Par H",
        "If A Mun - Bur:\nA Par - Bur\nelse:\nA Par H",
        "#if A Mun - Bur\nA Par - Bur\n#endif",
        "#if A Mun - Bur\nA Par - Bur\n#else\nA Par H\n#endif",
        "case A Mun - Bur\nA Par - Bur\ndefault\nA Par H",
        "case A Mun - Bur:\nA Par - Bur\ndefault:\nA Par H",
        "Si A Mun - Bur\nA Par - Bur\nsinon\nA Par H",
        "Se A Mun - Bur\nA Par - Bur\naltrimenti\nA Par H",
        "Si A Mun - Bur\nA Par - Bur\nsi no\nA Par H",
    ],
)
def test_no_part_of_a_conditional_is_an_order(text: str) -> None:
    """The block ends with it, or at an empty line."""
    found = sheet(PhaseKind.MOVEMENT, f"{text}\n\nA Mar - Spa")
    assert orders(found) == ["A MAR - SPA"]
    assert "A Par - Bur" in [line.text for line in found.refused]


@pytest.mark.parametrize("between", [" / ", " | ", " || ", " // ", ", ", " \\ ", " or "])
def test_two_orders_for_a_unit_on_one_line_are_asked_about(between: str) -> None:
    """One of them is meant."""
    found = sheet(PhaseKind.MOVEMENT, f"A Par - Bur{between}A Par - Pic\nA Mar - Spa")
    assert orders(found) == ["A MAR - SPA"]
    assert any("A Par" in line.text for line in found.refused)


@pytest.mark.parametrize(
    ("text", "removed"),
    [
        ("Then Munich has to go, alas. Holland and Denmark stay.", ["Remove A MUN"]),
        ("Munich goes, Holland and Denmark stay", []),  # passed over: the writer sees that nothing was taken
        ("Munich goes; Holland and Denmark are to stay", ["Remove A MUN"]),
        ("Denmark stays, Munich goes", ["Remove A MUN"]),
        ("Munich goes. Holland stays.", ["Remove A MUN"]),
    ],
)
def test_what_stays_is_not_removed_with_what_goes(text: str, removed: list[str]) -> None:
    """A place before "and" has the verb behind it."""
    units = {"Germany": ["A Hol", "A Mun", "F Den"]}
    entry = {"variant": "standard", "phase": "adjustments", "units": units}
    situation = Situation(rules_of("standard"), PhaseKind.ADJUSTMENTS, position_of(entry))
    assert orders(read(situation, "Germany", text)) == removed


def test_what_stays_in_a_winter_is_no_order_of_another_season() -> None:
    """Below a heading for removals, a unit that stays is passed over as small talk is."""
    entry = {"variant": "standard", "phase": "adjustments", "units": {"Germany": ["A Hol", "A Mun", "F Den"]}}
    situation = Situation(rules_of("standard"), PhaseKind.ADJUSTMENTS, position_of(entry))
    found = read(situation, "Germany", "Removals:\nA Mun\nA Hol stays and sulks")
    assert orders(found) == ["Remove A MUN"]
    assert [(line.text, line.what) for line in found.passed_over[1:]] == [("A Hol stays and sulks", "no order")]


@pytest.mark.parametrize(
    "heading",
    ["France says:", "From the French command, by slow boat:", "Just in brief:", "Heute leider nur kurz:",
     "Frankreich zieht so:", "Komplett also:"],
)  # fmt: skip
def test_the_sender_speaks_as_the_own_power(heading: str) -> None:
    """Such words are a heading of the own orders."""
    assert orders(sheet(PhaseKind.MOVEMENT, f"{heading}\n\nA Par - Bur\nA Mar - Spa")) == ["A PAR - BUR", "A MAR - SPA"]


@pytest.mark.parametrize(
    "heading",
    ["France says nothing to:", "From France's old plans:", "France promised Germany:", "From Germany to France:",
     "What Germany says France does:", "From the French ally in Germany:", "Germany says in brief:"],
)  # fmt: skip
def test_others_do_not_speak_for_the_sender(heading: str) -> None:
    """Nor do words that deny what they lead to."""
    assert orders(sheet(PhaseKind.MOVEMENT, f"{heading}\nA Par - Bur\nA Mar - Spa")) == []


def test_a_semicolon_parts_orders_as_lines_do() -> None:
    """Two orders for one unit are both kept, for the rulebook to choose from (DATC 4.D.3, CLN-H.g)."""
    assert orders(sheet(PhaseKind.MOVEMENT, "A Par - Bur; A Par - Pic")) == ["A PAR - BUR", "A PAR - PIC"]


def test_a_text_of_a_list_may_have_lines_of_its_own() -> None:
    """They are counted as lines of the letter, whatever ends them."""
    texts = ["A Par H", "Hello\rGreetings\rand more\rA Mar - Bur, A Mar - Spa; A Mar H"]
    found = sheet(PhaseKind.MOVEMENT, texts)
    assert orders(found) == ["A PAR H"]
    assert any("A Mar" in line.text for line in found.refused)


@pytest.mark.parametrize("text", ["A 89 - S A 90 - 75", "Hello GM, A 89 - S A 90 - 75 please", "A 89 - s A 90 H"])
def test_a_letter_that_may_be_a_support_parts_no_orders(text: str) -> None:
    """S is a sea of this board, and a support in every notation."""
    entry = {"variant": "scottomacy", "phase": "movement", "units": {"Campbell": ["A 89", "A 90"]}}
    situation = Situation(rules_of("scottomacy"), PhaseKind.MOVEMENT, position_of(entry))
    assert read(situation, "Campbell", text).orders == ()
    both = [str(order) for order in read(situation, "Campbell", "A 89 - S\nA 90 - 75").orders]
    assert both == ["A 89 - s", "A 90 - 75"]


@pytest.mark.parametrize("text", ["Mar S m Par - Bur", "Mar S m Par", "Mar S m"])
def test_the_letter_of_a_verb_belongs_to_no_name(text: str) -> None:
    """The words "Mar S" are not the beginning of Marseilles."""
    assert "A MAR H" not in orders(sheet(PhaseKind.MOVEMENT, text))
    assert "A PAR - BUR" not in orders(sheet(PhaseKind.MOVEMENT, text))


def test_the_kind_of_a_unit_begins_no_heading() -> None:
    """A misspelt unit is not a heading before a dash, whatever its name means elsewhere."""
    entry = {"variant": "conquest2", "phase": "movement", "units": {"England": ["A MAI", "A VIR"]}}
    situation = Situation(rules_of("conquest2"), PhaseKind.MOVEMENT, position_of(entry))
    (refused,) = read(situation, "England", "A MIA - F QUE").refused
    assert (refused.text, refused.hint) == ("A MIA - F QUE", "did you mean A MAI - QUE?")


def test_a_unit_that_goes_up_to_a_place_is_not_built() -> None:
    """What goes up does not always go up as a building does."""
    found = sheet(PhaseKind.MOVEMENT, "A Paaris goes up to Burgudny")
    assert found.later == ()
    assert [line.hint for line in found.refused] == ["did you mean A Par - Bur?"]


@pytest.mark.bulk
def test_refused_lines_keep_no_reader_in_memory() -> None:
    """Lines are remembered with the error that refused them, but not with all that was in use when it was raised."""
    for number in range(10):
        assert sheet(PhaseKind.MOVEMENT, f"Army in Paris goes to Atlantis {number}").refused
    gc.collect()
    assert not [thing for thing in gc.get_objects() if type(thing) is LetterReader]  # others may be weak references
