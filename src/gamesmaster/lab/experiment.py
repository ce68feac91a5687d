"""Experiments: what is played, by whom, and which chance; each game of one is a pure function of it and a number."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from gamesmaster import __version__, strictjson
from gamesmaster.errors import BadFile, GamesmasterError, NotFound
from gamesmaster.players import Match, Referee, find_player, last_year, play, read_seats
from gamesmaster.rules import Rulebook
from gamesmaster.variant import Variant, find_variant, full_name, is_packaged, read_variant, split_name

if TYPE_CHECKING:
    from gamesmaster.batches import Batch

LARGEST = 1024 * 1024  # bytes of an experiment's file
DEEPEST = 4
Kind = TypeVar("Kind")


class Turns(NamedTuple):
    """The length of games, in turns of the calendar."""

    number: int


@dataclass(frozen=True)
class Experiment:
    """The common settings of a series of games; two equal experiments have the same games, number by number.

    The players `dealt` change over the powers that are not `fixed`, so that after as many games as there are of these
    each has played all of them (`seats`).
    """

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    variant: str  # its name as `find` reads it
    digest: str  # the hash of its rules
    dealt: tuple[str, ...] = ()
    fixed: Mapping[str, str] = field(default_factory=dict)  # the players of some powers in every game
    rulebook: Mapping[str, str] = field(default_factory=dict)  # the choices that differ from the default
    files: Mapping[str, str] = field(default_factory=dict)  # the SHA-256 of the files of custom players
    seed: int = 1
    until: int | None = None  # games end with this year at the latest; None: after 50 turns
    batch: bool = False  # machine code sets the orders: the same players with other random numbers
    program: str = __version__  # the version that plays: others may play differently

    @classmethod
    def of(
        cls,
        variant: str,
        players: str = "heuristic",
        *,
        seed: int = 1,
        until: int | Turns | None = None,
        rulebook: Rulebook | None = None,
        batch: bool | None = False,
    ) -> Experiment:
        """Return an experiment from what people write.

        `players` is as `read_seats` reads it; `until` is a year, or a number of turns.  With `batch` None, it is played
        in a batch if it can be.
        Raises `NotFound` for an unknown variant, option, power or player, `GamesmasterError` for seats that do not fit,
        for a year that no game is played until, and for what cannot be played in batches if it is to be.
        """
        found = find(variant)
        fixed, dealt = read_seats(found, players)
        book = Rulebook.of(found.rulebook) if rulebook is None else rulebook
        absolute = {name: _absolute(name) for name in {*fixed.values(), *dealt}}
        made = cls(
            variant=_absolute_name(variant, found),
            digest=found.digest,
            dealt=tuple(absolute[name] for name in dealt),
            fixed={power: absolute[name] for power, name in fixed.items()},
            rulebook=book.choices(),
            files={path: _hash_of(path) for name in sorted(absolute.values()) if (path := name.rpartition(":")[0])},
            seed=seed,
            until=found.calendar.last_year(until.number) if isinstance(until, Turns) else until,
            batch=batch is not False,
        )
        last_year(found, made.until)
        if batch is not False:
            try:
                made._check_batch(found, book)
            except GamesmasterError:
                if batch:
                    raise
                return replace(made, batch=False)
        return made

    @cached_property
    def fingerprint(self) -> str:
        """The experiment's name: 16 hexadecimal digits of the SHA-256 of all that it holds."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers' names, in the variant's order."""
        return tuple(power.name for power in find(self.variant).powers)

    def seed_of(self, number: int) -> bytes:
        """Return the seed of a game, by its number from 0: its own, so that equal players do not play equal games."""
        return hashlib.sha256(f"experiment {self.seed} game {number}".encode()).digest()

    def seats(self, number: int) -> dict[str, str]:
        """Return the players of a game by power; powers without a player are left out.

        Of n powers to deal, in each round of n games every seat of `dealt` has every power once.  From round to round
        the neighbours change: by steps of 1, 2, and so on, if n is prime, so that after n - 1 rounds each two players
        have had each two powers once; otherwise by lots, which are the same for all experiments.
        """
        seated = {**self.fixed, **dict(zip(self._places(number), self.dealt, strict=False))}
        return {power: seated[power] for power in self.powers if power in seated}

    def _places(self, number: int) -> list[str]:
        """Return the powers that are dealt, in the order of the players that have them in a game."""
        free = [power for power in self.powers if power not in self.fixed]
        n = max(1, len(free))
        (round_, turn), order = divmod(number, n), list(range(len(free)))
        if all(n % divisor for divisor in range(2, n)):
            order = [place * (1 + round_ % max(1, n - 1)) for place in order]
        else:
            Random(f"round {round_}").shuffle(order)
        return [free[(place + turn) % n] for place in order]

    def first_seat(self, number: int) -> str:
        """Return the power that the first of the players dealt has in a game; "" if none is dealt."""
        return self._places(number)[0] if self.dealt else ""

    def play(self, number: int, *, patience: float | None = None) -> Match:
        """Play a game; `patience` is how many seconds a player may take for an answer, None as long as it likes.

        Raises `BadFile` where the variant, the program or a player's file is another than the experiment's, as it may
        be on another machine.
        """
        self.check()
        variant, seats = find(self.variant), self.seats(number)
        if self.batch:
            from gamesmaster.batches import game_of

            names = [seats[power] for power in self.powers]
            game = game_of(variant, number, seed=self.seed, until=self.until, seats=names, key=self.seed_of(number))
            return Match(game)
        players = {power: find_player(name) for power, name in seats.items()}
        return play(
            variant,
            players,
            seed=self.seed_of(number),
            rulebook=dict(self.rulebook),
            until=self.until,
            referee=Referee(patience=patience),
        )

    def compile(self) -> None:
        """Make the machine code of a batch ready."""
        batch = self._first_batch(find(self.variant))
        batch.draw()
        batch.carry_out()

    def _check_batch(self, variant: Variant, rulebook: Rulebook) -> None:
        """Check that such games can be played in batches; raise the errors of `Batch` at once and not game by game."""
        if rulebook != Rulebook.of(variant.rulebook):
            raise GamesmasterError("batches are played under the variant's own rulebook", hint="name it in the variant")
        seats = self.seats(0)
        if unseated := [power for power in self.powers if power not in seats]:
            nobody = f"in a batch every power needs a player, and nobody plays {unseated[0]}"
            raise GamesmasterError(nobody, hint="a holder does nothing")
        self._first_batch(variant)

    def _first_batch(self, variant: Variant) -> Batch:
        from gamesmaster.batches import Batch

        return Batch(variant, 1, seed=self.seed, seats=list(self.seats(0).values()))

    def check(self) -> None:
        """Check that program, variant and files have not changed since the experiment was made; raise `BadFile`."""
        if self.program != __version__:
            raise BadFile(f"the experiment is of gamesmaster {self.program}, this is {__version__}")
        if find(self.variant).digest != self.digest:
            raise BadFile(f"the variant {self.variant} has changed since the experiment was made")
        for path, digest in self.files.items():
            if _hash_of(path) != digest:
                raise BadFile("this file has changed since the experiment was made", where=path)


