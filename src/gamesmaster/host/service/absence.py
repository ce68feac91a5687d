"""What becomes of players whose orders are missing: one machine of states, without a database.

notice (a reminder) -> grace (the table waits once a phase) -> standby (another player is looked for) -> civil disorder.
Orders bring a player back to `sitting` at any step before the last; only a replacement leads out of that.  Where
standbys are asked beforehand one of them takes the seat instead of being looked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from gamesmaster.host.models.tables import SeatState
from gamesmaster.host.table_settings import Absent


@dataclass(frozen=True, slots=True)
class Missing:
    """A player whose orders are asked for and have not come; `away_until` if the player's calendar says so."""

    power: str
    state: str
    away_until: datetime | None = None


def notice_due(policy: Absent, began: datetime, deadline: datetime, now: datetime) -> bool:
    """Is it time to remind those whose orders are missing?  Not in phases shorter than twice the notice."""
    notice = timedelta(minutes=policy.notice)
    return bool(notice) and deadline - began >= 2 * notice and deadline - notice <= now < deadline


def wait_until(policy: Absent, missing: Iterable[Missing], now: datetime, *, graced: bool) -> datetime | None:
    """Until when the table waits for missing orders at a deadline; None if it goes on.

    It waits once a phase, and only for those who are still held to come: who is away by the calendar is waited for
    until the absence ends (at most `most_away` days), others for the grace.
    """
    if graced:
        return None
    until = None
    for one in missing:
        if one.state not in (SeatState.SITTING, SeatState.AWAY):
            continue
        wait = now + timedelta(minutes=policy.grace)
        if one.away_until is not None and policy.most_away:
            wait = max(wait, min(one.away_until, now + timedelta(days=policy.most_away)))
        until = wait if until is None else max(until, wait)
    return until if until is not None and until > now else None


def before_processing(state: str) -> str:
    """The state of a missing player's seat when a phase is processed: the search for a standby has come to nothing."""
    return SeatState.DISORDER if state == SeatState.STANDBY_WANTED else state


def in_danger(policy: Absent, state: str, misses: int) -> bool:
    """Would one more miss lose the seat, so that a standby is asked for orders, too (CLN-H.e)?"""
    held = state in (SeatState.SITTING, SeatState.AWAY)
    return bool(policy.beforehand) and held and last_miss(policy, misses)


def last_miss(policy: Absent, misses: int) -> bool:
    """Would one more season missed be the one that loses the seat?"""
    return bool(policy.misses) and misses + 1 >= policy.misses


def after_moves(policy: Absent, state: str, misses: int, *, sent: bool, standby: bool = False) -> tuple[str, int]:
    """A seat's state and misses after a season of moves in which orders were asked for.

    `left`, if there is a `standby` who was asked for orders and now takes it.
    """
    if state == SeatState.DISORDER:
        return state, misses
    if sent:
        return SeatState.SITTING, 0
    misses += 1
    if policy.misses and misses >= policy.misses:
        if standby:
            return SeatState.LEFT, misses
        return SeatState.STANDBY_WANTED, misses
    return state, misses
