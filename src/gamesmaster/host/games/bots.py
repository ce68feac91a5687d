"""Bots in seats: asked when a phase is processed, with a player's view and nothing more."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.models import Seat
from gamesmaster.players import Searcher, Silent, find_player, views
from gamesmaster.players import Seat as Place


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot as people know it: `name` is what is stored, `title` what it is called, `says` how it plays."""

    name: str
    title: str | Promise
    says: str | Promise


BOTS = {
    bot.name: bot
    for bot in (
        Bot("heuristic", gettext_lazy("Club player"), gettext_lazy("plays sound moves at once")),
        Bot("searcher", gettext_lazy("Deep thinker"), gettext_lazy("looks ahead, and is the hardest to beat")),
        Bot("random", gettext_lazy("Dice thrower"), gettext_lazy("makes any legal move")),
        Bot("holder", gettext_lazy("Sleeper"), gettext_lazy("only ever holds")),
    )
}
"""The bots that come along."""
PATIENCE = 10.0
"""Seconds that a bot may take for a phase."""
THINKING = 1.0
"""Seconds for which all the bots of a table that look ahead do so, together: a person may be waiting for them."""
LOG = logging.getLogger("gamesmaster.host")


def title(name: str) -> str:
    """What people call a bot."""
    return str(BOTS[name].title) if name in BOTS else name


def check_name(name: str) -> None:
    """Raise `Refused` unless a bot of this name comes along; never a file, for that would be run."""
    if name not in BOTS:
        raise Refused(
            "no-bot",
            _("There is no bot {name!r}.").format(name=name[:40]),
            _("there are {bots}").format(bots=", ".join(BOTS)),
        )


def answer(game: Game, seats: Iterable[Seat]) -> dict[str, tuple[str, ...]]:
    """The orders of the bots that are asked for some; a bot that fails has sent none, like anybody who is late."""
    sitting = [seat for seat in seats if seat.bot and seat.power]
    if not sitting:
        return {}
    seen = views(game)
    found = {}
    for seat in sitting:
        power = seat.power or ""
        view = seen[power]
        if not view.is_due or power in game.disorder:
            continue
        try:
            check_name(seat.bot)
            player = find_player(seat.bot)
            if isinstance(player, Searcher):
                player.seconds = THINKING / len(sitting)
            found[power] = Place(power, player, PATIENCE).orders(view)
        except (Silent, GamesmasterError) as error:
            LOG.warning("a bot did not answer", extra={"event": "bot", "why": type(error).__name__})
    return found
