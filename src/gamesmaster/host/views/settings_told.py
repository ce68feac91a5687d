"""The settings of a table in sentences, for those who think of sitting down."""

from __future__ import annotations

from collections.abc import Iterator

from gamesmaster.game import HouseRules
from gamesmaster.game.house_rules import settings as house_settings
from gamesmaster.host.models import Table
from gamesmaster.host.table_settings import Pace, TableSettings
from gamesmaster.host.views.durations import told

DAY_NAMES = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
PRESS = {
    "none": "Nobody writes.",
    "broadcast": "Only the Gamesmaster writes.",
    "public": "Players write to all.",
    "private": "Players write to one another, or to all.",
    "groups": "Players write to anybody and to groups.",
    "rulebook": "Players write to whom they like, while moves are to be made.",
}
ANONYMITY = {
    "none": "Everybody sees who plays what.",
    "until_end": "Who plays what is told when the game is over.",
    "always": "Who plays what is never told.",
}

TOLD_ABOVE = frozenset({"draw_shares", "votes", "missed_before_standby", "standby_players"})
"""House rules that the table's settings say."""


def sentences(settings: TableSettings, table: Table) -> list[tuple[str, str]]:
    """What is agreed, as a word and what is said of it."""
    return list(_sentences(settings, table))


def _sentences(settings: TableSettings, table: Table) -> Iterator[tuple[str, str]]:
    plan, absent = settings.deadlines, settings.absent
    yield "Moves", _pace(plan.movement)
    yield "Retreats", _pace(plan.retreats)
    yield "Builds", _pace(plan.adjustments)
    if plan.first is not None:
        yield "First phase", _pace(plan.first)
    if plan.days_off or plan.dates_off:
        yield "Days off", ", ".join([*(DAY_NAMES[d] for d in plan.days_off), *map(str, plan.dates_off)])
    if settings.early:
        yield (
            "All ready",
            f"The phase ends early, {told(settings.panic)} later." if settings.panic else "It goes on at once.",
        )
    grace = f"The table waits {told(absent.grace)}." if absent.grace else "Nobody is waited for."
    lost = f" {absent.misses} missed in a row lose the seat." if absent.misses else ""
    asked = " A standby is asked for orders, too, when one more would be the last." if absent.beforehand else ""
    yield "Late orders", grace + lost + asked
    yield "Press", PRESS[settings.press] + (" It need not be signed." if settings.grey else "")
    yield "Names", ANONYMITY[settings.anonymity]
    shares = "All survivors share it." if settings.draws == "survivors" else "Those share it who agree on it."
    yield "A draw", f"{shares} Votes are {settings.ballots}."
    yield "Powers", "By lot." if settings.powers == "lot" else "By wishes, and lots between equals."
    if settings.fill:
        yield "Empty seats", f"Bots take them ({settings.fill})."
    if settings.min_reliability:
        yield "Players", f"At least {settings.min_reliability} % reliable."
    rulebook = table.rulebook.get("given")
    if rulebook:
        yield "Rulebook", str(rulebook)


def house_sentences(table: Table) -> list[tuple[str, str]]:
    """The house rules that are not the usual ones: what each settles, and what holds; without those told above."""
    agreed = HouseRules.of(table.house_rules)
    names = [name for name in agreed.choices() if name not in TOLD_ABOVE]
    return [(house_settings()[name].question, agreed.sentence(name)) for name in names]


def _pace(pace: Pace) -> str:
    if pace.wall is not None:
        return f"At {' and '.join(pace.wall.times)}, {pace.wall.zone}."
    return told(pace.minutes) if pace.minutes else "No deadline."
