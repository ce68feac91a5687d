"""JSON from strangers: read exactly as the standard reads it, or refused with its place."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.errors import BadFile, NotFound
from gamesmaster.strictjson import loads, path_text, read

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17) + 1, 10**18 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=4)
    ),
    max_leaves=20,
)


def height(value: object) -> int:
    """How deep lists and objects nest."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(height, inner), default=0)


@given(VALUES, st.booleans())
def test_reads_what_the_library_reads(value: object, ascii_only: bool) -> None:
    """Every value comes back at exactly its own depth, and is refused one level shallower."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    depth = height(value)
    assert loads(text, limit=10**6, depth=depth) == value
    assert loads(text.encode(), limit=10**6, depth=depth) == value
    if depth:
        with pytest.raises(BadFile, match="nested deeper"):
            loads(text, limit=10**6, depth=depth - 1)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"a": {"b": 1, "c": 2, "b": 3}}', r'\$\.a: the key "b" is given twice'),
        ('{"a": [1, {"b": NaN}]}', r"\$\.a\[1\]\.b: NaN is not a number"),
        ("[-Infinity]", r"\$\[0\]: -Infinity is not a number"),
        ('{"a b": 1e999}', r'\$\["a b"\]: this number is too large'),
        ("[1, 1234567890123456789]", r"\$\[1\]: this number is too long"),
        ('{"ordinal": -0}', r"\$\.ordinal: -0 is not a number here"),
        ("[" + "9" * 100_000 + "]", r"\$\[0\]: this number is too long"),
        (r'{"a": "\ud800"}', r"\$\.a: this text holds half a surrogate pair"),
        (r'{"a": {"\udfff": 1}}', r"\$\.a: a key holds half a surrogate pair"),
        ("[1,\n 2,]", "line 2, column 4: not JSON"),
        ("", "line 1, column 1: not JSON"),
        ("[1] [2]", "line 1, column 5: not JSON"),
        ("\ufeff[]", "not JSON"),
        ("['a']", "not JSON"),
        ('["a\nb"]', "not JSON"),
        ("[1, 0x10]", "not JSON"),
        ("[" * 200_000, "nested deeper than 8 levels"),
        ('{"a":' * 200_000, "nested deeper than 8 levels"),
        ("[" * 9 + "]" * 9, "nested deeper than 8 levels"),
        ("\ud800", "not UTF-8"),
        (b"\xff\xfe[]", "not UTF-8"),
        ('"' + "a" * 2_000_000 + '"', "larger than 1,000,000 bytes"),
        ("é" * 600_000, "larger than 1,000,000 bytes"),
    ],
)
def test_refuses(text: str | bytes, complaint: str) -> None:
    """Whatever is not plain JSON within the bounds is refused with its place."""
    with pytest.raises(BadFile, match=complaint):
        loads(text, limit=10**6, depth=8)


def test_a_text_that_must_be_sparse_has_few_lists() -> None:
    """A text of hardly anything but lists is refused where it must be sparse; a map's coast may be one."""
    text = "[" + "[]," * 100_000 + "[]]"
    with pytest.raises(BadFile, match="more than one list or object for every 16 bytes"):
        loads(text, limit=10**6, depth=8, sparse=True)
    assert loads(text, limit=10**6, depth=8)
    with pytest.raises(BadFile, match="nested deeper than 8 levels"):
        loads("[" * 200_000, limit=10**6, depth=8, sparse=True)


def test_brackets_in_strings_do_not_nest() -> None:
    """Brackets, quotes and backslashes inside strings count for nothing."""
    value = ['[[[["', '\\"[[[', "{{{\\", "\\\\", "]"]
    assert loads(json.dumps(value), limit=1000, depth=1) == value


def test_a_whole_surrogate_pair_is_text() -> None:
    """A character outside the basic plane may be written as an escaped pair."""
    assert loads(r'"\ud83d\ude00"', limit=100, depth=0) == "\U0001f600"


def test_the_source_is_named() -> None:
    """Complaints begin with the name of the source."""
    with pytest.raises(BadFile, match=r"^game\.json, \$\[0\]: "):
        loads("[NaN]", limit=100, depth=4, where="game.json")


def test_long_keys_are_clipped_in_a_path() -> None:
    """A path stays readable whatever the keys are."""
    assert path_text(["a", 1, "x" * 1000]) == '$.a[1]["' + "x" * 39 + '..."]'


def test_read_takes_a_bounded_bite(tmp_path: Path) -> None:
    """A file larger than allowed is refused, a missing one and a folder are told apart."""
    file = tmp_path / "a.json"
    file.write_text('{"a": [1]}')
    assert read(file, limit=10, depth=2) == {"a": [1]}
    with pytest.raises(BadFile, match=r"a\.json: larger than 9 bytes"):
        read(file, limit=9, depth=2)
    with pytest.raises(NotFound, match="no file"):
        read(tmp_path / "b.json", limit=9, depth=2)
    with pytest.raises(BadFile, match="directory"):
        read(tmp_path, limit=9, depth=2)
    with pytest.raises(BadFile, match="null"):
        read("a\0b", limit=9, depth=2)
