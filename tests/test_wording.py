"""What people read is written in plain English: the turns that docs/glossary.md bans are nowhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "gamesmaster"
PAGES = ("*.md", "docs/*.md")
"""The documentation.  What is said of the code to those who change it has words of its own (`INSIDE`)."""
INSIDE = ("design.md", "library.md", "boards.md")
ROOMS = (
    "atlas", "batches", "board", "cli", "environments", "formats", "game", "host", "lab", "mechanics", "orders",
    "pictures", "players", "variants", "errors.py", "english.py", "files.py",
)  # fmt: skip
"""The rooms whose messages people read.  The judge's reasons have a test of their own, with every sentence in it."""

BANNED = {
    r"\bwhoever\b": "anyone who, the person who",
    r"\bone (does not|cannot|may|must|has to)\b": "you, players, nobody",
    r"\b(is|are|was|were) wanted\b": "is needed, is due, is expected",
    r"\bplayers? wanted\b": "needs a player",
    r"\bto be settled\b": "open",
    r"\bthere (is|are) none\b": "there are no games",
    r"\b(sit|sits|sat|sitting) down\b": "join",
    r"\b(sit|sits|sat) at\b": "play in, have a seat in",
    r"\bputs? in\b": "enter, add",
    r"\bset apart\b": "stopped by a fault",
    r"\blawful\b": "legal",
    r"\b(?:not|no|nobody|none)\b[^.;:]{0,60} any longer\b": "no longer",
    r"\d(?:\}| missed)? in a row lose\b": "a player who misses two deadlines in a row loses the seat",
    r"\bwhom (you|they|he) likes?\b": "anybody",
    r"\btold in\b": "shown in",
    r"\b(judged|judges|judge) otherwise\b|\botherwise than\b|\bis otherwise\b": "differently, different",
    r"\bfor want of\b": "because there is no",
    r"\bof one mind\b": "acting together",
    r"\bfare well\b": "goodbye",
    r"\b(an error|errors|a mistake) (is|are) claimed\b": "somebody reports",
    r"\bone's (?!complement)": "your, their",
    r"\bparted by\b": "separated by",
    r"\b(dealt|dealt out) by lot\b": "assigned by lot",
    r"\bif left out, so\b": "the default",
    r"\b(is|are) told (as|under|of|by|with)\b": "is shown, is reported, is named",
    r"\.md(#[\w-]+)?\) tells?\b": "describes, says how",
    r"\bNMR\b": "missed deadline, civil disorder",
    r"\b(due date|closing time)\b": "deadline",
    r"\blurkers?\b": "spectator",
    r"\btest games?\b": "sandbox",
    r"\bif left out\b": "by default",
    r"\bjust now\b": "at the moment, right now",
    r"\bwanted is\b": "expected",
    r"\bnot as usual\b": "changed",
    r"\bby itself and\b": "automatically and",
    r"\b(one|way) on a line\b": "one per line",
    r"\bonce more of\b": "again",
    r"\bwhose it is\b": "its owner, the power that owns it",
    r"\bbefalls?\b|\bbefell\b": "happens to",
    r"\bthe house\b(?! (rule|style))": "the project, the site",
    r"\bis asked of\b": "needs orders, are due from",
    r"\bso many (whole|orders|hours|turns|people)\b": "this many, the number of",
    r"(?<!there )(?<!here )\b(?:is|are|was) no (?!longer|more|less|other|such|way|need|doubt|better|worse)": "is not a",
}
"""Turns that read as translated, each with what to write in its place."""

PLAIN_ROOMS = (
    "atlas", "batches", "board", "cli", "engine", "environments", "formats", "game", "host", "judge", "lab",
    "mechanics", "orders", "pictures", "players", "reading", "rules", "testing", "variant", "__init__.py",
    "english.py", "errors.py", "files.py", "lazy.py", "schemas.py", "strictjson.py", "unpacking.py", "version.py",
)  # fmt: skip
"""The rooms whose docstrings have neither the turns of `BANNED` nor these."""
INWARD = {
    r"\b(is|are) (?-i:no|none)\b(?! (longer|more|less))": "is not a, without",
    r"\bso (many|much)\b(?! (as|that))": "this many, the number of",
    r"\b(is|are) told\b|\btells? of\b": "is notified, is shown, describes",
    r"\bbef(e|a)ll\w*\b": "happens to",
    r"\baboard of\b": "aboard",
    r"\bhangs? on\b": "depends on",
    r"\bby lot\b": "at random",
}
"""Turns of docstrings that read as translated, each with what to write in its place."""
FRAGMENT = re.compile(
    r"(The|An?|What|Where|Why|How|Whether|Which|Who|Whose|As|By|With|Nothing|Nobody|None|In|At|To|From|For|Of|It|They"
    r"|These|Another|Each|Every)\b|[a-z`\[{(]"
)
"""How a docstring begins that does not say what its function does or returns, but only names something."""