def read_experiment(file: Path) -> Experiment:
    """Return the experiment in a file; raises `NotFound` for a missing file, `BadFile` for one of another form."""
    return read_as(Experiment, file, limit=LARGEST, depth=DEEPEST)


def read_as(kind: type[Kind], file: Path, *, limit: int, depth: int) -> Kind:
    """Return the content of a JSON file as dataclasses of this kind; raises as `read_experiment` does."""
    from pydantic import TypeAdapter, ValidationError

    data = strictjson.read(file, limit=limit, depth=depth)
    try:
        return TypeAdapter(kind).validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadFile(first["msg"], where=f"{file}, {strictjson.path_text(first['loc'])}") from None


def experiment_data(experiment: Experiment) -> dict[str, Any]:
    """Return an experiment as JSON data, for `read_experiment`."""
    return asdict(experiment)


@cache
def find(name: str) -> Variant:
    """Return the variant of this name: one of the package's, or a folder or another program's board, by its path.

    Options follow in brackets.  Read once in a process.  Raises `NotFound` with the nearest name.
    """
    if is_packaged(name):
        return find_variant(name)
    path = Path(name)
    plain, chosen = (name, {}) if path.exists() else split_name(name)
    path = Path(plain)
    if path.is_dir():
        return read_variant(path, chosen)
    if path.suffix == ".json":
        from gamesmaster.formats import read_foreign

        return read_foreign(path)
    return find_variant(name)


def _absolute_name(name: str, found: Variant) -> str:
    """Return the variant's name as it is known everywhere on this machine."""
    if is_packaged(name):
        return found.id
    plain, chosen = (name, {}) if Path(name).exists() else split_name(name)
    return full_name(str(Path(plain).resolve()), chosen) if Path(plain).exists() else found.id


def _absolute(name: str) -> str:
    """Return a player's name as it is known everywhere on this machine: files by their full path."""
    path, colon, thing = name.rpartition(":")
    return f"{Path(path).resolve()}:{thing}" if colon else name.casefold()


def _hash_of(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except FileNotFoundError:
        raise NotFound(f"no file {path}") from None
