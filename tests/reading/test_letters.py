"""Whole letters: what counts for this phase, what is for later, and what is nothing of the kind.

`tests/data/letters` has a letter to a line, in files of different hands: its position, the text, and what it means.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesmaster.orders import Order, PhaseKind
from gamesmaster.reading import OrderSheet, Purpose, Situation, read
from gamesmaster.reading.entries import Entries, Entry
from gamesmaster.reading.situation import Effort
from tests.lengths import mark_long, short_and_long
from tests.reading.corpus import Judge, position_of, rules_of

pytestmark = pytest.mark.together

FILES = sorted((Path(__file__).parents[1] / "data" / "letters").glob("*.jsonl"))
SAMPLE = 4  # of files other than letters_own, every so many letters are read in the short run
LEAST_EXACT = 0.97
BRANCHES = frozenset({
    "coming01", "coordinated11", "gm-ahead01", "hd016", "hd117", "own-side-fr03", "own004", "own006", "own011",
    "own056", "own059", "own060", "own069", "own094", "own122", "own138", "own142", "own153", "own155", "own165",
    "own222", "own224", "own230", "own260", "own268", "own280", "ta36", "tc61", "unknown13", "unknown24",
})  # fmt: skip
"""Letters that run branches of the reader which no other test runs; for the others, branches are not counted."""


def letters(file: Path) -> list[dict[str, Any]]:
    """The letters of a file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@cache
def sheet_of(text: str) -> OrderSheet:
    """What is made of a letter, which is given as its line of JSON."""
    entry = json.loads(text)
    situation = Situation(rules_of(entry["variant"]), PhaseKind(entry["phase"]), position_of(entry))
    return read(situation, entry["power"] or "", entry["text"])


def found(entry: dict[str, Any]) -> OrderSheet:
    """What is made of a letter."""
    return sheet_of(json.dumps(entry))


def cases() -> Iterator[ParameterSet]:
    """Each file whole; of all but `letters_own` a sample stands for it in the short run."""
    for file in FILES:
        own = file.stem == "letters_own"
        yield pytest.param(letters(file), id=file.stem, marks=pytest.mark.bulk if own else pytest.mark.long)
        if not own:
            yield pytest.param(letters(file)[2::SAMPLE], id=f"{file.stem}-sample", marks=pytest.mark.bulk)


each_file = pytest.mark.parametrize("listed", [*cases()])
counted = [letter for file in FILES for letter in letters(file) if letter["id"] in BRANCHES]


def difference(entry: dict[str, Any]) -> tuple[Counter[object], Counter[object]]:
    """The orders for this phase that were read and not meant, and those that were meant and not read."""
    judge, notation, sheet = Judge(entry), rules_of(entry["variant"]).notation, found(entry)
    kind = PhaseKind(entry["phase"])

    def keyed(power: str, orders: list[Order]) -> Counter[object]:
        keys: Counter[object] = Counter((power, judge.key(order)) for order in orders)
        return keys if kind is PhaseKind.ADJUSTMENTS else Counter[object](keys.keys())  # what is said twice is said

    got, meant = Counter[object](), Counter[object]()
    for power, texts in entry["means"].get("by_power", {entry["power"] or "": entry["means"]["now"]}).items():
        meant += keyed(power, [notation.read(text, kind) for text in texts])
    for power in {*sheet.powers, *entry["means"].get("by_power", ())}:
        got += keyed(power, [line.order for line in sheet.lines(power) if line.order])
    return got - meant, meant - got


def ahead(entry: dict[str, Any]) -> tuple[Counter[str], Counter[str]]:
    """What was kept for the phases to come, and what was meant to be."""
    notation = rules_of(entry["variant"]).notation
    kinds = {"retreats": PhaseKind.RETREATS, "adjustments": PhaseKind.ADJUSTMENTS}
    meant = [
        f"{part['phase']} {part.get('power', entry['power'])} "
        f"{notation.write(notation.read(text, kinds[part['phase']]))}"
        for part in entry["means"]["later"] for text in part["orders"]
    ]  # fmt: skip
    kept = [f"{s.purpose} {s.power} {notation.write(o.order)}" for s in found(entry).later for o in s.lines if o.order]
    return Counter(kept), Counter(meant)


