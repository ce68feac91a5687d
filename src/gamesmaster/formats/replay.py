"""Replay of recorded games, to compare each adjudication with the record.

The module reads our own records, games of other programs in every form that is known, and phases as JSON lines with a
`next` to compare with; each in a file of its own or many in one, gzipped or not.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import BinaryIO, Literal, cast

from gamesmaster.errors import BadFile, GamesmasterError, NotFound
from gamesmaster.files import decode
from gamesmaster.formats.documents import read_documents
from gamesmaster.formats.form import LARGEST, Form, RecordedGame, Source
from gamesmaster.formats.importing import Boards, form_of, refusal, with_builds_anywhere
from gamesmaster.formats.letters import Letter, letters_of, read_letters
from gamesmaster.formats.phases import Bench, PhaseLine, phase_of
from gamesmaster.formats.recorded import ImportedGame, phase_lines, recorded_game
from gamesmaster.formats.saved_games import OF_THEIR_TIME
from gamesmaster.formats.written import LINES
from gamesmaster.game import loads, verify
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rulebook
from gamesmaster.variant import Variant, find_variant

LARGEST_FILE = 2**30
"""Bytes of a file, unpacked; what comes after is refused."""
LARGEST_JSON = 2**22
"""Bytes of a document in JSON, whose values may take twenty times as much memory."""
MOST_UNPACKED = 64
"""Bytes that a packed file may hold for each byte read of it, beyond those of one document."""
MOST_BLANK = 10_000
"""Empty lines of a file."""

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
        self._find, self._rulebook = find, rulebook
        self._bench = Bench(find)
        self._anywhere = Bench(lambda name: with_builds_anywhere(find(name)))
        self._anywhere.others = self._bench.others
        self._others = rulebook or Rulebook.of(OF_THEIR_TIME)

    def file(self, path: Path, seen: Callable[[int], None] = lambda _: None) -> Iterator[Verdict]:
        """Yield a verdict on every phase in a file; `seen` is called with the number of bytes read.

        Raises `NotFound` for a missing file, `BadFile` if it cannot be read to its end.
        """
        for source in self._sources(path, seen):
            try:
                for phase in self._verdicts(source):
                    yield phase if isinstance(phase, Verdict) else self._judge(phase, source.where)
            except GamesmasterError as error:
                yield Verdict(source.where, differences=(str(error),))

    def phases(self, path: Path) -> Iterator[PhaseLine]:
        """Yield the phases of other programs' games in a file, ready to be adjudicated; raises at the first bad one."""
        for source in self._sources(path):
            yield from (phase for phase in self._verdicts(source) if isinstance(phase, PhaseLine))

    def games(self, *paths: Path) -> Iterator[ImportedGame]:
        """Yield the games of other programs in files or folders of mails.

        Lines of phases with the same name are one game, and so are mails of the same game.  Raises what `file` raises,
        and a `GamesmasterError` for a game that cannot be read.
        """
        every = (source for path in paths for source in self._sources(path))
        for (form, _), sources in groupby(every, _kind_of):
            if form is None:
                lines = [(phase, source.where) for source in sources for phase in self._verdicts(source)]
                phases = [(phase, where) for phase, where in lines if isinstance(phase, PhaseLine)]
                for _, run in groupby(phases, lambda one: one[0].game):
                    (first, where), *more = run
                    yield _imported(LINES, where, [first, *(phase for phase, _ in more)])
                continue
            for source in [_joined(list(sources))] if form.joined else sources:
                for game in form.games(source) if form.games else ():
                    yield _imported(form.id, source.where, [*self._phases(game, source.where, last=True)], game)

    def _sources(self, path: Path, seen: Callable[[int], None] = lambda _: None) -> Iterator[Source]:
        """Yield the documents of a file, each with the folders of boards."""
        for source in _sources(path, seen):
            yield replace(source, folders=getattr(self._find, "folders", ()))

    def _verdicts(self, source: Source) -> Iterator[PhaseLine | Verdict]:
        form, data = form_of(source), source.value
        if form and form.games:
            for game in form.games(source):
                yield from self._phases(game, source.where)
        elif form or not isinstance(data, Mapping):
            raise refusal(form, source, "neither a record, nor a game, nor a phase: not a JSON object")
        elif "commitment" in data:
            yield from self._record(source.data, source.where)
        else:
            phase = phase_of(data, self._bench, rulebook=self._others, where=source.where)
            if phase.flag == LAND_ROUTE:
                by_land = replace(phase.rules.rulebook, adjacent_convoy="by_intent_or_land")
                phase = phase_of(data, self._bench, rulebook=by_land, where=source.where)
            yield phase

    def _phases(self, game: RecordedGame, where: str, *, last: bool = False) -> Iterator[PhaseLine]:
        bench = self._anywhere if game.anywhere else self._bench
        return phase_lines(game, bench, self._rulebook, where, last=last)

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


