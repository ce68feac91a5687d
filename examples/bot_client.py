"""A bot that plays wherever its owner sits: for every unit an order by chance out of the lawful ones.

    GAMESMASTER_URL=https://games.example.org GAMESMASTER_TOKEN=gm_... python examples/bot_client.py

Every minute it looks at its tables; where its orders are missing it sends some, and says that it is ready.
"""

import os
import random
import time
from collections.abc import Iterator
from typing import Any

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.api.client import Site


def leaves(tree: dict[str, Any]) -> Iterator[str]:
    """The orders in a tree of choices."""
    for branch in tree.values():
        yield from leaves(branch) if isinstance(branch, dict) else [branch]


def play(site: Site, key: str) -> None:
    """Send orders for the powers one plays at a table."""
    table = site.get(f"/tables/{key}")
    for power in table["powers"]:
        tree = site.get(f"/tables/{key}/legal/{power}")["tree"]
        orders = [random.choice(list(leaves({unit: choices}))) for unit, choices in tree.items()]
        given = {"ordinal": table["ordinal"], "orders": orders, "confirm": True}
        print(key, power, site.call("PUT", f"/tables/{key}/orders/{power}", given)["code"])


if __name__ == "__main__":
    here = Site(os.environ["GAMESMASTER_URL"], os.environ["GAMESMASTER_TOKEN"])
    while True:
        try:
            for line in here.get("/tables?kind=mine"):
                if line["waiting"]:
                    play(here, line["key"])
        except GamesmasterError as error:
            print(error)
        time.sleep(60)