@pytest.mark.parametrize("listed", [*cases(), pytest.param(counted, id="branches")])
def test_no_letter_has_an_order_taken_that_was_not_meant(listed: list[dict[str, Any]]) -> None:
    """What is not meant for this phase is no order of it, and nothing is kept for a later one that was not sent."""
    wrong = [(entry["id"], extra) for entry in listed if (extra := difference(entry)[0])]
    assert not wrong
    kept = [(entry["id"], more) for entry in listed if (more := ahead(entry)[0] - ahead(entry)[1])]
    assert not kept


@each_file
def test_letters_are_read_as_they_are_meant(listed: list[dict[str, Any]]) -> None:
    """Of a hundred letters at least 97 have exactly the orders that were meant."""
    missing = [entry["id"] for entry in listed if any(difference(entry))]
    assert len(missing) <= (1 - LEAST_EXACT) * len(listed), missing


@each_file
def test_what_is_sent_ahead_is_kept(listed: list[dict[str, Any]]) -> None:
    """Retreats, builds and removals for phases to come are kept for them, nine in ten of the letters that have some."""
    sent = [entry for entry in listed if entry["means"]["later"]]
    kept = [entry["id"] for entry in sent if ahead(entry)[0] == ahead(entry)[1]]
    assert len(kept) >= 0.9 * len(sent), {entry["id"] for entry in sent} - set(kept)


@each_file
def test_what_is_in_doubt_is_asked_about(listed: list[dict[str, Any]]) -> None:
    """Conditions, choices and wishes are refused, each with its words, nine in ten of them."""
    doubts = [(entry, words) for entry in listed for words in entry["means"].get("doubtful", ())]

    def plain(text: str) -> str:
        return " ".join("".join(char if char.isalnum() else " " for char in text.casefold()).split())

    asked = [plain(words) in " ".join(plain(line.text) for line in found(entry).refused) for entry, words in doubts]
    assert sum(asked) >= 0.9 * len(asked), [words for (_, words), good in zip(doubts, asked, strict=True) if not good]


@each_file
def test_every_line_of_a_letter_becomes_something(listed: list[dict[str, Any]]) -> None:
    """Each line with a word is an order, a refusal, or passed over with a reason."""
    for entry in listed:
        sheet = found(entry)
        named = {line.line for section in sheet.sections for line in section.lines}
        assert all(line.what for line in sheet.passed_over)
        if "{" in entry["text"] or "<" in entry["text"] or "|" in entry["text"]:
            continue  # a text within a text
        for number, text in enumerate(entry["text"].split("\n"), 1):
            spoken = any(char.isalpha() for char in text) and not text.strip().startswith(("```", "~~"))
            assert not spoken or number in named or number - 1 in named, (entry["id"], number, text)


_TEXT = (
    "A F Par Bur Mar Spa - -> S C H : ; , . ( ) [ ] { } \" ' ? ! | > # * ** ` ``` ~~ <br> </p> <think> &gt; \n \n\n if "
    "or "
    "unless retreats: Orders: Winter: build remove France Germany: says Fall 1901 ignore change to hold instead of not "
    "the second line P.S. endif press endpress signoff -- \u2013 \u2192 \U0001f600 0 1. 22:40"
)
WORDS = _TEXT.split(" ")


@pytest.mark.bulk
@short_and_long("number", 15, 1000)
def test_no_text_raises(number: int) -> None:
    """Whatever somebody sends becomes a sheet."""
    texts = st.lists(st.sampled_from(WORDS) | st.text(max_size=6), max_size=60)
    settings(max_examples=number, deadline=None)(given(texts, st.sampled_from(PhaseKind))(becomes_a_sheet))()


