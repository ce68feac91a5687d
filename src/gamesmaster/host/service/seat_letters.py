"""What is written when a seat changes hands, or is about to: to the player concerned, and to the others."""

from __future__ import annotations

from gamesmaster.game import Game
from gamesmaster.host.models import Table
from gamesmaster.host.service.letters import Letter, Line, Reader, as_read, due, named, owed, written

SEAT = "seat"
"""The event of letters about the reader's own seat; they cannot be switched off."""


def sat_down(table: Table, player: str, taken: int, places: int) -> Letter:
    """Somebody has sat down before the game begins; for whoever made the table, or runs it."""
    who = f"{player} has joined" if named(table) else "A new player has joined"
    full = taken == places
    return written(
        table, "table", "the game is full" if full else "a new player",
        f"{who}: {_taken(taken, places)}.{' You can begin the game now.' if full else ''}",
    )  # fmt: skip


def got_up(table: Table, player: str, taken: int, places: int) -> Letter:
    """Somebody has got up again before the game begins; for whoever made the table, or runs it."""
    who = f"{player} has left the game" if named(table) else "A player has left the game"
    return written(table, "table", "a player has left", f"{who}: {_taken(taken, places)}.")


def _taken(taken: int, places: int) -> str:
    return f"{taken} of {places} seats {'is' if taken == 1 else 'are'} taken"


def lost(table: Table, power: str, misses: int) -> tuple[Letter, Letter]:
    """A player has missed so many seasons that another may take the power: to the player, and to the others."""
    many = "once" if misses == 1 else "twice" if misses == 2 else f"{misses} times"
    row = f"{many} in a row" if misses > 1 else "this time"
    own = written(
        table, SEAT, f"you may lose {power}",
        f"Your orders for {power} were missing {row}, so anybody may now take {power} over.",
        f"If you want to play on, send orders before somebody does: {power} is then yours again.", due(table),
    )  # fmt: skip
    why = f"The orders of {power} were missing {row}. Anybody may now take {power} over."
    return own, written(table, "table", f"{power} needs a player", why, notice=why)


def disorder(table: Table, power: str) -> tuple[Letter, Letter]:
    """A power is in civil disorder: to its player, and to the others."""
    own = written(
        table, SEAT, f"{power} is in civil disorder",
        f"Your orders were missing again, and nobody has taken {power} over. It is now in civil disorder: its units"
        " hold, and no orders are expected of you.",
        f"To come back, reply with COME BACK, or press \"Come back\" on the game's page, while nobody else has taken"
        f" {power}.",
    )  # fmt: skip
    why = f"{power} is in civil disorder: its units hold until somebody takes it over."
    return own, written(table, "table", f"{power} is in civil disorder", why, notice=why)


def deserted(table: Table) -> Letter:
    """Every person has lost the seat, and the game stands still."""
    why = "No player is left, so the game is paused. It goes on as soon as somebody comes back or takes over a power."
    return written(table, SEAT, "the game is paused: no player is left", why, notice=why)


def back(table: Table, game: Game, power: str) -> Letter:
    """A player who had lost a power plays it again."""
    why = f"The player of {power} is back."
    return written(
        table, "table", _own(power, f"you play {power} again", f"the player of {power} is back"),
        _own(power, f"Welcome back: you play {power} again.", why),
        lambda reader: as_read(owed(table, game), reader) if reader.power == power else "", notice=why,
    )  # fmt: skip


def new_player(table: Table, game: Game, power: str, why: str = "") -> Letter:
    """A power has a new player; `why` says how, as a sentence.  The new player reads what is owed."""
    notice = why or f"{power} has a new player."
    head = _own(power, f"You play {power} from now on.", notice)
    return written(
        table, "table", _own(power, f"you play {power}", f"{power} has a new player"), head, owed(table, game),
        notice=notice,
    )  # fmt: skip


def replaced(table: Table, power: str, why: str) -> Letter:
    """To a player whose seat somebody else has now; `why` says how, as a sentence."""
    return written(
        table, SEAT, f"you no longer play {power}", why,
        f"If you had sent orders for {table.phase_code}, they are deleted, and nobody has seen them.",
    )  # fmt: skip


def left(table: Table, power: str, *, wanted: bool = True) -> Letter:
    """A player has left, and nobody has taken the power yet; nobody is `wanted` for one that is out of the game."""
    why = f"The player of {power} has left.{f' Anybody may now take {power} over.' if wanted else ''}"
    what = f"{power} needs a player" if wanted else f"the player of {power} has left"
    return written(table, "table", what, why, notice=why)


def put_in(table: Table, power: str) -> Letter:
    """To a player in whose place the Gamesmaster has entered orders."""
    return written(
        table, SEAT, f"{table.phase_code}: the Gamesmaster has entered orders for {power}",
        f"The Gamesmaster has entered orders for {power} in your place. They are on the game's page, and you can still"
        " change them.", due(table),
    )  # fmt: skip


def standby_asked(table: Table, power: str) -> Letter:
    """A power's player has missed its orders; its standby is asked for some, too."""
    return written(
        table, "deadline", f"{power}: please send a standby's orders",
        f"The player of {power} has missed a deadline. You offered to be a standby: please send moves for {power}.",
        f"If the player's orders are missing again, yours are used, and {power} is yours. Until then nobody sees them.",
        due(table),
    )  # fmt: skip


def taken_over(table: Table, game: Game, power: str) -> Letter:
    """A power's standby has taken it."""
    return new_player(table, game, power, f"The orders of {power} were missing again, so a standby takes over.")


def _own(power: str, own: str, others: str) -> Line:
    """One wording for who plays this power, another for everybody else."""

    def told(reader: Reader) -> str:
        return own if reader.power == power else others

    return told
