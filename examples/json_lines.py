"""Adjudicates states that come as JSON lines: `python examples/json_lines.py < states.jsonl`.

A line has a state, as docs/state.md describes it, and orders: {"state": ..., "orders": {"France": ["A Par - Bur"]}}.
"""

import json
import sys
from collections.abc import Iterable, Iterator

from gamesmaster import GamesmasterError, adjudicate, find_variant, read_state
from gamesmaster.formats import ruling_data


def answers(lines: Iterable[str]) -> Iterator[str]:
    """Yield a line for each line: the rulings, or what is wrong with it."""
    for line in lines:
        try:
            data = json.loads(line)
            state = read_state(data["state"], find_variant)
            done = adjudicate(state.rules, state.phase.kind, state.position, data["orders"])
            yield json.dumps({"rulings": [ruling_data(ruling) for ruling in done.rulings]})
        except (GamesmasterError, KeyError, ValueError) as error:
            yield json.dumps({"error": str(error)})


if __name__ == "__main__":
    for text in answers(sys.stdin):
        print(text, flush=True)
