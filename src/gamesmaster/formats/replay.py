"""Replay of recorded games, to compare each adjudication with the record.

Saved games of the PyPI package `diplomacy`: one JSON object per game, with every phase's board and orders.

    {"id": "...", "map": "standard", "rules": [...], "phases": [
        {"name": "S1901M", "state": {"units": {...}, "centers": {...}, "retreats": {...}}, "orders": {...}}, ...]}

Each phase is turned into the data of a phase line, with the state of the phase after it to compare with.  A dislodged
unit is among the others with a star (`*A VEN`), and under `retreats` with the places open to it.

The module reads our own records, saved games of the PyPI package `diplomacy`, and phases as JSON lines with a `next` to
compare with; each in a file of its own or many in one, gzipped or not.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, BinaryIO, cast

from pydantic import Field

from gamesmaster.board import Position
from gamesmaster.errors import BadFile, GamesmasterError, NotFound
from gamesmaster.formats.documents import Document, read_documents
from gamesmaster.formats.phases import Bench, Entry, PhaseLine, phase_of
from gamesmaster.formats.states import BUILD_ANYWHERE, FORMING, PackageState
from gamesmaster.game import Game, loads, verify
from gamesmaster.game.state_models import MOST, Short, Text
from gamesmaster.judge import idle
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import BuildSites, Rulebook
from gamesmaster.schemas import validate
from gamesmaster.variant import Variant

MOST_PHASES = 5_000


class _Phase(Entry):
    name: Short
    state: PackageState
    orders: dict[Short, Annotated[list[Text], Field(max_length=MOST)] | None] = Field({})
    messages: list[Any] | dict[str, Any] = Field([])


class SavedGame(Entry):
    """A saved game, read."""

    id: Short = ""
    map: Short = "standard"
    rules: list[Short] = Field([], max_length=100)
    phases: list[_Phase] = Field(max_length=MOST_PHASES)

    @property
    def builds_anywhere(self) -> bool:
        """True if it was played with builds in any owned centre."""
        return BUILD_ANYWHERE in self.rules

    @property
    def messages(self) -> int:
        """The number of messages of players in it."""
        return sum(len(phase.messages) for phase in self.phases)

    def lines(self) -> Iterator[dict[str, object]]:
        """Yield the data of a phase line for each phase that another follows."""
        played = [phase for phase in self.phases if phase.name != FORMING]
        for phase, following in pairwise(played):
            yield {
                "game": self.id,
                "map": self.map,
                "phase": phase.name,
                **phase.state.board(),
                "orders": {power: texts or [] for power, texts in phase.orders.items()},
                "next": {"phase": following.name, **following.state.board()},
            }


def is_saved_game(data: object) -> bool:
    """Return whether this JSON data looks like a saved game."""
    return isinstance(data, Mapping) and "phases" in data and "map" in data


def read_saved_game(data: object, where: str = "") -> SavedGame:
    """Return the saved game in JSON data; raises `BadFile` with the path of the first thing wrong."""
    return validate(SavedGame, data, BadFile, where)


def recorded_game(phases: Iterable[PhaseLine]) -> Game:
    """Return the game of these phases, replayed from the variant's start with the recorded orders.

    Its seed comes from the game's name: the same phases give the same record.  Raises `BadFile` without any phase, if
    they are of more than one game, or if a phase is not the one that the orders led to.
    """
    game: Game | None = None
    name = ""
    for phase in phases:
        if game is None:
            name, seed = phase.game, hashlib.sha256(phase.game.encode()).digest()
            game = Game.start(phase.variant, seed=seed, rulebook=phase.rules.rulebook)
        elif phase.game != name or phase.variant is not game.variant:
            raise BadFile(f"more than one game: {name!r} and {phase.game!r}", hint="a record holds one")
        game = _play_phase(game, phase)
    if game is None:
        raise BadFile("no game of another program to write as a record")
    return game


def _play_phase(game: Game, phase: PhaseLine) -> Game:
    """Return the game one phase later; a phase in which nobody has anything to do is skipped (STD-3.a)."""
    where = f"{phase.game}, {phase.phase}"
    if phase.phase != game.phase or game.outcome:
        if idle(phase.rules, phase.phase.kind, phase.position):
            return game
        raise BadFile(game.outcome.text if game.outcome else f"{game.phase} is to be played", where=where)
    if _standing(phase.position) != _standing(game.position):
        raise BadFile("its units do not stand where the orders before it led them", where=where)
    for power, texts in phase.orders.items():
        if texts:
            game = game.submit(power, texts)
    return game.process()


def _standing(position: Position) -> set[str]:
    return {f"{unit.power} {unit}" for unit in position.units}


LARGEST = 16 * 2**20
"""Bytes of one document; longer ones are refused."""

LARGEST_FILE = 2**30
"""Bytes of a file, unpacked; what comes after is refused."""

OF_THEIR_TIME = {"preset": "datc", "4.D.8": "a"}
"""The rulebook of games recorded by others: until 2023, units were removed by their distance from home centres."""

OF_THE_PACKAGE = {**OF_THEIR_TIME, "4.A.3": "c"}
"""The rulebook of PyPI's `diplomacy`: there an army ordered by sea to the next province walks if it has no convoy."""

