"""Free texts as orders: any text is read, ruled on and reported without a fault of the program.

Random games are played with legal orders among texts that nobody should write: legal ones with letters lost, added and
exchanged, words of all dialects in any order, names of the board, signs of every script, and empty texts.
"""

from __future__ import annotations

import hashlib
import logging
import random
import re
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, report
from gamesmaster.judge import LegalOrders, adjudicate, corroborate
from gamesmaster.reading import read
from gamesmaster.testing.conformance import MOST_PROBLEMS, Tell
from gamesmaster.variant import Variant

_WORDS = """
a f w u army fleet amy flt in at on the to mto cto via by from of with and or not h hold holds held std stands s
support supports supporting sup c convoy convoys con cvy m move moves retreat retreats r ret d disband disbands
dsb b build builds bld remove removes rem rmv waive wve pass destroy destroys board boards land lands ashore
aboard takes ferry takes-aboard make boat boats canoe cf bb gg box home names coast nc sc ec wc north south east
west n.c. (s.c.) ncs gulf sea ocean st. - -> > => -- + & / ( ) [ ] * ? ! : ; , . 1) 2. xxx otb nmr fra: france:
armée flotte soutient vers ejército flota apoya armee flotte nach unterstützt esercito appoggia
"""
WORDS = tuple(_WORDS.split())
"""Words of orders in the dialects of the hobby, and near them."""
SIGNS = (
    "abcdefghijklmnopqrstuvwxyzABCFSWHDM 0123456789-+/>()[]{}<>|\\'\"*#=_~`!?%&@^.,:;\táßİıΩЖ中–→\u200b\u0301\x07\ud7ff"
)
FORMS = ("Build {}", "Remove {}", "{}", "A {}", "F {}", "W {}", "Home {}", "{} H", "{} D", "Build F {}", "{} - {}",
         "{} S {} - {}", "{} C {} - {}", "A/F {} - {}", "{} with CF", "{} lands {}")  # fmt: skip
EACH = 10
"""Texts of a power in a phase."""
LONGEST = 14
"""Phases of a game; then the next begins."""


def check_texts(variant: Variant, *, texts: int = 10_000, seed: int = 0, tell: Tell | None = None) -> list[str]:
    """Return every fault of the program found by `texts` random texts: the fault, its phase, and the text."""
    lines: list[str] = []
    done = 0
    while done < texts and len(lines) < MOST_PROBLEMS:
        chance = random.Random(seed)
        game = Game.start(variant, seed=hashlib.sha256(str(seed).encode()).digest())
        for _ in range(chance.randint(1, LONGEST)):
            if game.outcome or not game.survivors or done >= texts:
                break
            if tell:
                tell(game.phase.code, done)
            orders = {power: tuple(random_texts(game, power, chance)) for power in game.survivors}
            done += sum(map(len, orders.values()))
            with logged_faults() as faults:
                problems, after = _play(game, orders)
            if faults and not problems:
                guilty = _guilty(game, orders)
                problems = [_describe(game, fault, guilty) for fault in faults]
            lines += problems
            game = after
        seed += 1
    return lines


class _Faults(logging.Handler):
    """Keeps the exceptions that are logged as errors."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[Exception] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the exception of an entry, if it has one."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, Exception):
            self.found.append(error)


@contextmanager
def logged_faults() -> Iterator[list[Exception]]:
    """The faults of the program that are caught and logged meanwhile, so that nobody's text stops anything."""
    handler, logger = _Faults(), logging.getLogger("gamesmaster")
    logger.addHandler(handler)
    try:
        yield handler.found
    finally:
        logger.removeHandler(handler)


def random_texts(game: Game, power: str, chance: random.Random) -> Iterator[str]:
    """Yield texts that a power might write in a phase: good orders, good ones damaged, and a mixture of anything."""
    board = game.variant.board
    lawful = LegalOrders(game.rules, game.position).of_power(game.phase.kind, power, game.season)
    good = sorted(map(game.rules.notation.write, chance.sample(lawful, min(len(lawful), EACH))))
    names = [name for province in board.provinces for name in (province.abbr, province.name)]
    names += [name for one in game.variant.powers for name in (one.name, one.adjective, *one.also)]
    names += game.rules.nobodies
    for _ in range(EACH):
        kind = chance.random()
        if kind < 0.5 and good:
            text = chance.choice(good)
            yield text if kind < 0.3 else _spoilt(text, chance)
        elif kind < 0.75:
            yield re.sub("{}", lambda _: chance.choice(names), chance.choice(FORMS))
        else:
            yield " ".join(chance.choice(chance.choice((WORDS, names))) for _ in range(chance.randint(0, 8)))


def _spoilt(text: str, chance: random.Random) -> str:
    """Return a text with up to four letters lost, added or exchanged, or with a word added."""
    letters = [*text]
    for _ in range(chance.randint(1, 4)):
        at, kind = chance.randrange(len(letters) + 1), chance.randrange(4)
        if kind == 0:
            del letters[at : at + 1]
        elif kind == 1:
            letters.insert(at, chance.choice(SIGNS))
        elif kind == 2:
            letters[at : at + 2] = reversed(letters[at : at + 2])
        else:
            letters.insert(at, f" {chance.choice(WORDS)} ")
    return "".join(letters)


def _play(game: Game, orders: Mapping[str, Sequence[str]]) -> tuple[list[str], Game]:
    """Return the faults of a phase with these texts (submitted, checked, processed, reported), and the next game."""
    for power, texts in orders.items():
        try:
            game = game.submit(power, texts, amend=False)
        except GamesmasterError:
            continue  # a set that is refused is one that a person hears about
        except Exception as fault:
            return [_describe(game, fault, texts)], game.process()
    try:
        judged = adjudicate(game.rules, game.phase.kind, game.position, game.orders, disorder=game.disorder)
        words = [ruling.text for ruling in judged.rulings]
        corroborate(game.rules, game.phase.kind, game.position, {p: list(given) for p, given in game.orders.items()})
        assert all(words)
        after = game.process()
        report(after)
    except Exception as fault:
        return [_describe(game, fault, _guilty(game, game.orders))], game.process()
    return [], after


def _guilty(game: Game, orders: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the texts over which the program falls by themselves; all of them if it takes several."""
    guilty, every = [], [(power, text) for power, texts in orders.items() for text in texts]
    for power, text in every:
        with logged_faults() as faults:
            try:
                read(game, power, text)
                done = adjudicate(game.rules, game.phase.kind, game.position, {power: [text]})
                done.rulings, done.position  # noqa: B018
            except GamesmasterError:
                continue
            except Exception as error:
                faults.append(error)
        if faults:
            guilty.append(f"{power}: {text}")
    return guilty or [f"{power}: {text}" for power, text in every]


def _describe(game: Game, fault: Exception, texts: Sequence[str]) -> str:
    last = traceback.extract_tb(fault.__traceback__)[-1]
    where = f"in {last.name}, {Path(last.filename).name}, line {last.lineno}"
    return f"{game.variant.id} {game.phase.code}: {type(fault).__name__}: {fault} ({where})\n  orders: {list(texts)!r}"