def becomes_a_sheet(words: list[str], kind: PhaseKind) -> None:
    """A text of these words raises nothing, nor is it refused for a fault of the reader."""
    units = {"France": ["A PAR", "A MAR", "F BRE"], "Germany": ["A MUN"]}
    entry = {"variant": "standard", "phase": kind.value, "units": units, "dislodged": {"France": ["A BUR"]}}
    situation = Situation(rules_of("standard"), kind, position_of(entry))
    text = " ".join(words).encode(errors="ignore").decode()
    for power in ("France", ""):
        sheet = read(situation, power, text)
        assert not any("fault of its own" in line.what for line in sheet.refused), text


HOSTILE = {
    "brackets": "(" * 30_000 + ")" * 30_000,
    "colons": "a:" * 30_000,
    "JSON in JSON": "[" * 60_000,
    "marks": "**a" * 20_000,
    "a word": "a" * 60_000,
    "quotations": "\n".join(["> " * 15 + "x"] * 1_900),
    "bars": "\n".join(["A Par | Bur | S A Mar | x | y | z"] * 1_500),
    "sentences": "A Par. " * 9_000,
    "conditions": "\n".join(["if A Par - Bur then A Mar S A Par - Bur else H"] * 1_300),
    "changes of mind": "\n".join(["A Par - Bur. No, wait. A Par H. Well, A Par - Pic instead."] * 1_000),
}


SLOW = ("quotations", "bars", "changes of mind")
"""Stopped by the same two limits as sentences and conditions are."""


