"""Events as a Gamesmaster tells them: a sentence in good grammar, and the clause that stands behind it.

The words are the usual ones, unless a mechanic knows better what befell, or the variant's own rulebook is to be cited.
"""

from __future__ import annotations

from gamesmaster.board import Location
from gamesmaster.game.calendar import Phase
from gamesmaster.game.reasons import Reason
from gamesmaster.game.record import Event, EventKind
from gamesmaster.game.variant import Variant
from gamesmaster.judge import PLAIN, Aspect, Happening, Saying
from gamesmaster.orders import PhaseKind

CLAUSES = {
    EventKind.DESTROYED: "STD-9.e",
    EventKind.TAKES: "STD-10.a",
    EventKind.ELIMINATED: "STD-2.c",
    EventKind.TIED: "STD-2.a",
    EventKind.SWEPT: "TAD-8.i",
    EventKind.GRACE: "TAD-8.a",
    EventKind.ANARCHY: "TAD-8.c",
    EventKind.RESTORED: "TAD-8.c",
    EventKind.DISPERSED: "CNW-10.b",
    EventKind.SUNK: "IND-9.c",
    EventKind.WEATHERED: "IND-9.c",
    EventKind.OVERDUE: "IND-9.b",
    EventKind.CURSED: "IND-5.b",
    EventKind.ARRIVED: "SCO-4.d",
    EventKind.BARRED: "SCO-4.d",
    EventKind.FALLEN: "SCO-16.a",
    EventKind.LOST: "CNW-6.e",
    EventKind.STARVED: "AFM-4.b",
    EventKind.WRECKED: "SCO-12.b",
}
SENTENCES = {
    EventKind.DESTROYED: "{powers} unit from {place} has nowhere to retreat and disbands.",
    EventKind.TAKES: "{power} take{s} {place}{of}.",
    EventKind.ELIMINATED: "{power} {has} neither centres nor units left and {is_} out of the game.",
    EventKind.TIED: "{power} {has} what wins the game, but {is_} not alone ahead: the game goes on.",
    EventKind.SWEPT: "{power} own{s} no centre any more, and {its} units are removed.",
    EventKind.GRACE: "{power} {has} lost {its} home, and a year to win some of it back.",
    EventKind.ANARCHY: "{power} fall{s} into anarchy: {its} units stand, and nobody orders them.",
    EventKind.RESTORED: "{power} {has} a home again; {its} grace is over.",
    EventKind.DISPERSED: "The standing army in {place} is beaten and gone.",
    EventKind.SUNK: "{powers} unit in {place} goes down in a storm.",
    EventKind.WEATHERED: "{powers} unit in {place} rides out a storm.",
    EventKind.OVERDUE: "{powers} unit in {place} had to leave it, was not ordered to, and is lost.",
    EventKind.CURSED: "{power} {has} broken the taboo of {place}: {its} unit is gone{detail}.",
    EventKind.ARRIVED: "{powers} reinforcements arrive in {place}.",
    EventKind.BARRED: "{powers} reinforcements find {place} occupied and turn back for good.",
    EventKind.FALLEN: "{power} {has} lost {its} seat: {its} units are removed, and {its} centres are nobody's.",
    EventKind.LOST: "{power} lose{s} the unit that was carried in {place}.",
    EventKind.STARVED: "{power} lose{s} the army aboard in {place}, which has been too long at sea.",
    EventKind.WRECKED: "Boats in {place} are lost.",
}


def tidings(variant: Variant, phase: Phase, event: Event) -> Reason:
    """An event of a phase that is over: its sentence, and its clause."""
    saying, detail = told_as(variant, phase, event)
    known = {power.name: power.plural for power in variant.powers}
    text = saying.says.format(
        place=variant.board.called(Location(event.province)) if event.province else "",
        of=f" from {event.of}" if event.of else "",
        detail=detail,
        **_grammar(event.power, plural=known.get(event.power, False)),
    )
    return Reason(text, saying.clause)


def told_as(variant: Variant, phase: Phase, event: Event) -> tuple[Saying, str]:
    """The clause and the pattern of the sentence by which an event is told, and what is put where it has `{detail}`."""
    aspect = _aspect(variant, phase, event)
    own, usual = variant.clauses.event(event.kind.value, aspect.word), variant.clauses.event(event.kind.value)
    clause = own.clause or usual.clause or CLAUSES[event.kind]
    return Saying(clause, own.says or usual.says or SENTENCES[event.kind]), aspect.detail or ""


def _aspect(variant: Variant, phase: Phase, event: Event) -> Aspect:
    """What the mechanics know better of it."""

    def winter(number: int) -> str:
        """The name of the Winter that is so many from the phase on."""
        now = phase
        for _ in range(number * len(variant.calendar.slots) + 1):
            if now.kind is PhaseKind.ADJUSTMENTS:
                number -= 1
                if not number:
                    break
            now = variant.calendar.next(now)
        return f"{now.season} {variant.calendar.year(now)}"

    happening = Happening(event.kind.value, event.power, event.province, event.of)
    for mechanic in variant.mechanics:
        if (found := mechanic.befell(variant.board, happening, winter)) is not PLAIN:
            return found
    return PLAIN


def _grammar(power: str, *, plural: bool) -> dict[str, str]:
    """The forms of a sentence of which this power is the subject."""
    singular = {"s": "s", "has": "has", "is_": "is", "it": "it", "its": "its"}
    words = {"s": "", "has": "have", "is_": "are", "it": "they", "its": "their"} if plural else singular
    owner = f"{power}'" if plural and power.endswith("s") else f"{power}'s"
    return {"power": power, "powers": owner, **words}
