"""Plays games in many processes, by joblib or by Dask (extras `lab` and `cluster`)."""

from collections.abc import Mapping

from gamesmaster import find_variant
from gamesmaster.players import Heuristic, Random, play

Centres = Mapping[str, int]


def play_one(seed: int) -> Centres:
    """Play a game of one heuristic player to 1903; runs in a worker."""
    variant = find_variant("standard")
    players = [Heuristic(), *(Random() for _ in variant.powers[1:])]
    return dict(play(variant, players, seed=seed, until=1903).centres)


def by_joblib(games: int) -> list[Centres]:
    """Play on all processors of this machine."""
    from joblib import Parallel, delayed

    return list(Parallel(n_jobs=-1)(delayed(play_one)(seed) for seed in range(games)))


def by_dask(games: int, address: str | None = None) -> list[Centres]:
    """Play on the workers of a Dask scheduler; without an address, on those of a new one in this process."""
    from distributed import Client

    new = Client(processes=False) if address is None else Client(address)  # type: ignore[no-untyped-call]
    with new as client:
        return list(client.gather(client.map(play_one, range(games))))


if __name__ == "__main__":
    print(by_joblib(8) == by_dask(8))
