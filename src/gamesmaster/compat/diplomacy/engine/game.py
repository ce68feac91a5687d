"""Games, as programs written for the PyPI package `diplomacy` play them, adjudicated by our judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from gamesmaster.board import Location, Position
from gamesmaster.compat.diplomacy.engine.game_phase_data import GamePhaseData
from gamesmaster.compat.diplomacy.engine.history import PhaseHistory
from gamesmaster.compat.diplomacy.engine.listing import spell
from gamesmaster.compat.diplomacy.engine.map import SHORT
from gamesmaster.compat.diplomacy.engine.order_results import DISBAND, OrderResult
from gamesmaster.compat.diplomacy.engine.power import ORDER_SET, ORDER_SET_EMPTY, Power
from gamesmaster.compat.diplomacy.engine.results import Judged, halves
from gamesmaster.compat.diplomacy.engine.table import KINDS, VOIDED
from gamesmaster.errors import NotFound
from gamesmaster.game import advance
from gamesmaster.judge import Adjudication, adjudicate
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.pictures import Picture, Snapshot, board_folder, read_shapes
from gamesmaster.rules import Cause


class Game(PhaseHistory):
    """A game that is changed in place, with the names of the PyPI package.

    `phase` is the long name of the phase (`SPRING 1901 MOVEMENT`, `COMPLETED`), `phase_type` its letter.  After a phase
    `result` has the results by unit, `dislodged` where each attacker came from, `popped` the units that are lost, and
    `lost` the centres with their former owners.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.outcome: list[str] = []
        self.result: dict[str, list[OrderResult]] = {}
        self._judged = Judged()
        self.lost: dict[str, str] = {}
        self.popped: list[str] = []

    # -- orders ------------------------------------------------------------------------------------------------------

    def set_orders(
        self, power_name: str, orders: str | Sequence[str], expand: bool = True, replace: bool = True
    ) -> None:
        """Add orders of a power; a later one for the same unit takes its place, unless `replace` is false.

        Impossible ones are left out and named in `error`; under `NO_CHECK` all are kept, and void.  Raises `NotFound`
        for an unknown power.
        """
        power = self._power(power_name)
        texts = [text for text in ([orders] if isinstance(orders, str) else orders) if text]
        if self.phase_type != "M":
            self._adjust(power, texts, replace=replace)
        elif "NO_CHECK" in self.rules:
            for text in texts:
                words = text.upper().split()
                same = [key for key, old in power.orders.items() if old.upper().split()[1:2] == words[1:2]]
                power.orders = {k: old for k, old in power.orders.items() if not replace or k not in same}
                power.orders[f"ORDER {_next_number(power.orders)}"] = text
        else:
            legal = self._legal()
            for text in texts:
                unit, tail = halves(text)
                known = unit in power.units and text in legal[unit[2:]]
                if known or (accepted := self._accept(power, text, legal)):
                    unit, tail = (unit, tail) if known else halves(accepted)
                    if replace or unit not in power.orders:
                        power.orders[unit] = tail
                else:
                    self.error.append(f"impossible: {text}")
        power.order_is_set = ORDER_SET if power.orders or power.adjust else ORDER_SET_EMPTY

    def _adjust(self, power: Power, texts: Sequence[str], *, replace: bool) -> None:
        """Add orders of retreats or adjustments; impossible ones are kept as void."""
        if not texts:
            power.adjust = []
            return
        added: list[str] = []
        legal = self._legal()
        for text in texts:
            accepted = self._accept(power, text, legal)
            place = accepted.split("/")[0][2:5]
            if not accepted or (accepted != "WAIVE" and any(old[2:5] == place for old in added)):
                self.error.append(f"impossible: {text}")
                accepted = VOIDED + (accepted or text)
            added.append(accepted)
        for text in added:
            own = [old for old in power.adjust if old[2:5] == text[2:5] and not old.startswith((VOIDED, "WAIVE"))]
            if own and not text.startswith((VOIDED, "WAIVE")) and text not in added[: added.index(text)]:
                if not replace:
                    continue
                power.adjust = [old for old in power.adjust if old not in own]
            power.adjust.append(text)

    def _accept(self, power: Power, text: str, legal: Mapping[str, Sequence[str]]) -> str:
        """Return an order as the package writes it, "" if the power cannot give it here."""
        words = text.split()
        if text == "WAIVE":
            return text if any(text in legal[site] for site in self._build_sites(power)) else ""
        if len(words) > 1 and text in legal.get(words[1], ()) and self._may_order(power, text):
            return text
        order = self.map.read_order(text, KINDS[self.phase_type])
        if order is None or order.at is None:
            return ""
        at = str(order.at)
        own = power.retreats if self.phase_type == "R" else power.units
        unit = next((u for u in own if u[2:] == at or u[2:5] == at[:SHORT]), "")
        if order.verb is Verb.BUILD or not unit:
            spelt = spell(order)
            return spelt if spelt in legal.get(at, ()) and self._may_order(power, spelt) else ""
        if order.kind not in ("", unit[0]):
            return ""
        helped = self._occupant(str(order.of), any_coast=1) if order.of else None
        order = replace(order, kind=unit[0], at=Location.of(unit[2:]), of_kind=helped[0] if helped else order.of_kind)
        spelt = " ".join(self.map.default_coast(spell(order).split()))
        possible = spelt in legal[unit[2:]] or (self.phase_type == "M" and self._is_possible(power, spelt))
        return spelt if possible else ""

    def _may_order(self, power: Power, text: str) -> bool:
        """Return whether a legal order is for a unit of this power, or a build of its own."""
        if self.phase_type == "R":
            return halves(text)[0] in power.retreats
        if text.endswith(" B"):
            return text[2:5] in self._build_sites(power)
        return halves(text)[0] in power.units

    def _is_possible(self, power: Power, text: str) -> bool:
        judged = adjudicate(self.map.judging, PhaseKind.MOVEMENT, self._position(), {power.name: [text]})
        return judged.rulings[0].possible

    def get_order_status(self, power_name: str | None = None, unit: str | None = None, loc: str | None = None) -> Any:
        """Return the results of the last phase: of a unit, of the unit in a province, of a power, or of all."""
        results = self.result_history.last_value() if self.result_history else {}
        if unit:
            return list(results.get(unit, ()))
        if loc:
            there = next((found for found in results if found[2:5] == loc[:SHORT]), loc)
            return there, list(results.get(there, ()))
        began = self.state_history.last_value()["units"] if self.state_history else {}
        of = {name: [text.removeprefix("*") for text in units] for name, units in began.items()}
        return self._each(lambda power: {u: list(results.get(u, ())) for u in of.get(power.name, ())}, power_name)

    # -- from phase to phase -----------------------------------------------------------------------------------------

    def process(self) -> GamePhaseData:
        """Adjudicate the phase, go on to the next in which anybody has anything to do, and return the one before."""
        before = self._archive(self.get_orders())
        kind = KINDS.get(self.phase_type)
        if kind is None:
            return before
        self._give_homes()
        phase, position = self.map.phase_of(before.name), self._position()
        judged = self._judge(kind, position, before.orders)
        self._keep_results(kind, position, judged)
        before.results = self.result_history[before.name] = self.result
        step = advance(self.map.variant, self.map.judging, phase, position, judged)
        self.lost = {event.province: event.of for event in step.events if event.province and event.of}
        self.phase = self.map.phase_name(step.phase)
        self.phase_type = step.phase.kind.value[0].upper()
        self._take_position(step.position)
        self.clear_orders()
        self.error = []
        if step.outcome:
            self._finish(step.outcome.winners, self.map.phase_abbr(self._count_phase(before.name)))
        return before

    def _count_phase(self, phase: str) -> str:
        """Return the long name of the adjustments of a phase's year."""
        long = self.map.phase_long(phase)
        return long if phase.endswith("A") else self.map.find_next_phase(long, "A")

    def _give_homes(self) -> None:
        """Give each power its homes, where nobody owns a centre when the year's count is next."""
        if any(power.centers for power in self.powers.values()):
            return
        count, moves = (self.map.find_next_phase(self.phase, kind) for kind in "AM")
        if self.map.compare_phases(count, moves) < 0:
            for power in self.powers.values():
                power.centers = list(power.homes)

    def _judge(self, kind: PhaseKind, position: Position, orders: Mapping[str, list[str] | None]) -> Adjudication:
        """Adjudicate the orders.  An army ordered `VIA` walks, if it can, without a chain of fleets (DATC 4.A.3)."""
        rules, walking, each = self.map.judging, self.map.walking, self.powers.values()
        if kind is not PhaseKind.MOVEMENT:
            kept = {p.name: [text for text in p.adjust if not text.startswith(VOIDED)] for p in each}
            # A waive takes the place of a build that is ordered only where there is room for both.
            sent = {name: sorted(texts, key="WAIVE".__eq__) for name, texts in kept.items()}
            return adjudicate(rules, kind, position, sent)
        sent = {name: list(texts or ()) for name, texts in orders.items()}
        carried = {text.partition(" C ")[2] for texts in sent.values() for text in texts if " C " in text}
        for texts in sent.values():
            texts[:] = [walking[text] if text.endswith(" VIA") and text[:-4] not in carried else text for text in texts]
        judged = adjudicate(rules, kind, position, sent)
        by_sea = any(text.endswith(" VIA") for texts in sent.values() for text in texts)
        stranded = {r.given for r in judged.rulings if r.cause is Cause.NO_CHAIN} if by_sea else set()
        if any(walking[text] != text for text in stranded):
            judged = adjudicate(rules, kind, position, {p: self._all_walking(t, stranded) for p, t in sent.items()})
        return judged

    def _all_walking(self, texts: Sequence[str], stranded: Set[str]) -> list[str]:
        """Return a power's orders with its stranded armies walking; its own fleets, which would carry them, hold."""
        walks = {text: self.map.walking[text] for text in texts if text in stranded}
        idle = set(walks.values())
        return [f"{halves(t)[0]} H" if t.partition(" C ")[2] in idle else walks.get(t, t) for t in texts]

    def _keep_results(self, kind: PhaseKind, position: Position, judged: Adjudication) -> None:
        """Keep what became of each order, and of the units without one."""
        given = ((power.name, text) for power in self.powers.values() for text in power.adjust)
        void = [(name, halves(text.removeprefix(VOIDED))[0]) for name, text in given if text.startswith(VOIDED)]
        self._judged = Judged(kind, judged.rulings, self._found.texts, void)
        moving, retreating = kind is PhaseKind.MOVEMENT, kind is PhaseKind.RETREATS
        asked = (p.units if moving else p.retreats if retreating else () for p in self.powers.values())
        self.result = self._judged.results(chain.from_iterable(asked))
        self.popped = []
        if moving:
            beaten = [(self._found.texts[d.unit.number], d) for d in judged.position.dislodged]
            self.dislodged = {unit: d.by for unit, d in beaten}
            self.popped = [unit for unit, d in beaten if not d.retreats]
        elif retreating:
            kept = {unit.number for unit in judged.position.units}
            self.popped = [str(beaten.unit) for beaten in position.dislodged if beaten.unit.number not in kept]
            for unit in self.popped:
                self.result[unit].append(DISBAND)
            self.dislodged = {}

    @property
    def command(self) -> dict[str, str]:
        """What each unit did in the last phase (`{"A PAR": "- BUR"}`), if that was one of movement."""
        return self._judged.commands()

    @property
    def ordered_units(self) -> dict[str, list[str]]:
        """The units of each power that had orders in the last phase."""
        return self._judged.ordered(self.powers)

    def _finish(self, winners: Iterable[str], phase: str) -> None:
        winners = list(winners)
        self.outcome, self.note = [phase, *winners], f"Victory by: {', '.join(name[:SHORT] for name in winners)}"
        self.set_current_phase("COMPLETED")
        self.status = "completed"
        for power in self.powers.values():
            power.retreats = {}

    def draw(self, winners: Sequence[str] | None = None) -> tuple[GamePhaseData, GamePhaseData]:
        """End the game, shared by these powers, by default all with units; return its last phase and its end."""
        shared = [p.name for p in self.powers.values() if p.units] if winners is None else winners
        self.clear_orders()
        before = self._archive(self.get_orders())
        self.result_history[before.name] = before.results
        self._finish(shared, before.name)
        return before, self.get_phase_data()

    def set_phase_data(self, phase_data: GamePhaseData | Sequence[GamePhaseData], clear_history: bool = True) -> None:
        """Set the phase that is being played, the last one given; those before it become the history."""
        phases = [phase_data] if isinstance(phase_data, GamePhaseData) else list(phase_data)
        if not phases:
            return
        self.clear_orders()
        if clear_history:
            self._clear_history()
        for data in phases[:-1]:
            self.extend_phase_history(data)
        now = phases[-1]
        self.set_state(now.state, clear_history=False)
        for name, orders in now.orders.items():
            if orders is not None:
                self.set_orders(name, orders)
        self.messages = now.messages.copy()

    # -- pictures ----------------------------------------------------------------------------------------------------

    def render(
        self,
        incl_orders: bool = True,
        incl_abbrev: bool = False,
        output_format: str = "svg",
        output_path: str | None = None,
    ) -> str:
        """Return a picture as SVG, with the results that the orders given so far would have; write it to a file.

        Places always have their names.  Raises `NotFound` for a map that has no drawing, and for another format.
        """
        if output_format != "svg" or self.map_name != "standard":
            raise NotFound(f"no picture of {self.map_name} as {output_format}", hint="gamesmaster board draw")
        shapes = read_shapes(board_folder("standard") / "shapes.json")
        position = self._position()
        kind = KINDS.get(self.phase_type) if incl_orders else None
        rulings = self._judge(kind, position, self.get_orders()).rulings if kind else ()
        drawn = Picture(self.map.variant.board, shapes, self.map.variant.powers).svg(
            Snapshot(position, rulings=rulings)
        )
        if output_path:
            Path(output_path).write_text(drawn, encoding="utf-8")
        return drawn


def _next_number(orders: Iterable[str]) -> int:
    return 1 + max((int(key.split()[1]) for key in orders), default=0)
