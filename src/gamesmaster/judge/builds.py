"""Builds: which of those ordered are made (STD-10.c to e)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gamesmaster.board import Board, Location, Terrain, Unit
from gamesmaster.judge.attempt import Attempt
from gamesmaster.judge.mechanic import WinterMechanic
from gamesmaster.judge.rulebook import Rulebook
from gamesmaster.judge.supply import Account, occupied
from gamesmaster.judge.values import Cause
from gamesmaster.orders import Verb

MOST_NAMED = 12
"""Places that are named to somebody who would build where that is not possible."""


def judge_builds(account: Account, tries: Sequence[Attempt]) -> None:
    """Judge a power's builds: fill in the units, or the faults."""
    book = account.rules.rulebook
    for attempt in tries:
        if not attempt.open:
            continue
        if attempt.verb is Verb.WAIVE:
            attempt.fault = None if book.waive_builds == "allowed" else Cause.NO_WAIVING
        elif attempt.verb is not Verb.BUILD:
            attempt.fault = Cause.NO_REMOVALS if attempt.verb is Verb.REMOVE else Cause.OTHER_PHASE
        else:
            _site(account, attempt)
    _one_to_a_place(account, [t for t in tries if t.open and t.units], book)
    _keep(account, [t for t in tries if t.open], book.excess_builds)


def _one_to_a_place(account: Account, tries: Sequence[Attempt], book: Rulebook) -> None:
    """Of several builds in one place keep the first, the last or none (4.D.5); in a box there is no such rule."""
    board = account.rules.board
    if account.rules.asked(WinterMechanic.upkeep):
        tries = _affordable(account, tries)
    by_place: dict[str, list[Attempt]] = {}
    for attempt in tries:
        by_place.setdefault(attempt.units[0].at.province, []).append(attempt)
    for place, rivals in by_place.items():
        room = account.room(place)
        if len(rivals) > room and board.province(place).terrain is not Terrain.BOX:
            kept = {"first": rivals[:room], "last": rivals[len(rivals) - room :]}.get(book.double_builds, [])
            for attempt in rivals:
                attempt.fault = None if attempt in kept else Cause.TAKEN


def _affordable(account: Account, tries: Sequence[Attempt]) -> Sequence[Attempt]:
    """The builds that there is supply for, one by one; all if there is for none."""
    alone = [t for t in tries if account.cost((*account.units, *t.units)) <= account.supply]
    for attempt in tries:
        if alone and attempt not in alone:
            attempt.fault = Cause.NO_BUILDS
    return alone or tries


def _keep(account: Account, tries: Sequence[Attempt], answer: str) -> None:
    """Keep the builds and waives that there is supply for: the first, the last, or none if any is too many (4.D.4).

    A waive takes the place of a build that costs one, or, where no such is left, of one that would cost nothing.
    """
    built: list[Unit] = []
    used: Counter[str] = Counter()
    waived, refused = 0, []
    for attempt in reversed(tries) if answer == "last" else tries:
        spare = account.supply - account.cost((*account.units, *built, *attempt.units)) - waived
        if attempt.units:
            place = attempt.units[0].at.province
            fits = spare >= 0 and used[place] < account.room(place)
            if fits:
                used[place] += 1
                built += attempt.units
        else:
            fits = spare > 0 or bool(account.free(built))
            waived += spare > 0
        if not fits:
            refused.append(attempt)
    for attempt in tries if refused and answer == "none" else refused:
        attempt.fault = Cause.NO_BUILDS


def _site(account: Account, attempt: Attempt) -> None:
    """Choose the kind and the coast of a build (4.B.7, 4.C.3, 4.C.4, STD-10.c)."""
    order, open_sites = attempt.reading.order, account.sites
    assert order is not None
    assert order.at is not None
    board, book = account.rules.board, account.rules.rulebook
    if order.at.province not in open_sites:
        full = occupied(board, account.position)
        attempt.fault = Cause.OCCUPIED if order.at.province in full else Cause.NOT_A_SITE
        attempt.detail = _open_places(board, open_sites)
        return
    province = board.province(order.at.province)
    inland = province.terrain is Terrain.INLAND
    kinds = open_sites[province.id]
    kind = order.kind or _kind_meant(board, kinds, order.at, inland, book.build_kind_omitted)
    if inland and kind and board.sails(kind) and book.fleet_inland == "army":
        kind = _only(k for k in kinds if not board.sails(k)) or kind
    split = province.coasts if kind and board.sails(kind) else ()
    coast = order.at.coast if order.at.coast in split else ""
    if split and not coast and book.build_coast_omitted == "default":
        coast = split[-1]
    if not kind:
        attempt.fault = Cause.WRONG_KIND
    elif split and not coast:
        attempt.fault = Cause.WHICH_COAST
    elif kind not in kinds or not board.can_stand(kind, Location(province.id, coast)):
        attempt.fault, attempt.aspect = Cause.NOT_A_SITE, "wrong_sort"
    else:
        attempt.units = (Unit(0, kind, attempt.power, Location(province.id, coast)),)


def _open_places(board: Board, sites: Iterable[str]) -> str:
    """Where a power may build instead."""
    names = [board.shown(Location(site)) for site in sites]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    named = ", ".join(names[:MOST_NAMED]) + more
    return f"it may build in {named}" if names else "there is no place where it may build now"


def _kind_meant(board: Board, kinds: Iterable[str], at: Location, inland: bool, answer: str) -> str:
    """The kind that a build without a letter means, of those that may be built there; "" if it means none (4.C.3)."""
    if answer == "void":
        return ""
    if answer == "by_coast" and at.coast:
        return _only(kind for kind in kinds if board.sails(kind))
    return _only(kind for kind in kinds if not (inland and board.sails(kind)))


def _only(kinds: Iterable[str]) -> str:
    """The one kind that there is, "" if there is none or a choice."""
    found = list(kinds)
    return found[0] if len(found) == 1 else ""
