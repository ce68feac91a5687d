"""What mechanics keep between two phases: each declares its type, and whatever comes from outside is checked by it.

A type is built of `Power`, `Province`, `Kind`, `UnitNumber` and `Count`, in dictionaries, lists and tuples as JSON has
them.  The same types give the JSON Schema of a state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.values import Mechanic
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

        return core_schema.with_info_after_validator_function(self._known, handler(source))

    def _known(self, name: str, info: ValidationInfo) -> str:
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


Power = Annotated[str, _Named("power")]
Province = Annotated[str, _Named("province")]
Place = Annotated[str, _Named("place")]
"""A province, or a coast of one: `STP/NC`."""
Kind = Annotated[str, _Named("kind")]
UnitNumber = Annotated[str, _Named("unit")]
"""The number of a unit on the board, as a text: keys of JSON are texts."""
Count = Annotated[int, _Counted(0)]
Positive = Annotated[int, _Counted(1)]


class Kept:
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
            _checked(self._types[name], value, {**self._names, "unit": units}, (*path, name))
        self._last = ({**state}, units)


def _checked(kind: Any, value: object, names: Mapping[str, Any], path: tuple[str | int, ...]) -> None:
    from pydantic import ValidationError

    try:
        _adapter(kind).validate_python(value, context=names)
    except ValidationError as found:
        fault: Mapping[str, Any] = found.errors(include_url=False)[0]
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
    """The JSON Schema of what each of these mechanics keeps, by its id; those that keep nothing are left out."""
    return {kind.id: _adapter(kind.kept).json_schema() for kind in mechanics if kind.kept is not None}
