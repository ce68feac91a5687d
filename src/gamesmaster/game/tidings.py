"""Events as a Gamesmaster tells them: a sentence in good grammar, and the clause that stands behind it.

The words are those of the kind of event, unless a mechanic knows better what happened, or the variant's own rulebook
is to be cited.
"""

from __future__ import annotations

from gamesmaster.board import Location
from gamesmaster.game.calendar import Phase
from gamesmaster.game.reasons import Reason
from gamesmaster.game.variant import Variant
from gamesmaster.judge import PLAIN, Aspect, Event, ReportMechanic, Saying
from gamesmaster.orders import PhaseKind


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
    clause = own.clause or usual.clause or event.kind.clause
    return Saying(clause, own.says or usual.says or event.kind.sentence), aspect.detail or ""


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

    for mechanic in variant.mechanics:
        if isinstance(mechanic, ReportMechanic):
            found = mechanic.event_aspect(variant.board, event, winter)
            if found is not PLAIN:
                return found
    return PLAIN


def _grammar(power: str, *, plural: bool) -> dict[str, str]:
    """The forms of a sentence of which this power is the subject."""
    singular = {"s": "s", "has": "has", "is_": "is", "it": "it", "its": "its"}
    words = {"s": "", "has": "have", "is_": "are", "it": "they", "its": "their"} if plural else singular
    owner = f"{power}'" if plural and power.endswith("s") else f"{power}'s"
    return {"power": power, "powers": owner, **words}