@pytest.mark.bulk
@pytest.mark.parametrize("how", mark_long(HOSTILE, but=HOSTILE.keys() - set(SLOW)))
def test_a_hostile_letter_takes_bounded_work(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However a letter is made, only so much of it is looked into."""
    effort, looked_at, own = Effort(), [0], Entries.own

    def counted(entries: Entries, power: str = "") -> list[Entry]:
        looked_at[0] += len(entries.listed)
        return own(entries, power)

    monkeypatch.setattr("gamesmaster.reading.lines.Effort", lambda: effort)
    monkeypatch.setattr(Entries, "own", counted)
    position = position_of({"variant": "standard", "phase": "movement", "units": {"France": ["A PAR", "A MAR"]}})
    sheet = read(Situation(rules_of("standard"), PhaseKind.MOVEMENT, position), "France", HOSTILE[how])
    assert not any("fault of its own" in line.what for line in sheet.refused)
    assert effort.steps <= 2 * Effort.MOST_STEPS
    assert looked_at[0] <= 10 * Effort.MOST_SENTENCES**2


def test_words_beside_the_orders_are_told_apart_from_what_might_be_missed() -> None:
    """Doors may leave out greetings; a draft, a promise or another season they show."""
    position = position_of({"variant": "standard", "phase": "movement", "units": {"France": ["A PAR"]}})
    text = "Dear GM,\n\nA Par - Bur\n\nWhat Italy will do:\nA Ven - Tyr\n\nBest wishes\nAnna"
    sheet = read(Situation(rules_of("standard"), PhaseKind.MOVEMENT, position), "France", text)
    purposes = {line.text: section.purpose for section in sheet.sections for line in section.lines}
    assert purposes["A Par - Bur"] is Purpose.NOW
    assert purposes["A Ven - Tyr"] is Purpose.NOTHING
    assert purposes["Dear GM"] is purposes["What Italy will do:"] is Purpose.CHAT


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "exact", "wrong"),
    [
        ("second", 0.96, 0.0),
        ("third", 0.80, 0.05),
        ("fourth", 0.94, 0.0),
        ("fifth", 0.95, 0.01),
        ("sixth", 0.87, 0.0),
        ("seventh", 0.97, 0.0),
        ("eighth", 0.98, 0.0),
        ("ninth", 0.96, 0.0),
        ("tenth", 0.98, 0.0),
        ("eleventh", 0.94, 0.0),
        ("twelfth", 0.98, 0.0),
        ("thirteenth", 0.94, 0.0),
        ("fourteenth", 0.98, 0.0),
        ("fifteenth", 0.93, 0.0),
        ("sixteenth", 0.95, 0.01),
        ("seventeenth", 0.94, 0.0),
        ("eighteenth", 0.87, 0.0),
        ("nineteenth", 0.94, 0.0),
        ("twentieth", 0.97, 0.0),
        ("twentyfirst", 1.0, 0.0),
        ("twentythird", 0.95, 0.0),
        ("twentyfourth", 0.98, 0.0),
        ("twentyfifth", 0.95, 0.0),
        ("twentysixth", 1.0, 0.0),
    ],
)
def test_letters_that_the_reader_was_not_made_for(name: str, exact: float, wrong: float) -> None:
    """Letters with other templates.  Those of the third file were looked at once, late.

    Before they were worked with, 82 in 100 of the fourth file were exact and 4 wrong, 79 and 3 of the fifth, 52 and 4
    of the sixth, 79 and 1 of the seventh, 82 and 1 of the eighth, 84 and none of the ninth,
    82 and none of the tenth, 86 and 2 of the eleventh, 90 and 3 of the twelfth, 88 and 3 of the thirteenth,
    92 and none of the fourteenth, 89 and 2 of the fifteenth, 91 and 2 of the sixteenth, 93 and 2 of the
    seventeenth, 87 and 8 of the eighteenth; 94 and 1 of the nineteenth, 71 and 6 of the twentieth,
    86 and 1 of the twenty-first, 81 and 2 of the twenty-third, 84 and 3 of the twenty-fourth, 73 and 4 of the
    twenty-fifth, 91 and 2 of the twenty-sixth.
    """
    differences = [difference(entry) for entry in letters(FILES[0].parent / "unseen" / f"{name}.jsonl")]
    assert sum(not any(one) for one in differences) >= exact * len(differences)
    assert sum(bool(extra) for extra, _ in differences) <= wrong * len(differences)


def orders_of(phase: str, units: list[str], text: str, power: str = "France") -> list[str]:
    """The orders of France that a text makes, as they are printed."""
    rules, beaten = rules_of("standard"), {power: units} if phase == "retreats" else {}
    entry = {"variant": "standard", "phase": phase, "units": {power: units}, "dislodged": beaten}
    sheet = read(Situation(rules, PhaseKind(phase), position_of(entry)), power, text)
    return [rules.notation.write(order) for order in sheet.orders]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A Mar -S- A Par - Bur", "A Mar S A Par - Bur"),
        ("A Mar - S - A Par - Bur", "A Mar S A Par - Bur"),
        ("A Mar -S A Par", "A Mar S A Par"),
        ("F Nth -C- A Lon - Nwy", "F Nth C A Lon - Nwy"),
        ("A Mar -H-", "A Mar H"),
    ],
)
def test_a_verb_between_dashes_is_no_place(text: str, order: str) -> None:
    """A support, a convoy and a hold set between dashes are never cut into two moves."""
    assert orders_of("movement", ["A MAR", "A PAR", "F NTH", "A LON"], text) == [order]


@pytest.mark.parametrize("text", ["Fleet Brest", "A Par", "Units: A Par, F Bre", "Army Paris\nFleet Brest", "Par, Bre"])
def test_a_unit_without_a_verb_is_not_removed(text: str) -> None:
    """A list of what one holds costs nobody a unit; under a heading or behind a verb it does."""
    units = ["A PAR", "F BRE", "A MAR", "A SPA"]
    assert orders_of("adjustments", units, text) == []
    assert orders_of("adjustments", units, "Removals:\nA Par") == ["Remove A Par"]
    assert orders_of("adjustments", units, "One removal: F Bre") == ["Remove F Bre"]


def test_an_order_of_a_place_that_is_not_on_the_board_is_refused() -> None:
    """Above other orders it is no heading."""
    rules = rules_of("standard")
    entry = {"variant": "standard", "phase": "movement", "units": {"France": ["A PAR", "F BRE"]}}
    situation = Situation(rules, PhaseKind.MOVEMENT, position_of(entry))
    sheet = read(situation, "France", "F Nowhere - Mao\nA Par - Bur")
    assert [line.text for line in sheet.refused] == ["F Nowhere - Mao"]
    assert [str(order) for order in sheet.orders] == ["A PAR - BUR"]


def test_a_heading_for_a_retreat_disbands_nothing() -> None:
    """What stands behind it is the order."""
    assert orders_of("retreats", ["F BRE"], "Retirada de la flota de Brest: F Bre - Mao") == ["F Bre - Mao"]


@pytest.mark.parametrize(
    ("phase", "text", "orders"),
    [
        (
            "movement",
            "A Mar - Spa\nF Nth - Den\n\nI don't like Denmark. The fleet stays in the North Sea.",
            ["A Mar - Spa"],
        ),
        ("movement", "A Mar - Spa\nF Nth - Den\nThe last one only if England agrees.", ["A Mar - Spa"]),
        (
            "movement",
            "A Mar - Spa\nF Nth - Den\nF Nth - Edi\nThe second line was a slip.",
            ["A Mar - Spa", "F Nth - Edi"],
        ),
        ("movement", "A Mar - Spa\nF Nth - Den\n\nPlease hold on to these until I confirm.", []),
        ("adjustments", "Remove A Mar\nScratch that, remove F Nth.", ["Remove F Nth"]),
        ("adjustments", "Remove A Mar, or nothing", []),
    ],
)
def test_what_is_said_behind_orders_limits_them(phase: str, text: str, orders: list[str]) -> None:
    """Conditions, doubts and other orders for a unit further down are asked about, not passed over."""
    assert orders_of(phase, ["A MAR", "F NTH"], text) == orders


@pytest.mark.parametrize("words", ["Dear GM,", "What a lovely day", "Best wishes"])
def test_a_greeting_is_refused_in_a_form_for_orders_only(words: str) -> None:
    """In a letter it is passed over."""
    entry = {"variant": "standard", "phase": "movement", "units": {"France": ["A PAR"]}}
    situation = Situation(rules_of("standard"), PhaseKind.MOVEMENT, position_of(entry))
    for text in (f"{words}\nA Par - Bur", f"A Par - Bur\n{words}"):
        letter, form = read(situation, "France", text), read(situation, "France", text, only_orders=True)
        assert not letter.refused
        assert [line.text for line in form.refused] == [words.rstrip(",")]
        assert len(letter.orders) == len(form.orders) == 1


@pytest.mark.parametrize(
    ("phase", "text", "orders"),
    [
        ("movement", "A Mar - Spa, F Nth - Den, F Eng - Bel", ["A Mar - Spa", "F Nth - Den", "F Eng - Bel"]),
        ("adjustments", "Removals: F Nth. Marseilles and the Channel stay.", ["Remove F Nth"]),
        ("adjustments", "Removals: A Mar and F Nth stay.", []),
    ],
)
def test_no_word_belongs_to_what_stands_beside_another(phase: str, text: str, orders: list[str]) -> None:
    """A code before a comma is no article of the next order, and what stays is not removed with others."""
    assert orders_of(phase, ["A MAR", "F NTH", "F ENG"], text) == orders


@pytest.mark.parametrize(
    "text",
    [
        "f bre-mao, argh, f bre-eng i mean",
        "F Bre - Mao, ach, F Bre - Eng meine ich",
        "F Bre - Mao, mince, F Bre - Eng je veux dire",
        "F Bre - Mao, uff, F Bre - Eng quiero decir",
        "F Bre - Mao, accidenti, F Bre - Eng voglio dire",
    ],
)
def test_the_second_order_counts_where_words_behind_it_say_so(text: str) -> None:
    """A change of mind is understood before the new order and behind it."""
    assert orders_of("movement", ["F BRE", "A PAR"], text) == ["F Bre - Eng"]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Actually Marseilles instead of Paris, a fleet", []),
        ("Changed my mind about Paris, a fleet in Brest", []),
        ("Correction: nothing in Paris, the first one is Build F Bre.", ["Build F Bre"]),
        ("Corrijo: en París nada, la primera es Build F Bre.", ["Build F Bre"]),
        ("No, wait, on reflection a fleet in Brest is better: Build F Bre, not the army.", []),
    ],
)
def test_a_build_that_a_later_line_takes_back_does_not_count(text: str, orders: list[str]) -> None:
    """A build whose place is named by a correction is replaced, or asked about."""
    assert orders_of("adjustments", ["A BUR"], f"Build A Par\n\n{text}") == orders


@pytest.mark.parametrize(
    ("centres", "orders"), [(["PAR", "BRE"], ["Build F Bre"]), (["PAR", "BRE", "MAR"], ["Build A Par", "Build F Bre"])]
)
def test_a_build_that_a_correction_leaves_no_room_for_is_dropped(centres: list[str], orders: list[str]) -> None:
    """Of two builds, where one is due, the one below "No, wait:" counts."""
    own = {
        "variant": "standard",
        "phase": "adjustments",
        "units": {"France": ["A BUR"]},
        "centers": {"France": centres},
    }
    sheet = found({**own, "power": "France", "text": "Build A Par\n\nNo, wait: build F Bre."})
    assert list(map(rules_of("standard").notation.write, sheet.orders)) == orders


@pytest.mark.parametrize(
    "text",
    [
        "No, wait, a fleet in Brest is better.", "No, rather build F Bre.", "F Bre instead.", "Better: Build F Bre",
        "Nein, lieber eine Flotte in Brest.", "Non, plutôt une flotte à Brest.", "No, mejor una flota en Brest.",
        "No, aspetta, una flotta a Brest è meglio.", "I'd rather have a fleet in Brest.",
    ],
)  # fmt: skip
def test_a_build_that_is_preferred_replaces_the_one_above(text: str) -> None:
    """Though there is room for both; if several stand above, it is asked which of them is meant."""
    own = {"variant": "standard", "phase": "adjustments", "units": {"France": ["A BUR"]}, "power": "France"}
    two = {**own, "centers": {"France": ["PAR", "BRE", "MAR"]}, "text": f"Build A Par\n\n{text}"}
    three = {**own, "centers": {"France": ["PAR", "BRE", "MAR", "SPA"]}, "text": f"Build A Par\nBuild A Mar\n\n{text}"}
    assert [str(order) for order in found(two).orders] == ["Build F BRE"]
    assert [str(order) for order in found(three).orders] == ["Build F BRE"]
    assert {line.text for line in found(three).doubtful} == {"Build A Par", "Build A Mar"}


@pytest.mark.parametrize(
    "text",
    [
        "Actually F Bre would be better.", "Nein, Moment, eine Flotte in Brest ist besser.",
        "No, espera, una flota en Brest es mejor.",
    ],
)  # fmt: skip
def test_builds_are_asked_about_if_what_is_preferred_is_not_understood(text: str) -> None:
    """Neither build counts."""
    assert orders_of("adjustments", ["A BUR"], f"Build A Par\n\n{text}") == []


@pytest.mark.parametrize("text", ["Also a fleet in Brest.", "Sorry, I forgot the fleet in Brest.", "And build F Bre."])
def test_a_build_that_is_added_replaces_none(text: str) -> None:
    """Only words that prefer it do."""
    assert orders_of("adjustments", ["A BUR"], f"Build A Par\n\n{text}") == ["Build A Par", "Build F Bre"]


def test_no_build_is_read_from_a_word_like_a_place_behind_one() -> None:
    """The word "meglio" is no Belgium."""
    assert orders_of("adjustments", ["A BUR"], "Una flotta a Brest è meglio.") == ["Build F Bre"]
