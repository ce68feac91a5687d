"""The settings of a table in sentences, for those who think of sitting down."""

from __future__ import annotations

from collections.abc import Iterator

from gamesmaster.game import HouseRules
from gamesmaster.game.house_rules import settings as house_settings
from gamesmaster.host.models import Table
from gamesmaster.host.service import bots
from gamesmaster.host.table_settings import Pace, TableSettings
from gamesmaster.host.views.durations import told

DAY_NAMES = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
PRESS = {
    "none": "There is no press.",
    "broadcast": "Only the Gamesmaster can write.",
    "public": "All press is public.",
    "private": "Players can write to all, or to one power.",
    "groups": "Players can write to all, to one power, or to a group.",
    "rulebook": "Players can write to anybody, but only while moves are due.",
}
ANONYMITY = {
    "none": "Everybody sees who plays what.",
    "until_end": "Players stay anonymous until the game is over.",
    "always": "Players stay anonymous for good.",
}

BALLOTS = {
    "secret": "Votes to end the game are secret: you see only your own.",
    "counted": "Everybody sees what is proposed and how many agree, but not who.",
    "open": "Everybody sees what is proposed and who agrees.",
}
BOTS_AGREE = {
    "with_all": "Bots agree to an end of the game when all people do; the game is then not rated.",
    "never": "Bots never agree to end the game, so it cannot be ended by vote while a bot has to be asked.",
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
            f"The phase ends {told(settings.panic)} after everybody is ready."
            if settings.panic
            else "The phase ends as soon as everybody is ready.",
        )
    grace = f"The game waits {told(absent.grace)} for them." if absent.grace else "The game does not wait for them."
    lost = f" {_losing(absent.misses)}" if absent.misses else ""
    asked = " Before that happens, a standby is asked for orders as well." if absent.beforehand else ""
    yield "Late orders", grace + lost + asked
    yield "Press", PRESS[settings.press] + (" It may be unsigned." if settings.grey else "")
    yield "Players' names", ANONYMITY[settings.anonymity]
    if settings.draws == "survivors":
        yield "A draw", "A draw is shared by all survivors."
    else:
        yield "A draw", "A draw is shared by the powers that its proposal names, if all survivors agree."
    yield "Votes", f"{BALLOTS[settings.ballots]} {BOTS_AGREE[settings.bots_agree]}"
    if plan.move is not None:
        yield "More time", f"A vote for more time adds {told(settings.extension)}."
    yield "Powers", "Drawn at random." if settings.powers == "lot" else "By preference; ties are broken at random."
    if settings.fill:
        yield "Empty seats", f"Bots take them ({bots.title(settings.fill)})."
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


def _losing(misses: int) -> str:
    """How many missed deadlines cost a seat, as a sentence."""
    if misses == 1:
        return "A player who misses one deadline may lose the seat."
    many = {2: "two", 3: "three", 4: "four", 5: "five"}.get(misses, str(misses))
    return f"A player who misses {many} deadlines in a row may lose the seat."
