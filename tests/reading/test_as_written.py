"""Orders as people really write them, in every dialect of the hobby."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from tests.reading.corpus import MISTAKEN, Judge, entries, read

pytestmark = [pytest.mark.bulk, pytest.mark.together]

DIALECTS = sorted({entry["dialect"] for entry in entries()})


@cache
def measured(dialect: str) -> tuple[Counter[str], list[str], list[tuple[str, int, str]]]:
    """The verdicts on a dialect's texts, the wrong ones, and where and with what hint others are refused."""
    verdicts: Counter[str] = Counter()
    wrong, refused = [], []
    for entry in entries():
        if entry["dialect"] != dialect:
            continue
        found = read(entry)
        verdict = Judge(entry).verdict(found)
        verdicts[verdict] += 1
        if verdict == "wrong" and entry["id"] not in MISTAKEN:
            wrong.append(f"{entry['id']} {entry['text']!r}")
        refused += [(entry["text"], no.column, no.hint) for no in found.refused]
    return verdicts, wrong, refused


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dialect_is_read_as_it_is_meant(dialect: str) -> None:
    """Of each dialect at least nine texts in ten are read as meant, and none as something else."""
    verdicts, wrong, _ = measured(dialect)
    assert not wrong
    assert verdicts["right"] >= 0.9 * verdicts.total()


def test_nearly_all_texts_are_read_as_they_are_meant() -> None:
    """Of all texts at least 97 in 100 are read as meant, or refused if they must be."""
    total = sum((measured(dialect)[0] for dialect in DIALECTS), Counter[str]())
    assert total.total() == len(entries())
    assert total["right"] >= 0.97 * total.total()
    assert len(MISTAKEN) < 15


def test_what_is_refused_is_told_where_and_what_else() -> None:
    """Every refused text has the place of the fault; a hint is given only where a legal order resembles the text."""
    refused = [no for dialect in DIALECTS for no in measured(dialect)[2]]
    assert len(refused) > 50
    assert all(column >= 1 for _, column, _ in refused)
    assert sum(bool(hint) for *_, hint in refused) >= 0.5 * len(refused)
