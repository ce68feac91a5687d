"""Letters about changes of seats: to the player concerned, and to the others."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from gamesmaster.game import Game
from gamesmaster.host.tables.letters import Letter, Line, Reader, Said, as_read, due, duty, names_public, table_letter
from gamesmaster.host.tables.models import Table
from gamesmaster.host.tables.view import in_site_language

SEAT = "seat"
"""Event of letters about the reader's own seat; they cannot be switched off."""


@in_site_language
def sat_down(table: Table, player: str, taken: int, places: int) -> Letter:
    """Return the letter to the owner or Gamesmaster that somebody has joined before the game begins."""
    who = player if names_public(table) else _("A new player")
    if taken == places:
        says = _("{who} has joined: all seats are taken. You can begin the game now.").format(who=who)
        return table_letter(table, "table", _("the game is full"), says)
    says = ngettext(
        "{who} has joined: {taken} of {places} seats is taken.",
        "{who} has joined: {taken} of {places} seats are taken.",
        taken,
    )
    return table_letter(table, "table", _("a new player"), says.format(who=who, taken=taken, places=places))


@in_site_language
def got_up(table: Table, player: str, taken: int, places: int) -> Letter:
    """Return the letter to the owner or Gamesmaster that somebody has left before the game begins."""
    says = ngettext(
        "{who} has left the game: {taken} of {places} seats is taken.",
        "{who} has left the game: {taken} of {places} seats are taken.",
        taken,
    )
    who = player if names_public(table) else _("A player")
    return table_letter(table, "table", _("a player has left"), says.format(who=who, taken=taken, places=places))


@in_site_language
def seat_loss(table: Table, power: str, misses: int) -> tuple[Letter, Letter]:
    """Return two letters that a power may be taken over after misses: to its player, and to the others."""
    if misses == 1:
        own_says = _("Your orders for {power} were missing this time, so anybody may now take {power} over.")
        all_say = _("The orders of {power} were missing this time. Anybody may now take {power} over.")
    elif misses == 2:
        own_says = _("Your orders for {power} were missing twice in a row, so anybody may now take {power} over.")
        all_say = _("The orders of {power} were missing twice in a row. Anybody may now take {power} over.")
    else:
        own_says = ngettext(
            "Your orders for {power} were missing {misses} time in a row, so anybody may now take {power} over.",
            "Your orders for {power} were missing {misses} times in a row, so anybody may now take {power} over.",
            misses,
        )
        all_say = ngettext(
            "The orders of {power} were missing {misses} time in a row. Anybody may now take {power} over.",
            "The orders of {power} were missing {misses} times in a row. Anybody may now take {power} over.",
            misses,
        )
    own = table_letter(
        table,
        SEAT,
        _("you may lose {power}").format(power=power),
        own_says.format(power=power, misses=misses),
        _("If you want to play on, send orders before somebody does: {power} is then yours again.").format(power=power),
        due(table),
    )
    why = all_say.format(power=power, misses=misses)
    return own, table_letter(table, "table", _("{power} needs a player").format(power=power), why, notice=why)


@in_site_language
def disorder(table: Table, power: str) -> tuple[Letter, Letter]:
    """Return two letters that a power is in civil disorder: to its player, and to the others."""
    own = table_letter(
        table,
        SEAT,
        _("{power} is in civil disorder").format(power=power),
        _(
            "Your orders were missing again, and nobody has taken {power} over. It is now in "
            "civil disorder: its units hold, and no orders are expected of you."
        ).format(power=power),
        _(
            'To come back, reply with COME BACK, or press "Come back" on the game\'s page, while '
            "nobody else has taken {power}."
        ).format(power=power),
    )
    why = _("{power} is in civil disorder: its units hold until somebody takes it over.").format(power=power)
    return own, table_letter(table, "table", _("{power} is in civil disorder").format(power=power), why, notice=why)


@in_site_language
def desertion(table: Table) -> Letter:
    """Return the letter that the game is paused, because all players are lost."""
    why = _(
        "No player is left, so the game is paused. It goes on as soon as somebody comes back or takes over a power."
    )
    return table_letter(table, SEAT, _("the game is paused: no player is left"), why, notice=why)


@in_site_language
def back(table: Table, game: Game, power: str) -> Letter:
    """Return the letter that a player is back in a power."""
    why = _("The player of {power} is back.").format(power=power)
    return table_letter(
        table,
        "table",
        _own(
            power,
            _("you play {power} again").format(power=power),
            _("the player of {power} is back").format(power=power),
        ),
        _own(power, _("Welcome back: you play {power} again.").format(power=power), why),
        lambda reader: as_read(duty(table, game), reader) if reader.power == power else "",
        notice=why,
    )


@in_site_language
def new_player(table: Table, game: Game, power: str, why: Said = "") -> Letter:
    """Return the letter that a power has a new player, for whom it lists orders due; `why` is a sentence on how."""
    notice = str(why) or _("{power} has a new player.").format(power=power)
    head = _own(power, _("You play {power} from now on.").format(power=power), notice)
    return table_letter(
        table,
        "table",
        _own(power, _("you play {power}").format(power=power), _("{power} has a new player").format(power=power)),
        head,
        duty(table, game),
        notice=notice,
    )


@in_site_language
def replacement(table: Table, power: str, why: Said) -> Letter:
    """Return the letter to a player whose seat now belongs to somebody else; `why` is a sentence on how."""
    return table_letter(
        table,
        SEAT,
        _("you no longer play {power}").format(power=power),
        why,
        _("If you had sent orders for {phase}, they are deleted, and nobody has seen them.").format(
            phase=table.phase_code
        ),
    )


@in_site_language
def departure(table: Table, power: str, *, wanted: bool = True) -> Letter:
    """Return the letter that a player has left; `wanted`: the power needs a new player."""
    if wanted:
        why = _("The player of {power} has left. Anybody may now take {power} over.").format(power=power)
        what = _("{power} needs a player").format(power=power)
    else:
        why = _("The player of {power} has left.").format(power=power)
        what = _("the player of {power} has left").format(power=power)
    return table_letter(table, "table", what, why, notice=why)


@in_site_language
def entered_orders(table: Table, power: str) -> Letter:
    """Return the letter to a player that the Gamesmaster has entered orders in his or her place."""
    return table_letter(
        table,
        SEAT,
        _("{phase}: the Gamesmaster has entered orders for {power}").format(phase=table.phase_code, power=power),
        _(
            "The Gamesmaster has entered orders for {power} in your place. They are on the "
            "game's page, and you can still change them."
        ).format(power=power),
        due(table),
    )


@in_site_language
def standby_request(table: Table, power: str) -> Letter:
    """Return the letter that asks a standby for orders, after the player has missed a deadline."""
    return table_letter(
        table,
        "deadline",
        _("{power}: please send a standby's orders").format(power=power),
        _(
            "The player of {power} has missed a deadline. You offered to be a standby: please send moves for {power}."
        ).format(power=power),
        _(
            "If the player's orders are missing again, yours are used, and {power} is yours. "
            "Until then nobody sees them."
        ).format(power=power),
        due(table),
    )


@in_site_language
def takeover(table: Table, game: Game, power: str) -> Letter:
    """Return the letter that a standby has taken over a power."""
    return new_player(
        table, game, power, _("The orders of {power} were missing again, so a standby takes over.").format(power=power)
    )


def _own(power: str, own: str, others: str) -> Line:
    """Return a line with one wording for the player of this power and another for everybody else."""

    def tell(reader: Reader) -> str:
        return own if reader.power == power else others

    return tell
