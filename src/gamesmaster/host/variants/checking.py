"""The check of an upload: a program of its own, with bounds on time, memory and files, that knows no site.

    python -P -m gamesmaster.host.variants.checking < UPLOAD > REPORT

It reads a line of JSON (`Question`) and then the bytes of the upload, and writes a `Report` as JSON. The environment of
the site, its database and its secrets are not handed on to it (`ask`).
"""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
import tempfile
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamesmaster.errors import BadFile, GamesmasterError, OutOfTurn
from gamesmaster.unpacking import SIGNATURE, check_name, pack, unpack
from gamesmaster.variant import BOARD, RULES, SHAPES, VARIANT, read_toml

if TYPE_CHECKING:
    from gamesmaster.board import Board
    from gamesmaster.formats import Offer
    from gamesmaster.pictures import Shapes
    from gamesmaster.variant import Variant

LOG = logging.getLogger("gamesmaster.host")
SECONDS = 90
"""The longest time of a check."""
PROCESSOR_SECONDS = 45
PICTURE_SECONDS = 20
"""Seconds of processor after which no more variants of a pack are drawn."""
DRAWING_SECONDS = 4
"""The longest time that both maps of the start may take: pages draw them too."""
MEMORY = 1536 * 1024 * 1024
LARGEST_FILE = 16 * 1024 * 1024
MOST_OPEN = 64
PHASES = 120
"""Phases that are played at random."""
BOT_YEARS = 1
MOST_FINDINGS = 100
LARGEST_NUMBER = 1_000_000
FOLDER = "upload"
MAP = "map.svg"
"""The picture of the start, in `Report.beside`."""
ZIPS = ("archive", "beside")
"""The fields of a report that hold bytes."""
KEPT_FILES = (VARIANT, BOARD, SHAPES, RULES)
"""The files of a variant that are read; others are left out."""
KEPT = ("PATH", "LANG", "SYSTEMROOT", "TMPDIR")
"""Variables of the environment that the check gets."""
TOO_MUCH = "the check took more time or memory than an upload may take"
BROKEN = "the program could not check this; what went wrong is in the log of the site"