def games_in(path: Path) -> Literal["", "games", "mails"]:
    """Return what the first document of a file or folder is: a game of another program or a phase, mails, or neither.

    Several mails make a game.
    """
    try:
        source = next(_sources(path), None)
    except GamesmasterError:  # the reader of games says why; a folder may have maps
        return "" if path.is_dir() else "games"
    try:
        form = form_of(source) if source else None
        if form and form.games:
            return "mails" if form.joined else "games"
        return "games" if form is None and source is not None and source.has("phase") else ""
    except GamesmasterError:  # its reader refuses it, with the place
        return ""


def import_games(
    *paths: Path | str, find: Callable[[str], Variant] = find_variant, folders: Iterable[Path] = ()
) -> Iterator[ImportedGame]:
    """Yield the games in files of other programs, each adjudicated again.  Mails of one game belong together.

    Their boards are those that `find` knows, else maps of other programs in `folders`, beside the file, or in an
    installed PyPI `diplomacy`.  Raises `NotFound` for a missing file or board, `BadFile` for another form or a fault,
    with its place.
    """
    files = [Path(path) for path in paths]
    yield from Replay(Boards(find, (*folders, *(file.parent for file in files)))).games(*files)


def _kind_of(source: Source) -> tuple[Form | None, str]:
    """Return the form of a document and, of a form with a game in each, where it was found."""
    form = form_of(source)
    if form and not form.games:
        raise refusal(form, source)
    return form, source.where if form and not form.joined else ""


def _joined(sources: list[Source]) -> Source:
    """Return the documents as one, which is found where the first is."""
    return Source(b"\n".join(source.data for source in sources), sources[0].where)


def _imported(form: str, where: str, phases: list[PhaseLine], said: RecordedGame | None = None) -> ImportedGame:
    """Return the game of these phases, adjudicated again."""
    differences = {one.phase.code: tuple(one.differences()) for one in phases if one.recorded is not None}
    game = recorded_game(phases, form)
    lost = list(said.lost) if said else []
    if said and said.messages:
        lost.append(f"not carried over: {said.messages} messages, since a record has no press")
    name = said.name if said else phases[0].game
    return ImportedGame(form, where, name, game, {code: told for code, told in differences.items() if told}, (*lost,))


def _sources(path: Path, seen: Callable[[int], None] = lambda _: None) -> Iterator[Source]:
    """Yield the documents of a file: each object of JSON, or the whole of another text."""
    if path.is_dir():
        letters = read_letters(path)
        if not letters:
            raise BadFile("no mails are in this folder", where=str(path))
        yield from (Source(letter.text.encode(), letter.where) for letter in letters)
        return
    try:
        with path.open("rb") as raw:
            stream = _unzip(raw)
            whole = b"" if _is_json(stream) else stream.read(LARGEST + 1)
            if len(whole) > LARGEST:
                raise BadFile(f"longer than {LARGEST:,} bytes, and not JSON", where=str(path))
            if whole.strip():
                yield from (Source(letter.text.encode(), letter.where) for letter in _letters(whole, str(path)))
            blank = 0
            for document in read_documents(stream, LARGEST_JSON):
                if not document.blank:
                    load = partial(document.data, LARGEST_JSON, str(path))
                    yield Source(document.text or b"{", document.place(str(path)), load=load)
                elif (blank := blank + 1) > MOST_BLANK:
                    raise BadFile(f"more than {MOST_BLANK:,} empty lines", where=str(path))
                seen(raw.tell())
    except FileNotFoundError:
        raise NotFound(f"no file {path}") from None
    except (OSError, EOFError, zlib.error, ValueError) as error:  # ValueError: a NUL in the name
        raise BadFile(f"cannot be read: {getattr(error, 'strerror', None) or error}", where=str(path)) from None


def _letters(whole: bytes, where: str) -> Iterable[Letter]:
    """Return the mails of a text, or the text as it is."""
    mails = whole.startswith((b"From ", b"From:", b"Return-Path:", b"Received:", b"Date:", b"Subject:"))
    return letters_of(whole, where) if mails else [Letter(decode(whole), where=where)]


def _is_json(stream: io.BufferedReader) -> bool:
    """Return whether a text begins as JSON does, or with blank lines."""
    return stream.peek(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[", b"")


def _unzip(raw: io.BufferedReader) -> io.BufferedReader:
    """Return the file's contents, unzipped if need be, and never more than `LARGEST_FILE` bytes of them."""
    zipped = raw.peek(2)[:2] == b"\x1f\x8b"
    inner = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if zipped else raw
    return io.BufferedReader(_Bounded(inner, raw if zipped else None))


class _Bounded(io.RawIOBase):
    """A stream that ends in an error after `LARGEST_FILE` bytes, or too many for what was read of `packed`."""

    def __init__(self, inner: BinaryIO, packed: BinaryIO | None) -> None:
        self._inner, self._packed, self._given = inner, packed, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._inner.read(len(buffer))
        self._given += len(data)
        most = LARGEST + MOST_UNPACKED * self._packed.tell() if self._packed else LARGEST_FILE
        if self._given > min(most, LARGEST_FILE):
            raise OSError(f"it holds more than {min(most, LARGEST_FILE):,} bytes")
        buffer[: len(data)] = data
        return len(data)
