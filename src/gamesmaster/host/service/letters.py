"""What is written when something happens: one small function an event.

No letter holds an order not yet published.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, report
from gamesmaster.host.models import Message, Table


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter: about which `event`, and what stands in it.

    `key` says which happening of this kind it is, for the outbox.
    """

    event: str
    subject: str
    body: str
    key: str = ""


def _letter(table: Table, event: str, what: str, *lines: str, key: str = "") -> Letter:
    subject = " ".join(f"[{table.name}] {what}".split())[:200]
    body = "\n".join([*lines, "", f"{settings.BASE_URL}/t/{table.key}/", ""])
    return Letter(event, subject, body, key)


def _due(table: Table) -> str:
    if table.deadline is None:
        return "There is no deadline."
    return f"Orders for {table.phase_code} are due by {table.deadline_wall}."


def started(table: Table, game: Game) -> Letter:
    """The game begins."""
    seats = [f"{power}: {player}" for power, player in game.players.items()]
    commitment = f"SHA-256 of the seed of the dice: {game.dice.commitment}"
    return _letter(table, "started", "the game begins", *seats, "", _due(table), commitment)


def report_of(game: Game) -> str:
    """The report of the last phase; one that cannot be made holds up no phase."""
    try:
        return report(game)
    except GamesmasterError as error:
        return str(error)


def phase_over(table: Table, game: Game, told: str) -> Letter:
    """A phase is over: its report, as it was made, and what is due next."""
    code = game.records[-1].phase.code
    return _letter(table, "phase", f"results of {code}", told, "" if game.outcome else _due(table))


def finished(table: Table, game: Game) -> Letter:
    """The game is over."""
    outcome = game.outcome.text if game.outcome else "The game was ended."
    return _letter(table, "finished", "the game is over", outcome, f"The seed of the dice was {game.seed.hex()}.")


def pressed(table: Table, message: Message) -> Letter:
    """Press has come; the subject does not tell what it says."""
    told = f"{message.shown_as} to {', '.join(message.to) or 'all'}"
    return _letter(table, "press", f"press from {message.shown_as}", told, "", message.text, key=f"press.{message.pk}")


def reminder(table: Table) -> Letter:
    """Orders are missing, and the deadline is near."""
    return _letter(
        table,
        "deadline",
        f"orders for {table.phase_code} wanted",
        _due(table),
        key=f"notice.{table.ordinal}.{table.phase_code}",
    )


def late(table: Table) -> Letter:
    """The deadline has passed, and the table waits."""
    what = f"{table.phase_code} waits for your orders"
    return _letter(
        table,
        "deadline",
        what,
        "The deadline has passed without your orders.",
        _due(table),
        key=f"late.{table.ordinal}",
    )


def moved(table: Table, why: str) -> Letter:
    """The deadline has been moved."""
    return _letter(table, "table", f"new deadline for {table.phase_code}", why, _due(table))


def noted(table: Table, what: str) -> Letter:
    """Something happened at the table that a sentence tells."""
    return _letter(table, "table", what)


def standby_asked(table: Table, power: str) -> Letter:
    """A power's player has missed its orders; its standby is asked for some, too."""
    return _letter(
        table, "deadline", f"{power}: a standby's orders wanted",
        f"The player of {power} has missed its orders. You have offered to be its standby: please send moves, too.",
        "They are used only if the player's are missing again; nobody sees them until then.", _due(table),
        key=f"standby.{table.ordinal}.{power}",
    )  # fmt: skip


def taken_over(table: Table, power: str) -> Letter:
    """A power's standby has taken it."""
    why = f"{power} has missed its orders again; its standby plays it from now on."
    return _letter(table, "table", f"{power} has a new player", why, key=f"taken.{table.ordinal}.{power}")


def quarantined(table: Table, error: str) -> Letter:
    """A phase cannot be adjudicated; `error` is the name of an error, never its text, which may quote an order."""
    return _letter(
        table, "quarantine", f"{table.phase_code} cannot be adjudicated",
        f"{table.attempts} attempts failed ({error}). The table is set apart; no order is lost, no deadline runs.",
    )  # fmt: skip
