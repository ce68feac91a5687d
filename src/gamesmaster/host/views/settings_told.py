"""The settings of a table in sentences, for those who think of sitting down."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.game import HouseRules
from gamesmaster.game.house_rules import settings as house_settings
from gamesmaster.host.models import Table
from gamesmaster.host.service import bots
from gamesmaster.host.table_settings import Pace, TableSettings
from gamesmaster.host.wording import length_words, listed

DAY_NAMES = (
    gettext_lazy("Mondays"),
    gettext_lazy("Tuesdays"),
    gettext_lazy("Wednesdays"),
    gettext_lazy("Thursdays"),
    gettext_lazy("Fridays"),
    gettext_lazy("Saturdays"),
    gettext_lazy("Sundays"),
)
PRESS = {
    "none": gettext_lazy("There is no press."),
    "broadcast": gettext_lazy("Only the Gamesmaster can write."),
    "public": gettext_lazy("All press is public."),
    "private": gettext_lazy("Players can write to all, or to one power."),
    "groups": gettext_lazy("Players can write to all, to one power, or to a group."),
    "rulebook": gettext_lazy("Players can write to anybody, but only while moves are due."),
}
ANONYMITY = {
    "none": gettext_lazy("Everybody sees who plays what."),
    "until_end": gettext_lazy("Players stay anonymous until the game is over."),
    "always": gettext_lazy("Players stay anonymous for good."),
}

BALLOTS = {
    "secret": gettext_lazy("Votes to end the game are secret: you see only your own."),
    "counted": gettext_lazy("Everybody sees what is proposed and how many agree, but not who."),
    "open": gettext_lazy("Everybody sees what is proposed and who agrees."),
}
BOTS_AGREE = {
    "with_all": gettext_lazy("Bots agree to an end of the game when all people do; the game is then not rated."),
    "never": gettext_lazy(
        "Bots never agree to end the game, so it cannot be ended by vote while a bot has to be asked."
    ),
}

TOLD_ABOVE = frozenset({"draw_shares", "votes", "missed_before_standby", "standby_players"})
"""House rules that the table's settings say."""


def sentences(settings: TableSettings, table: Table) -> list[tuple[str, str]]:
    """What is agreed, as a word and what is said of it."""
    return list(_sentences(settings, table))


def _sentences(settings: TableSettings, table: Table) -> Iterator[tuple[str, str]]:
    plan, absent = settings.deadlines, settings.absent
    yield _("Moves"), _pace(plan.movement)
    yield _("Retreats"), _pace(plan.retreats)
    yield _("Builds"), _pace(plan.adjustments)
    if plan.first is not None:
        yield _("First phase"), _pace(plan.first)
    if plan.days_off or plan.dates_off:
        yield _("Days off"), ", ".join([*(str(DAY_NAMES[d]) for d in plan.days_off), *map(str, plan.dates_off)])
    if settings.early:
        yield (
            _("All ready"),
            _("The phase ends {length} after everybody is ready.").format(length=length_words(settings.panic))
            if settings.panic
            else _("The phase ends as soon as everybody is ready."),
        )
    grace = (
        _("The game waits {length} for them.").format(length=length_words(absent.grace))
        if absent.grace
        else _("The game does not wait for them.")
    )
    lost = f" {_losing(absent.misses)}" if absent.misses else ""
    asked = _(" Before that happens, a standby is asked for orders as well.") if absent.beforehand else ""
    yield _("Late orders"), grace + lost + asked
    yield _("Press"), PRESS[settings.press] + (_(" It may be unsigned.") if settings.grey else "")
    yield _("Players' names"), str(ANONYMITY[settings.anonymity])
    if settings.draws == "survivors":
        yield _("A draw"), _("A draw is shared by all survivors.")
    else:
        yield _("A draw"), _("A draw is shared by the powers that its proposal names, if all survivors agree.")
    yield _("Votes"), f"{BALLOTS[settings.ballots]} {BOTS_AGREE[settings.bots_agree]}"
    if plan.move is not None:
        yield _("More time"), _("A vote for more time adds {length}.").format(length=length_words(settings.extension))
    yield (
        _("Powers"),
        _("Drawn at random.") if settings.powers == "lot" else _("By preference; ties are broken at random."),
    )
    if settings.fill:
        yield _("Empty seats"), _("Bots take them ({title}).").format(title=bots.title(settings.fill))
    if settings.min_reliability:
        yield _("Players"), _("At least {min_reliability} % reliable.").format(min_reliability=settings.min_reliability)
    rulebook = table.rulebook.get("given")
    if rulebook:
        yield _("Rulebook"), str(rulebook)


def house_sentences(table: Table) -> list[tuple[str, str]]:
    """The house rules that are not the usual ones: what each settles, and what holds; without those told above."""
    agreed = HouseRules.of(table.house_rules)
    names = [name for name in agreed.choices() if name not in TOLD_ABOVE]
    return [(house_settings()[name].question, agreed.sentence(name)) for name in names]


def _pace(pace: Pace) -> str:
    if pace.wall is not None:
        return _("At {times}, {zone}.").format(times=listed(pace.wall.times), zone=pace.wall.zone)
    return length_words(pace.minutes) if pace.minutes else _("No deadline.")


def _losing(misses: int) -> str:
    """How many missed deadlines cost a seat, as a sentence."""
    if misses == 1:
        return _("A player who misses one deadline may lose the seat.")
    many = {2: "two", 3: "three", 4: "four", 5: "five"}.get(misses, str(misses))
    return _("A player who misses {many} deadlines in a row may lose the seat.").format(many=many)
