"""The states of mechanics, kept in a position beside units and owners, and their publication.

Each mechanic declares the type of what it keeps between two phases, and whatever comes from outside is checked by it. A
type is built of `PowerKey`, `ProvinceKey`, `KindKey`, `UnitKey` and `Count`, in dictionaries, lists and tuples as JSON
has them; the same types give the JSON Schema of a state.

The ledger is what a Gamesmaster publishes of it with the position (CNW-N3).  Mechanics give its lines as data;
`game.ledger` gathers them, and every report, page and program prints the same.  All of it follows from the position,
which everybody knows: no order is behind a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias

from gamesmaster.errors import BadFile, nearest
from gamesmaster.orders import PhaseKind
from gamesmaster.rules.rules import Rules
from gamesmaster.rules.values import Mechanic, Season
from gamesmaster.strictjson import path_text

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationInfo
    from pydantic_core import CoreSchema


What = Literal["power", "province", "place", "kind", "unit"]
MOST = 1_000_000
"""The largest number that a state may hold: no game lasts so long."""


class _Unknown(ValueError):
    """A name that means nothing here, and the nearest that does."""

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.hint = hint


@dataclass(frozen=True)
class _Named:
    """Says of a text what it names; the checking context has the names there are."""

    what: What

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.with_info_after_validator_function(self._check_name, handler(source))

    def _check_name(self, name: str, info: ValidationInfo) -> str:
        names = (info.context or {}).get(self.what)
        if names is not None and name not in names:
            hint = nearest(name, names) if self.what != "unit" else ""
            raise _Unknown(f"no {self.what} {name[:40]!r}", hint)
        return name


@dataclass(frozen=True)
class _Counted:
    """Says of a number that it is whole, and not below `least`."""

    least: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.int_schema(strict=True, ge=self.least, le=MOST)


PowerKey = Annotated[str, _Named("power")]
"""The name of a power."""
ProvinceKey = Annotated[str, _Named("province")]
"""The id of a province."""
PlaceKey = Annotated[str, _Named("place")]
"""A province, or a coast of one: `STP/NC`."""
KindKey = Annotated[str, _Named("kind")]
"""The letters of a kind of unit."""
UnitKey = Annotated[str, _Named("unit")]
"""The number of a unit on the board, as a text: keys of JSON are texts."""
Count = Annotated[int, _Counted(0)]
"""A whole number from 0."""
Positive = Annotated[int, _Counted(1)]
"""A whole number from 1."""


class MechanicState:
    """A state of several parts: subclasses are dataclasses, and know no keys but their fields'."""

    __pydantic_config__: ClassVar[Mapping[str, str]] = MappingProxyType({"extra": "forbid"})


class StateCheck:
    """Checks what mechanics are said to have kept, by the types that they declare."""

    def __init__(self, rules: Rules) -> None:
        board = rules.board
        self._types = {m.id: type(m).kept for m in rules.mechanics if type(m).kept is not None}
        self._names: dict[str, Any] = {
            "power": frozenset(rules.powers),
            "province": board.index,
            "place": frozenset(map(str, board.locations)),
            "kind": frozenset(board.ways),
        }
        self._last: tuple[object, frozenset[str]] | None = None

    def check(self, state: Mapping[str, Any], numbers: Iterable[int], path: tuple[str | int, ...] = ("state",)) -> None:
        """Raise `BadFile`, with the path below `path`, unless mechanics can go on with this state.

        `numbers` are those of the units on the board, dislodged ones too.
        """
        units = frozenset(map(str, numbers))
        if self._last == (state, units):  # phase after phase has the same
            return
        for name, value in state.items():
            if name not in self._types:
                known = f"kept are {', '.join(self._types)}" if self._types else "nothing is kept in this variant"
                what = f"this variant keeps nothing as {name[:40]!r}"
                raise BadFile(what, where=path_text(path), hint=nearest(name, self._types) or known)
            _check(self._types[name], value, {**self._names, "unit": units}, (*path, name))
        self._last = ({**state}, units)


def _check(kind: Any, value: object, names: Mapping[str, Any], path: tuple[str | int, ...]) -> None:
    from pydantic import ValidationError

    try:
        _adapter(kind).validate_python(value, context=names)
    except ValidationError as invalid:
        fault: Mapping[str, Any] = invalid.errors(include_url=False)[0]
        error = fault.get("ctx", {}).get("error")
        within = [part for part in fault["loc"] if part != "[key]"]
        what = str(error) if error else f"{fault['msg'][0].lower()}{fault['msg'][1:]}"
        hint = error.hint if isinstance(error, _Unknown) else ""
        raise BadFile(what[:200], where=path_text((*path, *within)), hint=hint) from None


@lru_cache(maxsize=256)
def _adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def state_schemas(mechanics: Iterable[type[Mechanic]]) -> dict[str, Any]:
    """Return the JSON Schema of what each of these mechanics keeps, by its id; those that keep nothing are left out."""
    return {kind.id: _adapter(kind.kept).json_schema() for kind in mechanics if kind.kept is not None}


class Term(NamedTuple):
    """A phase from now on: its short code, its name without the kind (`Winter 1602`), and as mechanics know it.

    `counted` says that the owners of the centres are settled when it is over.
    """

    code: str
    name: str
    season: Season
    counted: bool = False


Fits: TypeAlias = "Callable[[Term], bool]"


@dataclass(frozen=True, slots=True)
class Ahead:
    """The phases from the one that is played, or comes next, on; they are worked out as far as somebody asks."""

    phases: Iterator[Term]
    _seen: list[Term] = field(default_factory=list)

    def find(self, fits: Fits, after: int = 0) -> Term | None:
        """Return the first phase that fits, or the one `after` further ones; None if the calendar does not reach it."""
        for term in self._terms():
            if fits(term):
                if not after:
                    return term
                after -= 1
        return None

    def of_kind(self, kind: PhaseKind, after: int = 0) -> Term | None:
        """Return the first phase of this kind, or the one `after` further ones."""
        return self.find(lambda term: term.season.kind is kind, after)

    def winter(self, after: int = 0) -> Term | None:
        """Return the present or next Winter, or the one `after` further ones."""
        return self.of_kind(PhaseKind.ADJUSTMENTS, after)

    @property
    def now(self) -> Term:
        """The phase that is played, or comes next."""
        return next(self._terms())

    def _terms(self) -> Iterator[Term]:
        yield from self._seen
        for term in self.phases:
            self._seen.append(term)
            yield term


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A line of the ledger: its `heading` and its `text`, which is complete without the other fields.

    `power` is its owner (the text does not name it), `province` its place, `number` the count, and `term` the phase in
    which something ends or comes; each may be empty.  `clause` is the rule behind it.
    """

    heading: str
    text: str
    power: str = ""
    province: str = ""
    number: int | None = None
    term: str = ""
    clause: str = ""


def phase_name(term: Term | None) -> str:
    """Return the name of a phase; None is a phase too late for any game."""
    return term.name if term else "a year far off"


def phase_code(term: Term | None) -> str:
    """Return the code of a phase; of none, nothing."""
    return term.code if term else ""