LAND_ROUTE = "land-route fallback"
"""The one flag of a line that is replayed all the same: by land, where an order by convoy has no convoy (4.A.3 c)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of replaying a phase.

    `where` is its file and line, `differences` the results that differ from the record, `skipped` why it was not
    replayed.  A document that cannot be read has no `kind`; `differences` says why.
    """

    where: str
    game: str = ""
    phase: str = ""
    kind: PhaseKind | None = None
    differences: tuple[str, ...] = ()
    skipped: str = ""


class Replay:
    """Replays files of recorded games.

    `find` returns the variant of a name; `rulebook`, if given, replaces the default for recorded games, but not a
    rulebook that a record or a line names.
    """

    def __init__(self, find: Callable[[str], Variant], rulebook: Rulebook | None = None) -> None:
        self._find = find
        self._bench = Bench(find)
        self._anywhere = Bench(lambda name: replace(find(name), build_sites=BuildSites.ANY_OWNED))
        self._others = rulebook or Rulebook.of(OF_THEIR_TIME)
        self._package = rulebook or Rulebook.of(OF_THE_PACKAGE)
        self.messages = 0
        """The number of messages of players in the games read so far; a record does not keep them."""

    def file(self, path: Path, seen: Callable[[int], None] = lambda _: None) -> Iterator[Verdict]:
        """Yield a verdict on every phase in a file; `seen` is called with the number of bytes read.

        Raises `NotFound` for a missing file, `BadFile` if it cannot be read to its end.
        """
        for place, phases in self._documents(path, seen):
            try:
                for phase in phases:
                    yield phase if isinstance(phase, Verdict) else self._judge(phase, place)
            except GamesmasterError as error:
                yield Verdict(place, differences=(str(error),))

    def phases(self, path: Path) -> Iterator[PhaseLine]:
        """Yield the phases of other programs' games in a file, ready to be adjudicated; raises at the first bad one."""
        for _, phases in self._documents(path, lambda _: None):
            yield from (phase for phase in phases if isinstance(phase, PhaseLine))

    def _documents(
        self, path: Path, seen: Callable[[int], None]
    ) -> Iterator[tuple[str, Iterator[PhaseLine | Verdict]]]:
        try:
            with path.open("rb") as raw:
                for document in read_documents(_unzip(raw), LARGEST):
                    if not document.blank:
                        yield document.place(str(path)), self._document(document, str(path))
                    seen(raw.tell())
        except FileNotFoundError:
            raise NotFound(f"no file {path}") from None
        except (OSError, EOFError, zlib.error, ValueError) as error:  # ValueError: a NUL in the name
            raise BadFile(f"cannot be read: {getattr(error, 'strerror', None) or error}", where=str(path)) from None

    def _document(self, document: Document, file: str) -> Iterator[PhaseLine | Verdict]:
        data, place = document.data(LARGEST, file), document.place(file)
        if not isinstance(data, Mapping):
            raise BadFile("neither a record, nor a saved game, nor a phase: not a JSON object", where=place)
        if "commitment" in data and document.text:
            yield from self._record(document.text, place)
        elif is_saved_game(data):
            game = read_saved_game(data, place)
            self.messages += game.messages
            bench = self._anywhere if game.builds_anywhere else self._bench
            for line in game.lines():
                yield phase_of(line, bench, rulebook=self._package, where=f"{place}, {line['phase']}")
        else:
            phase = phase_of(data, self._bench, rulebook=self._others, where=place)
            if phase.flag == LAND_ROUTE:
                by_land = replace(phase.rules.rulebook, adjacent_convoy="by_intent_or_land")
                phase = phase_of(data, self._bench, rulebook=by_land, where=place)
            yield phase

    def _judge(self, phase: PhaseLine, place: str) -> Verdict:
        verdict = Verdict(place, phase.game, phase.phase.code, phase.phase.kind)
        if phase.flag not in (None, LAND_ROUTE):
            return replace(verdict, skipped=phase.flag or "")
        if phase.recorded is None:
            return replace(verdict, skipped="no next phase to compare with")
        return replace(verdict, differences=tuple(phase.differences()))

    def _record(self, text: bytes, place: str) -> Iterator[Verdict]:
        """Yield a verdict on every phase of our own record; what differs outside them counts against the last."""
        game = loads(text, find=self._find, verify=False, where=place)
        by_phase: dict[str, list[str]] = {record.phase.code: [] for record in game.records}
        last = next(reversed(by_phase), "")
        for difference in verify(game):
            by_phase.setdefault(difference.phase if difference.phase in by_phase else last, []).append(str(difference))
        for record in game.records:
            code = record.phase.code
            yield Verdict(place, game.variant.id, code, record.phase.kind, tuple(by_phase.pop(code)))
        for differences in by_phase.values():
            yield Verdict(place, game.variant.id, differences=tuple(differences))


def _unzip(raw: io.BufferedReader) -> BinaryIO:
    """Return the file's contents, unzipped if need be, and never more than `MOST` bytes of them."""
    zipped = raw.peek(2)[:2] == b"\x1f\x8b"
    inner = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if zipped else raw
    return io.BufferedReader(_Bounded(inner))


class _Bounded(io.RawIOBase):
    """A stream that ends in an error after `MOST` bytes."""

    def __init__(self, inner: BinaryIO) -> None:
        self._inner, self._left = inner, LARGEST_FILE

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._inner.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise OSError(f"it holds more than {LARGEST_FILE:,} bytes")
        buffer[: len(data)] = data
        return len(data)
