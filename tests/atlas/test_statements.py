"""Every sentence of the documents about the boards holds on the committed boards; one test a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.board import read_board
from tests.atlas.graph import BOARDS, Graph
from tests.atlas.statements import CLAIMS, Statement, read_statements

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "boards").glob("*/statements.toml"))


@cache
def graph_of(board: str) -> Graph:
    """The committed board."""
    return Graph(read_board(ROOT / "src/gamesmaster/variants" / board / "board.json"))


def sentences() -> Iterator[Any]:
    """Every statement with its board, named by board and clause, numbered where a clause says several things."""
    for path in FILES:
        board, seen = path.parent.name, Counter[str]()
        for statement in read_statements(path):
            seen[statement.clause] += 1
            number = f" ({seen[statement.clause]})" if seen[statement.clause] > 1 else ""
            yield pytest.param(board, statement, id=f"{board}: {statement.clause}{number}")


@pytest.mark.parametrize(("board", "statement"), list(sentences()))
def test_the_board_is_as_the_sentence_says(board: str, statement: Statement) -> None:
    """The committed board bears out the sentence."""
    assert statement.faults(graph_of(board)) == [], statement.says


def test_every_board_has_its_statements() -> None:
    """Each board has a file of statements."""
    assert {path.parent.name for path in FILES} == {*BOARDS}


# A true and a false claim for every word of the vocabulary, on the regular board.
PROOFS: dict[str, tuple[Any, Any]] = {
    "army": ([["PAR", "BUR"]], [["PAR", "MAR"]]),
    "fleet": ([["BUL/EC", "BLA"]], [["BUL/SC", "BLA"]]),
    "no_army": ([["PAR", "MAR"]], [["PAR", "BUR"]]),
    "no_fleet": ([["ROM", "VEN"]], [["ROM", "TUS"]]),
    "no_link": ([["BAL", "SKA"]], [["ROM", "VEN"]]),
    "convoyed": ([["LON", "SYR"]], [["SEV", "SMY"]]),
    "never_convoyed": ([["SEV", "SMY"]], [["LON", "SYR"]]),
    "neighbours": ({"PAR": {"army": ["BRE", "BUR", "GAS", "PIC"]}}, {"PAR": {"army": ["BRE", "BUR", "GAS"]}}),
    "reach": ({"STP/NC": ["BAR", "NWY"]}, {"STP/NC": ["BAR"]}),
    "coasts": ({"SPA": ["SC", "NC"]}, {"SPA": []}),
    "choice": ({"BUL": ["CON"]}, {"BUL": []}),
    "waters": ({"KIE": ["BAL", "HEL"]}, {"KIE": ["BAL"]}),
    "shores": ({"SKA": ["DEN", "NWY", "SWE"]}, {"SKA": ["DEN", "NTH", "NWY", "SWE"]}),
    "terrain": ({"MUN": "inland"}, {"MUN": "coast"}),
    "name": ({"MUN": "Munich"}, {"MUN": "Munchen"}),
    "abbr": ({"MUN": "Mun"}, {"MUN": "MUN"}),
    "degree": ({"MUN": 7}, {"MUN": 6}),
    "centre": (["MUN"], ["BUR"]),
    "no_centre": (["BUR"], ["MUN"]),
    "no_home": (["NAF"], ["BUR"]),
    "all": ({"split": ["BUL", "SPA", "STP"]}, {"split": ["BUL", "SPA"]}),
    "homes": ({"France": ["BRE*", "BUR", "GAS", "MAR*", "PAR*", "PIC"]}, {"France": ["BRE", "BUR", "GAS"]}),
    "absent": (["Ireland"], ["Paris"]),
    "count": ({"centre": 34, "army water-water": 0}, {"centre": 35}),
    "steps": (
        [{"way": "fleet", "from": ["BLA"], "to": ["AEG"], "is": 2}],
        [{"way": "fleet", "from": ["BLA"], "to": ["AEG"], "without": ["CON", "BUL"], "is": 2}],
    ),
    "within": (
        {"from": "ENG", "steps": 1, "centres": ["BEL", "BRE", "LON"]},
        {"from": "ENG", "steps": 1, "centres": ["BEL", "LON"]},
    ),
    "ring": (
        {"round": ["DEN", "SWE", "BAL"], "bare": 1},
        {"round": ["DEN", "SWE", "BOT", "BAL"], "bare": 1},
    ),
    "beyond": ({"BLA": []}, {"BLA": ["BAL"]}),
    "spread": ({"low": 7, "high": 9, "number": 3}, {"low": 7, "high": 9, "number": 3, "mean": 9.9}),
    "abbreviations": ({"provinces": "[A-Z][a-z]{2}"}, {"sea": "[A-Z]{3}"}),
}  # fmt: skip


def test_every_word_is_proven() -> None:
    """Every word of the vocabulary stands in the table of proofs, and in some file of statements."""
    used = {word for path in FILES for statement in read_statements(path) for word in statement.claims}
    assert set(CLAIMS) - set(PROOFS) == {"army_only", "no_convoy", "closed_to"}, "they have a test of their own"
    assert used == set(CLAIMS)


@pytest.mark.parametrize("word", PROOFS)
def test_a_claim_can_be_true_and_false(word: str) -> None:
    """A true claim leaves no fault, and a false one leaves some."""
    true, false = (Statement("X", "said", {word: value}) for value in PROOFS[word])
    assert true.faults(graph_of("standard")) == []
    assert false.faults(graph_of("standard")) != []


def test_armies_only() -> None:
    """The list of pairs for armies alone must be whole: one too few or too many is a fault."""
    graph = graph_of("standard")
    whole = next(s for s in read_statements(FILES[-1]) if "army_only" in s.claims).claims["army_only"]
    assert Statement("X", "said", {"army_only": whole}).faults(graph) == []
    assert Statement("X", "said", {"army_only": whole[1:]}).faults(graph) != []
    assert Statement("X", "said", {"army_only": [*whole, ["PAR", "BUR"]]}).faults(graph) != []


def test_closed_to_convoys() -> None:
    """A passage closed to convoys is one that fleets use and convoys do not."""
    claim = {"no_convoy": [["WATL", "IND"]]}
    assert Statement("X", "said", claim).faults(graph_of("cline9")) == []
    assert Statement("X", "said", {"no_convoy": [["WATL", "SATL"]]}).faults(graph_of("cline9")) != []
    assert Statement("X", "said", {"no_convoy": [["WATL", "ETH"]]}).faults(graph_of("cline9")) != []


def test_closed_to_a_kind() -> None:
    """The list of provinces closed to fleets must be whole."""
    whole = ["b", "c", "h", "l", "w"]
    assert Statement("X", "said", {"closed_to": {"F": whole, "A": []}}).faults(graph_of("scottomacy")) == []
    assert Statement("X", "said", {"closed_to": {"F": whole[1:]}}).faults(graph_of("scottomacy")) != []
    assert Statement("X", "said", {"closed_to": {"F": [*whole, "a"]}}).faults(graph_of("scottomacy")) != []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('[[statement]]\nclause = "X"\nsays = "y"\narmies = [["PAR", "BUR"]]', "no such claim: armies"),
        ('[[statement]]\nclause = "X"\nsays = "y"', "claims nothing"),
        ('[[statement]]\nclause = "X"\nsays = "y"\nreading = true', "claims nothing"),
        ('[[statement]]\nclause = "X"\nsays = "y"\narmy = []', "claims nothing"),
        ('[[statement]]\nclause = "X"\nsays = "y"\ncoasts = {}', "claims nothing"),
        ('[[statement]]\nsays = "y"\narmy = [["PAR", "BUR"]]', "has a clause"),
        ("[[statements]]", "nothing else"),
    ],
)
def test_a_file_that_does_not_speak_the_vocabulary_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    """An unknown key, a statement without a claim and one without a clause are errors."""
    path = tmp_path / "statements.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=fault):
        read_statements(path)


@pytest.mark.parametrize(
    "claim",
    [
        {"army": [["PAR", "BRU"]]},
        {"army": [["PAR", "PAR"]]},
        {"fleet": [["SPA/WC", "MAO"]]},
        {"reach": {"KIE/NC": ["BAL"]}},
        {"choice": {"KIE": ["BAL"]}},
        {"count": {"castles": 3}},
        {"all": {"castles": ["PAR"]}},
        {"neighbours": {"PAR": {}}},
        {"neighbours": {"PAR": {"canoe": ["BUR"]}}},
        {"steps": [{"way": "fleet", "from": [], "to": ["BAL"], "is": 2}]},
        {"steps": [{"way": "fleet", "from": ["BLA"], "to": ["BAL"], "is": 2, "by": "CON"}]},
    ],
    ids=str,
)
def test_a_claim_that_makes_no_sense_is_an_error(claim: dict[str, Any]) -> None:
    """A place that is not on the board, a group or a way that nobody knows: an error, never a claim that holds."""
    with pytest.raises(ValueError, match=r"."):
        Statement("X", "said", claim).faults(graph_of("standard"))
