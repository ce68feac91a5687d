"""What provinces are worth to a power, whatever its units may be ordered there."""

from __future__ import annotations

from dataclasses import dataclass

from gamesmaster.orders import PhaseKind
from gamesmaster.players.chart import chart_of
from gamesmaster.players.peril import survival
from gamesmaster.players.survey import Survey
from gamesmaster.players.view import View
from gamesmaster.variant import Calendar, Phase


@dataclass(frozen=True, slots=True)
class Tastes:
    """What a player thinks of provinces; a supply centre of nobody's is worth 1.

    `taking` is another power's centre, and `leader` what is added for the centres of the largest; `keeping` an own
    centre that is attacked by two, half of it if by one.  `now` and `later` are the weights of the rings around a
    place, its own province first, when this movement is the last before owners are counted, and when it is not.
    """

    taking: float = 1.1
    leader: float = 0.4
    keeping: float = 1.6
    now: tuple[float, ...] = (2.0, 0.4, 0.25, 0.15, 0.1, 0.06, 0.04, 0.02)
    later: tuple[float, ...] = (0.8, 0.5, 0.3, 0.18, 0.1, 0.06, 0.04, 0.02)


class Valuation:
    """The worth of every province and location (by number) to the power whose view it is.

    `worth` is of the province itself, `safe` how likely a unit lives on there; `kinds()` are what each location is
    worth to a unit of each kind, what lies around it counted too.
    """

    def __init__(self, view: View, survey: Survey, tastes: Tastes) -> None:
        self.view, self.survey, self.tastes = view, survey, tastes
        self.chart = chart_of(view.board, view.power)
        self.weights = tastes.now if last_before_count(view.variant.calendar, view.phase) else tastes.later
        self.worth, self.safe = self._worth(), survival(view)

    def kinds(self) -> dict[str, list[float]]:
        """What each location is worth to a unit of each kind, forms that units may take among them."""
        states, size = self.chart.rings(self.worth, self.safe, self.weights), len(self.view.board.locations)
        return {kind: states[first : first + size] for kind, first in self.chart.first.items()}

    def _worth(self) -> list[float]:
        view, tastes = self.view, self.tastes
        owners = view.position.owners
        sizes = dict.fromkeys(view.rules.powers, 0)
        for centre in view.board.centres:
            if owners.get(centre) in sizes:
                sizes[owners[centre]] += 1
        largest = max(1, *sizes.values())
        worth = [0.0] * len(view.board.provinces)
        for centre in view.board.centres:
            place, owner = view.board.index[centre], owners.get(centre, "")
            if owner == view.power:
                worth[place] = tastes.keeping * min(2, self.survey.strongest(place)) / 2
            elif owner in sizes:
                worth[place] = tastes.taking + tastes.leader * sizes[owner] / largest
            else:
                worth[place] = 1.0
        return worth


def last_before_count(calendar: Calendar, phase: Phase) -> bool:
    """Are the owners of centres settled before the next movement phase (STD-10.a)?"""
    for _ in calendar.slots:
        if calendar.counts(phase):
            return True
        phase = calendar.next(phase)
        if phase.kind is PhaseKind.MOVEMENT:
            break
    return False