@dataclass(frozen=True, slots=True)
class Question:
    """What is checked: `file` is the name of the upload, `key` and `name` those of the variant on the site."""

    file: str
    key: str
    name: str = ""  # once it has one
    among: int = 1  # the number of the edition
    only: str = ""  # of a pack of another program: the id of the variant that is meant


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that the check of an upload has found; an `error` must be mended, a `warning` need not."""

    level: str
    where: str
    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A variant in a pack: `fault` says why it cannot be imported, else the other fields what it is."""

    id: str
    name: str
    powers: tuple[str, ...] = ()
    provinces: int = 0
    centres: int = 0
    begins: str = ""
    fault: str = ""
    drawn: bool = False  # whether there is a picture of it


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a check; the edition is there if no finding is an error.

    Of a pack of several variants it has the `choices` instead, of which its owner picks.
    """

    findings: tuple[Fault, ...] = ()
    remarks: tuple[str, ...] = ()
    name: str = ""  # the id of the variant on the site
    title: str = ""
    digest: str = ""
    archive: bytes = b""
    beside: bytes = b""  # a zip of what decides no game: pictures of the start, and `scenarios.json`
    words: tuple[str, ...] = ()  # names that readers will see: of the variant, its powers and kinds of unit
    choices: tuple[Choice, ...] = ()

    @property
    def passed(self) -> bool:
        """Return whether the files could be read without an error."""
        return bool(self.archive) and not any(one.level == "error" for one in self.findings)


def ask(question: Question, data: bytes) -> Report:
    """Check an upload in a process of its own; whatever becomes of that, return a report."""
    command = [sys.executable, "-P", "-m", __name__]
    around = {name: os.environ[name] for name in KEPT if name in os.environ}
    around["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))  # read in another folder
    around |= {"OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    given = json.dumps(asdict(question)).encode() + b"\n" + data
    with tempfile.TemporaryDirectory(prefix="gamesmaster-check-") as folder:
        try:
            around["TMPDIR"] = folder
            done = subprocess.run(
                command, input=given, capture_output=True, timeout=SECONDS, env=around, cwd=folder, check=False
            )
        except subprocess.TimeoutExpired:
            return _failed(TOO_MUCH)
    if done.returncode:
        why = done.stderr[-500:].decode(errors="replace")
        LOG.warning("the check of an upload ended", extra={"code": done.returncode, "why": why})
        return _failed(TOO_MUCH if done.returncode < 0 else BROKEN)
    try:
        return _read_report(done.stdout)
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        LOG.error("the check of an upload cannot be read", exc_info=fault)
        return _failed(BROKEN)


def _failed(text: str) -> Report:
    hint = "a smaller board, or simpler parameters" if text == TOO_MUCH else ""
    return Report((Fault("error", "", text, hint),))


def _read_report(text: bytes) -> Report:
    data = json.loads(text)
    findings = tuple(Fault(**one) for one in data.pop("findings"))
    choices = tuple(Choice(**one) for one in data.pop("choices"))
    archive, beside = (b64decode(data.pop(name)) for name in ZIPS)
    rest = {key: _plain(value) for key, value in data.items()}
    return Report(findings, archive=archive, beside=beside, choices=choices, **rest)


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# -- in the process of its own ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Check:
    """A check under way."""

    question: Question
    root: Path
    findings: list[Fault] = field(default_factory=list)
    remarks: tuple[str, ...] = ()
    beside: dict[str, bytes] = field(default_factory=dict)
    shapes: dict[str, Shapes | None] = field(default_factory=dict)  # diagrams by the boards' files
    begun: float = field(default_factory=time.process_time)  # seconds of processor that this process had used

    def report(self, data: bytes) -> Report:
        try:
            return self._report(data)
        except GamesmasterError as error:
            self.add("error", error.where, error.what, error.hint)
        except MemoryError:
            self.add("error", "", TOO_MUCH, "")
        except RecursionError:
            self.add("error", "", "something in it is nested too deep", "")
        return Report(tuple(self.findings[:MOST_FINDINGS]), self.remarks)

    def _report(self, data: bytes) -> Report:
        from gamesmaster.variant import read_variant

        files = unpack(data, self.question.file)
        if VARIANT in files:
            folder = self.root / (_given_id(files[VARIANT]) or FOLDER)
            _write(folder, {name: files[name] for name in KEPT_FILES if name in files})
        else:
            offers = self.offers(files)
            if len(offers) > 1:
                choices = tuple(map(self.choice, offers))
                return Report(tuple(self.findings), beside=pack(self.beside), choices=choices)
            folder = self.imported(offers[0])
        self.lint(folder)
        if any(one.level == "error" for one in self.findings):
            return Report(tuple(self.findings[:MOST_FINDINGS]), self.remarks)
        variant = self.renamed(read_variant(folder).edition)
        self.run_scenarios(variant, files)
        self.play(variant)
        passed = not any(one.level == "error" for one in self.findings)
        words = (variant.name, *(word for p in variant.powers for word in (p.name, p.adjective, *p.also)))
        kinds = (word for of_kind in variant.kinds.values() for word in of_kind)
        return Report(
            tuple(self.findings[:MOST_FINDINGS]), self.remarks, variant.id, variant.name, variant.digest,
            variant.edition.pack() if passed else b"", pack(self.beside), (*words, *kinds),
        )  # fmt: skip

    def add(self, level: str, where: object, text: str, hint: str) -> None:
        """Add a finding."""
        self.findings.append(Fault(level, *map(self.plain, (where, text, hint))))

    def plain(self, text: object) -> str:
        """Return a text without the path of the checked folder, and without characters that a page does not show."""
        return _printable(re.sub(rf"\S*{re.escape(self.root.name)}/([a-z0-9_]+/)?", "", str(text))[:400])

    def offers(self, files: Mapping[str, bytes]) -> list[Offer]:
        """Return the variants in these files of another program, or the one that is meant; raise `BadFile`.

        Beside several variants, other files that cannot be read are findings.
        """
        from gamesmaster.formats import variants_in

        for name in files:
            check_name(name)
        source = self.root / "source"
        _write(source, files)
        found: dict[str, Offer] = {}
        faults: list[GamesmasterError] = []
        for name in [name for name in files if name.casefold() == "variants.xml"] or files:
            try:
                if files[name].startswith(SIGNATURE):
                    raise BadFile("no form of file that is imported here: a zip in a zip", where=name)
                for offer in variants_in(source / name):
                    found.setdefault(offer.id, offer)
            except GamesmasterError as fault:
                faults.append(fault)
        if self.question.only:
            found = {id_: offer for id_, offer in found.items() if id_ == self.question.only}
            faults = [BadFile("this variant is not in the pack", where=self.question.only)]
        if not found:
            raise faults[0] if len(faults) == 1 else BadFile(
                "no variant.toml, and no map of another program",
                hint="`gamesmaster formats` lists the forms that are read",
            )  # fmt: skip
        for beside in faults[:MOST_FINDINGS] if len(found) > 1 else ():
            self.add("warning", beside.where, beside.what, beside.hint)
        return list(found.values())

    def choice(self, offer: Offer) -> Choice:
        """Return a variant of a pack as its owner sees it before it is chosen."""
        name = self.plain(offer.name)
        try:
            variant = offer.load().variant
        except GamesmasterError as fault:
            return Choice(offer.id, name, fault=self.plain(fault))
        powers = tuple(self.plain(power.name) for power in variant.powers)
        board, begins = variant.board, variant.calendar.name(variant.calendar.first)
        shapes = self.diagram(board) if time.process_time() - self.begun < PICTURE_SECONDS else None
        if shapes is not None:
            self.beside[f"{offer.id}.svg"] = start_svg(variant, shapes).encode()
        return Choice(
            offer.id, name, powers, len(board.provinces), len(board.centres), begins, drawn=shapes is not None
        )

    def diagram(self, board: Board) -> Shapes | None:
        """Return shapes of a board, drawn once; None if it cannot be drawn, or what that needs is not installed."""
        from gamesmaster.board import board_text

        text = board_text(board)
        if text not in self.shapes:
            try:
                from gamesmaster.atlas import draw_diagram

                self.shapes[text] = draw_diagram(board)
            except (ImportError, GamesmasterError):
                self.shapes[text] = None
        return self.shapes[text]

    def imported(self, offer: Offer) -> Path:
        """Return the folder of a variant of another program, with a map."""
        from gamesmaster.pictures import shapes_text

        made = offer.load()
        self.remarks = tuple(_printable(remark[:400]) for remark in made.remarks[:MOST_FINDINGS])
        folder = self.root / made.variant.family
        made.write(folder)
        shapes = self.diagram(made.variant.board)
        if shapes is not None:
            (folder / SHAPES).write_bytes(shapes_text(shapes).encode())
        return folder

    def lint(self, folder: Path) -> None:
        """Add what the linters find in a folder; a variant of the site needs a map."""
        from gamesmaster.pictures import lint_files
        from gamesmaster.variant import is_packaged, lint_folder

        for finding in (*lint_folder(folder), *lint_files(folder)):
            level = "error" if finding.code == "no-map" else finding.level
            self.add(level, finding.where, finding.text, finding.hint)
        if is_packaged(folder.name):
            what = f"{folder.name} is the id of a variant that comes with the program"
            self.add("error", f"{VARIANT}, id", what, "choose another id")
        for key, number in _numbers(_data((folder / VARIANT).read_bytes()), ""):
            if not abs(number) <= LARGEST_NUMBER:
                self.add("error", f"{VARIANT}, {key}", "this number is too large", f"at most {LARGEST_NUMBER:,}")

    def renamed(self, edition: Any) -> Any:
        """Return the variant of an edition under its id on the site."""
        from gamesmaster.variant import Edition, read_edition

        text = edition.text(VARIANT)
        stem = self.question.name or f"{_stem(_given_id(text.encode()))}_{self.question.key}"
        name = stem if self.question.among == 1 else f"{stem}_{self.question.among}"
        new = with_id(text, name)
        return read_edition(Edition(tuple((n, new if n == VARIANT else t) for n, t in edition.files)))

    def run_scenarios(self, variant: Any, files: Mapping[str, bytes]) -> None:
        """Run the worked cases that came with a variant; add those that come out differently."""
        from gamesmaster.testing import SCENARIOS, check_scenarios

        if SCENARIOS in files:
            for problem in check_scenarios(variant, files[SCENARIOS]).problems[:MOST_FINDINGS]:
                self.add("error", SCENARIOS, problem, "")
            self.beside[SCENARIOS] = files[SCENARIOS]

    def play(self, variant: Any) -> None:
        """Draw the map, and play at random and with bots; add what goes wrong."""
        from gamesmaster.game import rules_of
        from gamesmaster.pictures import shapes_of
        from gamesmaster.players import find_player, play
        from gamesmaster.rules import Rulebook
        from gamesmaster.testing import check_variant

        rules_of(variant, Rulebook.of(variant.rulebook))
        begun = time.process_time()
        self.beside[MAP] = start_svg(variant, shapes_of(variant)).encode()
        start_svg(variant, shapes_of(variant), "narrow")
        if time.process_time() - begun > DRAWING_SECONDS:
            self.add("error", SHAPES, "this map takes too long to draw", "fewer points")
        for problem in check_variant(variant, phases=PHASES, name=variant.id):
            self.add("error", "", problem.partition("\n")[0], "")
        bots = {power.name: find_player("heuristic") for power in variant.powers}
        first = variant.calendar.date(variant.calendar.first)
        try:
            play(variant, bots, seed=1, until=first + BOT_YEARS * variant.calendar.years_per_turn)
        except OutOfTurn as fault:
            self.add("error", fault.where, fault.what, fault.hint)


def _printable(text: str) -> str:
    """Return a text without characters that a database does not store or a page does not show."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def with_id(text: str, name: str) -> str:
    """Return the text of a `variant.toml` with another id; raise `BadFile` if its line cannot be told from others."""
    new = re.sub(r"""(?m)^(\s*id\s*=\s*)(["'])\w+\2""", rf'\1"{name}"', text, count=1)
    if _given_id(new.encode()) != name or _without_id(new) != _without_id(text):
        hint = 'write it as a line: id = "my_game"'
        raise BadFile("the line of the id cannot be identified", where="variant.toml, id", hint=hint)
    return new


