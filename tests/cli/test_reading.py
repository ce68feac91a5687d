"""`gamesmaster read`: texts in lines of JSON."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Run

UNITS = {"Germany": ["A Mun", "F Kie", "A Ber"], "France": ["A Par", "A Mar", "F Bre"]}
LETTER = {"variant": "standard", "phase": "movement", "units": UNITS, "power": "Germany", "text": ""}


def answers(run: Run, tmp_path: Path, lines: list[object], *options: str) -> list[dict[str, list[object]]]:
    """What is answered to some lines."""
    file = tmp_path / "letters.jsonl"
    written = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text("\n".join(written) + "\n", encoding="utf-8")
    result = run("read", str(file), *options)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.output.splitlines()]


def test_each_line_is_answered_on_the_same_line(run: Run, tmp_path: Path) -> None:
    """Orders, refusals and ways of reading stand on the line of the question, and a bad line stops nothing."""
    sheet = "Hi Bob,\nMünchen nach Burgund\nF Kie - Hlo\nA Ber - Kie if you like\n"
    found = answers(
        run,
        tmp_path,
        [
            {**LETTER, "text": sheet},
            "no JSON",
            {**LETTER, "power": "Germny"},
            {**LETTER, "phase": "lunch"},
            {**LETTER, "units": {"Germany": ["A Nowhere"]}},
            {**LETTER, "variant": "no such game"},
            {**LETTER, "text": 5},
            "[]",
            {**LETTER, "text": "<p>Hello</p><ul><li>A Mun H</li><li>F Kie - Den</li></ul>"},
            {**LETTER, "phase": "retreats", "dislodged": {"Germany": ["A Ruh"]}, "text": "A Ruh retreats to Bel"},
        ],
    )
    assert len(found) == 10
    assert found[0]["orders"] == ["A Mun - Bur"]
    assert found[0]["read_as"] == ["line 2: 'München nach Burgund' is read as A Mun - Bur"]
    assert [(no["line"], bool(no["hint"]), no["column"] >= 1) for no in found[0]["refused"]] == [  # type: ignore[index]
        (1, True, True),
        (3, True, True),
        (4, True, True),
    ]
    for answer in found[1:8]:
        assert answer["orders"] == []
        assert len(answer["refused"]) == 1
    assert found[8]["orders"] == ["A Mun H", "F Kie - Den"]
    assert found[9]["orders"] == ["A Ruh - Bel"]


def test_orders_are_written_in_another_dialect(run: Run, tmp_path: Path) -> None:
    """`--dialect` writes what was read as people and programs of that habit do."""
    text = {**LETTER, "text": "A Mun S A Ber - Kie"}
    assert answers(run, tmp_path, [text], "--dialect", "daide")[0]["orders"] == ["(GER AMY MUN) SUP (AMY BER) MTO KIE"]
    german = answers(run, tmp_path, [text], "--dialect", "german")[0]["orders"]
    assert german == ["Armee München unterstützt Armee Berlin nach Kiel"]
    assert run("read", "--dialect", "klingon", "-").exit_code == 3
