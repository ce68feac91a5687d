"""Run the two examples of programs that learn and search, keep what they come to, and draw it.

    python docs/curves.py
    python docs/curves.py --pages

Figures are kept as `environments/curves.json`; the pictures beside it are made from them (`--pages`; `make docs`).
"""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gamesmaster.lab.figures import courses, intervals
from gamesmaster.lab.report import on_paper
from gamesmaster.lab.statistics import Estimate, mean

DOCS = Path(__file__).resolve().parent
EXAMPLES = DOCS.parent / "examples"
RUNS = 5
"""Seeds with which the learner learns."""
STEPS = 60
SEARCHES = 20
"""Games that are played with and without search."""
TITLES = {True: "France, searching", False: "France, at random"}


def main(
    docs: Annotated[Path, typer.Option(help="Where the figures and pictures go.")] = DOCS,
    pages: Annotated[bool, typer.Option("--pages", help="Run nothing: draw the figures that are kept.")] = False,
) -> None:
    """Keep the figures of the examples, and draw them."""
    folder = docs / "environments"
    folder.mkdir(exist_ok=True)
    file = folder / "curves.json"
    if not pages:
        file.write_text(f"{json.dumps(figures())}\n", encoding="utf-8")
    for name, picture in pictures(json.loads(file.read_text(encoding="utf-8"))).items():
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")


def figures() -> dict[str, Any]:
    """Return the mean rewards of the learner, by run and step, and the centres of France, by game."""
    learn, play = (
        runpy.run_path(str(EXAMPLES / file))[name]
        for file, name in (("learn_by_lists.py", "learn"), ("search_by_rollouts.py", "play"))
    )
    rewards = [learn(seed=seed, steps=STEPS)[1] for seed in range(1, 1 + RUNS)]
    centres = {str(searches): [play(seed=seed, searches=searches) for seed in range(SEARCHES)] for searches in TITLES}
    return {"rewards": [[round(reward, 5) for reward in run] for run in rewards], "centres": centres}


def pictures(kept: dict[str, Any]) -> dict[str, str]:
    """Return the pictures of these figures, by name."""
    ended = min(map(len, kept["rewards"]))
    rewards = np.array([run[:ended] for run in kept["rewards"]])
    ways: tuple[tuple[str, Any], ...] = (("highest", np.max), ("mean", np.mean), ("lowest", np.min))
    curves = [
        (title, number, {step: Estimate(float(of(rewards[:, step - 1]))) for step in range(1, ended + 1)})
        for number, (title, of) in enumerate(ways)
    ]
    bars = [
        (title, n, mean(np.array(kept["centres"][str(how)], float))) for n, (how, title) in enumerate(TITLES.items())
    ]
    return {
        "learning": on_paper(courses(curves, "growth of a power in an episode", name="Learning")),
        "searching": on_paper(intervals(bars, "centres after 1904", at=None, name="Searching")),
    }


if __name__ == "__main__":
    typer.run(main)