def own_id(name: str) -> str:
    """Return an id for a copy of the variant with this name."""
    return f"my_{_stem(name)}"


def _stem(name: str) -> str:
    """Return the beginning of an id on the site: the variant's own id, without a key that a site has added."""
    return re.sub(r"_[a-hjkmnp-z]{10}(_\d+)?$", "", name)[:17].rstrip("_")


def _given_id(toml: bytes) -> str:
    """Return the id in a `variant.toml`, empty if it has none that can be one."""
    from gamesmaster.formats import is_id

    found = _data(toml).get("id")
    return found if isinstance(found, str) and is_id(found) else ""


def _data(toml: bytes) -> dict[str, object]:
    """Return the data of a `variant.toml`, empty if it cannot be read; the linter says why."""
    try:
        return read_toml(toml, VARIANT)
    except BadFile:
        return {}


def _without_id(text: str) -> dict[str, object]:
    return {key: value for key, value in _data(text.encode()).items() if key != "id"}


def _numbers(value: object, key: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield key, value
    elif isinstance(value, Mapping):
        for inner, part in value.items():
            yield from _numbers(part, f"{key} {inner}".strip())
    elif isinstance(value, list):
        for part in value:
            yield from _numbers(part, key)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def start_svg(variant: Variant, shapes: Shapes, layout: str = "wide") -> str:
    """Return the map of a variant's start as SVG."""
    from gamesmaster.pictures import Look, Picture, Snapshot, signs_of
    from gamesmaster.rules import Rules

    look, signs = Look("light", layout), signs_of(Rules.of(variant))
    drawn = Picture(variant.board, shapes, variant.powers, look, signs=signs)
    return drawn.svg(Snapshot(variant.start, variant.name, variant.calendar.name(variant.calendar.first)))


def _bind() -> None:
    """Bound what this process may use, where the system knows how."""
    try:
        import resource
    except ImportError:  # Windows: the time alone is bounded
        return
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, PROCESSOR_SECONDS),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_NOFILE, MOST_OPEN),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
    os.nice(10)


def main() -> None:
    """Check the upload on standard input, and write the report to standard output."""
    _bind()
    question = Question(**json.loads(sys.stdin.buffer.readline()))
    data = sys.stdin.buffer.read()
    with tempfile.TemporaryDirectory() as folder:
        report = _Check(question, Path(folder)).report(data)
    told = asdict(report) | {name: b64encode(getattr(report, name)).decode() for name in ZIPS}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
