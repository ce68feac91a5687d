"""What a user pays before anything is adjudicated: importing, keeping a game in memory, saving and loading it."""

from __future__ import annotations

import gc
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial

from bench.puzzle import CROWDED, RECORDED_GAMES
from bench.timing import Spread, seconds
from gamesmaster import Game, find_variant
from gamesmaster.formats import recorded_game
from gamesmaster.formats.phases import Bench, phase_of
from gamesmaster.game import dumps, loads, read_state, state_data

RECORDED_GAME = "droidippy/11409"
"""A standard game that was really played, up to 1910."""

PASSES = 10
"""What takes a millisecond is done so often in a round, or it would be timed with the processor's caches cold."""

TIMED_IMPORT = """
import time
begun = time.perf_counter()
{}
print(time.perf_counter() - begun)
"""


def import_seconds(statement: str, rounds: int) -> Spread:
    """How long an import takes, each time in a new process, once the modules' bytecode is on disk."""
    command = [sys.executable, "-c", TIMED_IMPORT.format(statement)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = partial(subprocess.run, command, capture_output=True, check=True, text=True, env=environment)
    run()
    return Spread.of(float(run().stdout) for _ in range(rounds))


def long_game() -> Game:
    """The recorded game, played through."""
    bench = Bench(find_variant)
    with gzip.open(RECORDED_GAMES, "rt", encoding="utf-8") as lines:
        return recorded_game(phase_of(json.loads(line), bench) for line in lines if f'"{RECORDED_GAME}"' in line)


def kept_bytes(game: Game) -> int:
    """The memory that only this game takes: all it holds but its variant and rulebook, which games share."""
    shared = _reachable([game.variant, game.rulebook], {})
    return sum(map(sys.getsizeof, _reachable([game], shared).values())) - sum(map(sys.getsizeof, shared.values()))


def _reachable(roots: list[object], known: dict[int, object]) -> dict[int, object]:
    """`known`, and by id every object but classes that the roots hold, directly or not."""
    found, ring = dict(known), list(roots)
    while ring:
        thing = ring.pop()
        if id(thing) not in found and not isinstance(thing, type):
            found[id(thing)] = thing
            ring += gc.get_referents(thing)
    return found


def file_times(game: Game, rounds: int) -> dict[str, list[float]]:
    """Seconds to write the record and to read it, with and without adjudicating it again; `json` for comparison."""
    text = dumps(game)
    data = json.loads(text)
    works: dict[str, Callable[[], object]] = {
        "dumps": lambda: dumps(game),
        "json.dumps": lambda: json.dumps(data),
        "loads": lambda: loads(text, verify=False),
        "json.loads": lambda: json.loads(text),
        "loads, verified": lambda: loads(text),
    }
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(seconds(partial(_repeat, work)) / PASSES)
    return times


def document_times(game: Game, rounds: int) -> list[float]:
    """Seconds to write the state document of a phase with 34 units as text, and to read it back."""
    crowded = next(record.phase.code for record in game.records if len(record.position.units) == CROWDED)
    state = game.rollback(crowded).state

    def there_and_back() -> object:
        return read_state(json.loads(json.dumps(state_data(state))), find_variant)

    return [seconds(partial(_repeat, there_and_back)) / PASSES for _ in range(rounds)]


def _repeat(work: Callable[[], object]) -> None:
    for _ in range(PASSES):
        work()
