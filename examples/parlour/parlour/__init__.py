"""A player, a style of maps and a variant for evenings at home."""

from dataclasses import replace
from pathlib import Path

from gamesmaster.orders import Order, Verb
from gamesmaster.pictures import style_of
from gamesmaster.players import Bot, View

SEPIA = replace(style_of("light"), name="sepia", page="#f4e8d0", land="#f0e0bd", sea="#d9cdb2", coast="#5b4327")
SHORTWAR = Path(__file__).parent / "shortwar"


class Mirror(Bot):
    """Supports what stands beside its units, and otherwise gives the first order that is legal; builds nothing."""

    name = "mirror"

    def orders(self, view: View) -> list[Order]:
        """Return an order for each unit."""
        return [
            next((o for o in legal if o.verb is Verb.SUPPORT), legal[0]) for legal in view.choices.values() if legal
        ]
