"""Faults to survive, and the tests that show each: what a stranger or a hurried player may send.

The numbers are those of our list of faults: C is bad orders, F bad files.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gamesmaster.judge import adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Cause, Result, Rules
from gamesmaster.variant import find_variant

TESTS = Path(__file__).parent

SHOWN = {
    "C1 empty, huge and strange texts: bounded, with the place of the fault": [
        "orders/test_bad_orders.py::test_complaints",
        "orders/test_bad_orders.py::test_long_texts_are_refused_at_once",
        "reading/test_sheets.py::test_large_sheets_are_refused",
        "orders/test_words.py",
        "test_reliability.py::test_no_text_raises_out_of_adjudication",
    ],
    "C2 orders for others' units, no unit, other phases, several for one unit": [
        "judge/test_causes.py::test_cause",
        "judge/test_causes.py::test_wrong_phase_and_foreign_retreats",
        "judge/test_choices.py::test_choice",
        "judge/test_binding.py",
    ],
    "C3 wrong, missing and impossible coasts, wrong letters": [
        "judge/test_datc.py::test_case",
        "judge/test_choices.py::test_choice",
    ],
    "C4 supports and convoys of nothing, chains of sixty fleets": [
        "judge/test_causes.py::test_cause",
        "judge/test_worst_cases.py::test_a_web_of_sixty_fleets",
        "judge/test_corroborate.py",
    ],
    "C5 paradoxes of every order": [
        "judge/test_datc.py::test_case",
        "judge/test_kernel_proof.py::test_kernel_equals_the_naive_solver",
        "judge/test_worst_cases.py::test_large_knots",
    ],
    "C6 too many builds, builds on one spot, removals of what is not there": [
        "judge/test_choices.py::test_winter_choice",
        "judge/test_causes.py::test_removals_of_others",
    ],
    "C7 ambiguous names, provinces called like words of orders": [
        "orders/test_bad_orders.py::test_a_name_of_two_provinces_asks_back",
        "reading/test_names.py::test_exact_names_win_over_beginnings",
        "board/test_board_lint.py::test_oddities_are_warned_of",
        "board/test_board_lint.py::test_errors_are_found",
    ],
    "C8 a game belongs to one edition of its variant": [
        "game/test_variant.py::test_a_digest_depends_on_what_the_rules_depend_on",
        "game/test_record_data.py::test_another_variant_may_be_given",
    ],
    "F3 pictures: huge coordinates, numbers that are none, millions of points, scripts in names": [
        "pictures/test_shapes_file.py::test_each_fault_is_named_with_its_place",
        "pictures/test_shapes_file.py::test_few_bytes_cannot_draw_many_points",
        "pictures/test_shapes_file.py::test_texts_stay_texts",
    ],
    "F4 hostile JSON": [
        "test_strictjson.py::test_refuses",
        "game/test_record_data.py::test_hostile_json",
        "pictures/test_shapes_file.py::test_texts_that_are_no_strict_json_are_refused",
        "game/test_record_data.py::test_faults_are_named",
        "board/test_board_file.py::test_texts_that_are_no_strict_json_are_refused",
    ],
    "F6 variants that cannot be": [
        "board/test_board_lint.py::test_errors_are_found",
        "game/test_variant_lint.py::test_errors_are_found",
        "game/test_variant.py::test_each_fault_is_named_with_its_place",
        "game/test_variant.py::test_five_hundred_powers_are_refused",
        "board/test_board_file.py::test_the_size_of_a_board_is_bounded",
    ],
    "F6 shapes that cannot be": [
        "pictures/test_shapes_file.py::test_each_fault_is_named_with_its_place",
        "pictures/test_lint.py::test_slips_are_found",
    ],
    "F8 saved games that claim what does not follow": [
        "game/test_record_check.py::test_falsehoods",
        "cli/test_games.py::test_false_records_are_not_played_on",
    ],
    "F9 pictures of too many pixels": [
        "pictures/test_export.py::test_pictures_of_too_many_pixels_are_refused",
    ],
    "F10 boards made to be slow": [
        "judge/test_worst_cases.py::test_a_chain_of_363_armies",
        "judge/test_worst_cases.py::test_a_complete_graph",
    ],
    "A1 killed while saving": [
        "game/test_record_file.py::test_a_killed_save_leaves_a_whole_record",
        "game/test_record_file.py::test_a_save_that_fails_leaves_a_whole_record",
    ],
    "A2 two processes at once": ["game/test_record_file.py::test_a_phase_is_processed_once"],
}


@pytest.mark.parametrize("fault", SHOWN)
def test_every_fault_is_shown(fault: str) -> None:
    """The tests that show how a fault is survived are there."""
    for shown in SHOWN[fault]:
        path, _, name = shown.partition("::")
        text = (TESTS / path).read_text(encoding="utf-8")
        assert re.search(rf"^ *def {name or 'test_'}", text, re.MULTILINE), shown


STRANGE = [
    "",
    " ",
    "\0",
    "\ud800",
    "A PAR - BUR\x00",
    "\u202eRUB - RAP A",
    "Ａ ＰＡＲ － ＢＵＲ",
    "А PAR - BUR",  # a Cyrillic letter
    "A PAR \u2014 BUR",
    "A PAR \u2212 BUR",
    "-" * 400,
    "(" * 400,
    "A " * 200,
    "A PAR - " * 50,
    "x" * 1_000_000,
    "A PAR S A PAR S A PAR S A PAR",
    "VIA",
    "S",
    "Build Build Build",
    "A PAR - BUR; A MAR - GAS",
    "A PAR - BUR\nA MAR - GAS",
    "{'a': 1}",
    "<script>alert(1)</script>",
    "A %s - {0}",
]


@pytest.mark.parametrize("kind", PhaseKind)
def test_no_text_raises_out_of_adjudication(kind: PhaseKind) -> None:
    """C1: whatever is sent as an order becomes a ruling, its text bounded, and the other orders go on."""
    variant = find_variant("standard")
    orders = {"France": [*STRANGE, "A Mar - Gas"]}
    done = adjudicate(Rules.of(variant), kind, variant.start, orders)
    rulings = [ruling for ruling in done.rulings if ruling.given or ruling.order is None]
    assert len([r for r in rulings if r.power == "France" and r.given]) == len(STRANGE)  # all but the empty text
    assert all(len(ruling.text) < 1_000 for ruling in rulings)
    if kind is PhaseKind.MOVEMENT:
        causes = {r.given: (r.result, r.cause) for r in rulings}
        assert causes["A Mar - Gas"] == (Result.SUCCEEDS, Cause.CAME)
        assert causes["\uff21 \uff30\uff21\uff32 \uff0d \uff22\uff35\uff32"] == (Result.SUCCEEDS, Cause.CAME)
        assert causes["A PAR \u2014 BUR"] == causes["A PAR \u2212 BUR"] == (Result.VOID, Cause.SECOND)
        assert causes["\u0410 PAR - BUR"][1] is Cause.UNREADABLE
