"""The errors people meet, in one small tree.

```
GamesmasterError
├── BadFile            a file that is not what it should be (board, shapes, variant, record, rulebook)
│   ├── BadBoard       a board whose parts do not fit together
│   ├── BadShapes      shapes of a board that cannot be drawn
│   └── Untrue         a record that does not follow from its own orders (gamesmaster.game)
├── BadOrder           a text that cannot become an order
│   ├── Unreadable     its words make no order
│   └── Ambiguous      a name in it could mean several things
├── BadPosition        units that cannot be where they are
├── BadRulebook        a rule choice nobody knows
├── NotFound           no such variant, power, phase, province or game
└── OutOfTurn          a thing asked at the wrong moment (an order for another phase, a finished game)
```

Each says *what* is wrong, *where*, and, if there is one, the nearest right thing.  Orders never raise out of
adjudication: there they become rulings with a reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from difflib import get_close_matches


class GamesmasterError(Exception):
    """The base of all errors that a person can correct.

    `what` says what is wrong, `where` names the place (a file, a JSON path, a line and column), and `hint` the nearest
    valid name or what to do.  `where` and `hint` may be empty.
    """

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        self.what, self.where, self.hint = what, where, hint
        super().__init__(str(self))

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what}{f' ({self.hint})' if self.hint else ''}"


class BadFile(GamesmasterError):
    """A file that does not have the expected content: a board, shapes, a variant, a record or a rulebook."""


class BadBoard(BadFile):
    """A board whose parts do not fit together."""


class BadShapes(BadFile):
    """Shapes of a board that cannot be drawn."""


class BadPosition(GamesmasterError):
    """Units that cannot be where they are: an unknown province or kind, or two where one has room."""


class BadRulebook(GamesmasterError):
    """An unknown rule choice, or an unknown answer to one."""


class NotFound(GamesmasterError):
    """No such variant, power, phase, province or game."""


class OutOfTurn(GamesmasterError):
    """A request at the wrong moment: orders for another phase, or a change of a finished game."""


class BadOrder(GamesmasterError):
    """A text that cannot become an order.

    `text` is the text as given; `line` and `column` count from 1 and point at the word that is wrong.
    """

    def __init__(self, what: str, *, text: str = "", line: int = 1, column: int = 1, hint: str = "") -> None:
        self.text, self.line, self.column = text, line, column
        super().__init__(what, where=f"line {line}, column {column}", hint=hint)


class Unreadable(BadOrder):
    """The words make no order."""


class UnknownPlace(Unreadable):
    """A word that stands where a province should is the name of none."""


class Ambiguous(BadOrder):
    """A name in the text could mean several things; `options` lists them.

    Of provinces, `meanings` are the ids, and `word` is the number (from 0) of the word that begins the name.
    """

    def __init__(
        self, what: str, *, options: Iterable[str] = (), meanings: Iterable[str] = (), word: int = 0, **place: object
    ) -> None:
        self.options, self.meanings, self.word = tuple(options), tuple(meanings), word
        super().__init__(what, **place)  # type: ignore[arg-type]


def must_be(kind: type | tuple[type, ...], value: object, wanted: str) -> None:
    """Raise `TypeError` with the expected type (`wanted`) if `value` is not of this kind."""
    if not isinstance(value, kind):
        raise TypeError(f"expected {wanted}, not {_describe(value)}")


def _describe(value: object) -> str:
    """Return a short value as it is written, any other by its type."""
    written = repr(value) if isinstance(value, str | int | float | None) else ""
    return written if 0 < len(written) < 60 else f"a {type(value).__name__}"


def with_line(error: GamesmasterError, where: str) -> GamesmasterError:
    """Return the error with the line of a file named, in place of JSON's own count of lines."""
    within = error.where.removeprefix("line 1, ") if where else error.where
    error.where = ", ".join(filter(None, (where, within)))
    return error


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint naming the known word most like `word`, or an empty string.

    >>> nearest("Bugandy", ["Burgundy", "Brest"])
    'did you mean Burgundy?'
    """
    spelling = {name.casefold(): name for name in known}
    found = get_close_matches(word[:80].casefold(), spelling, n=1, cutoff=0.6)
    return f"did you mean {spelling[found[0]]}?" if found else ""


def install(extra: str) -> str:
    """Return a hint with the command that installs an extra into the present environment."""
    return f"in the folder of your clone, type: {sys.executable} -m pip install --editable '.[{extra}]'"
