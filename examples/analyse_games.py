"""Replays recorded games and counts what became of orders: `python examples/analyse_games.py GAMES.jsonl...`."""

import sys
from collections import Counter
from pathlib import Path

from gamesmaster.formats import import_games


def analyse(*files: Path) -> Counter[str]:
    """Count the results of all orders in the games of these files, each adjudicated again."""
    results = Counter[str]()
    for imported in import_games(*files):
        for record in imported.game.records:
            results.update(ruling.partition(":")[0] for ruling in record.rulings)
    return results


if __name__ == "__main__":
    print(*analyse(*map(Path, sys.argv[1:])).most_common(), sep="\n")