def shown(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a module that people may read, with their lines: its strings, and what a command says of itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {
        id(node.value)
        for parent in ast.walk(tree)
        for node in ast.iter_child_nodes(parent)
        if isinstance(node, ast.Expr) and not _speaks(parent) and "For example:" not in (_text(node.value) or "")
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.lineno, node.value


def _text(node: ast.AST) -> str | None:
    """The text of a constant: the help of a command has examples, and so is told from other descriptions."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _speaks(parent: ast.AST) -> bool:
    """Is this a function whose description people read: a command's, or that of a call of the API?"""
    if not isinstance(parent, ast.FunctionDef):
        return False
    return any("command" in ast.unparse(d) or "router" in ast.unparse(d) for d in parent.decorator_list)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """What people read in a file, with the line of each text."""
    if path.suffix == ".py":
        yield from shown(path)
        return
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|<[^>]*>", lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    if path.suffix == ".md":
        text = re.sub(r"(?ms)^ *```.*?^ *```|`[^`\n]*`", lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    if path.suffix == ".js":
        text = re.sub(r"(?m)(^|\s)//.*$|/\*.*?\*/", "", text)
    if path.suffix == ".po":
        text = re.sub(r'(?m)^#.*$|"\n"', lambda found: "" if found[0] == '"\n"' else " ", text)
    if path.name == "glossary.md":
        text = re.sub(r"(?m)^(\||- Say|- \"is not a\").*", "", text)  # it names the turns that it bans
    yield from enumerate(text.split("\n"), 1)


@cache
def read() -> list[tuple[str, int, str]]:
    """Everything that people read: file, line and text."""
    found = [path for room in ROOMS for path in [SOURCE / room, *(SOURCE / room).rglob("*")]]
    pages = [path for path in found if path.suffix in (".py", ".html", ".txt", ".js", ".po")]
    pages = [path for path in pages if not {"migrations", "fonts"} & set(path.parts)]
    pages += [path for page in PAGES for path in sorted(ROOT.glob(page)) if path.name not in INSIDE]
    return [(str(path.relative_to(ROOT)), line, text) for path in pages for line, text in texts(path)]


@pytest.mark.parametrize("turn", BANNED)
def test_no_turn_that_reads_as_translated(turn: str) -> None:
    """No page, message, e-mail, help text or document has a banned turn; each is shown with a better one."""
    found = [
        f"{path}:{line}: {text.strip()[:120]}" for path, line, text in read() if re.search(turn, text, re.IGNORECASE)
    ]
    assert not found, f"write: {BANNED[turn]}\n" + "\n".join(found)


@cache
def docstrings(room: str) -> list[tuple[str, str]]:
    """Return the docstrings of a room, each with its file and line, on one line."""
    found = [SOURCE / room] if room.endswith(".py") else sorted((SOURCE / room).rglob("*.py"))
    paths = [path for path in found if "migrations" not in path.parts]
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno}", " ".join(text.split()))
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Expr) and (text := _text(node.value))
    ]


@pytest.mark.parametrize("room", PLAIN_ROOMS)
def test_docstrings_have_no_turn_that_reads_as_translated(room: str) -> None:
    """No docstring of a plain room has a banned turn; each is shown with a better one."""
    found = [
        f"{where}: {text[:120]}\n    write: {better}"
        for where, text in docstrings(room)
        for turn, better in (BANNED | INWARD).items()
        if re.search(turn, text, re.IGNORECASE)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("room", PLAIN_ROOMS)
def test_docstrings_ask_no_questions(room: str) -> None:
    """No docstring of a plain room begins with a question: it says what is returned or done."""
    first = {where: re.split(r"(?<=[.?!])\s", text, maxsplit=1)[0] for where, text in docstrings(room)}
    found = [f"{where}: {sentence[:120]}" for where, sentence in first.items() if sentence.endswith("?")]
    assert not found, "\n".join(found)


def _is_action(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function does or returns something: it is not a property, a command or a call of the API."""
    named = " ".join(ast.unparse(one) for one in node.decorator_list)
    return not re.search(r"property|command|router", named)


@pytest.mark.parametrize("room", [room for room in PLAIN_ROOMS if room not in ("cli", "environments", "lab")])
def test_docstrings_of_functions_begin_with_a_verb(room: str) -> None:
    """No docstring of a function only names something: it begins with "Return", "Move" or another verb."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {text[:100]}"
        for path in ([SOURCE / room] if room.endswith(".py") else sorted((SOURCE / room).rglob("*.py")))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _is_action(node)
        if (text := ast.get_docstring(node)) and FRAGMENT.match(text)
    ]
    assert not found, "\n".join(found)
