"""Games, as programs written for the PyPI package `diplomacy` play them, adjudicated by our judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gamesmaster.board import Location, Position
from gamesmaster.compat.diplomacy.engine.game_phase_data import GamePhaseData
from gamesmaster.compat.diplomacy.engine.history import PhaseHistory
from gamesmaster.compat.diplomacy.engine.listing import spell
from gamesmaster.compat.diplomacy.engine.map import SHORT
from gamesmaster.compat.diplomacy.engine.order_results import DISBAND, DISLODGED, OK, VOID, OrderResult
from gamesmaster.compat.diplomacy.engine.power import ORDER_SET, ORDER_SET_EMPTY, Power
from gamesmaster.compat.diplomacy.engine.results import UNBOUND, result_of
from gamesmaster.compat.diplomacy.engine.table import KINDS, VOIDED
from gamesmaster.errors import NotFound
from gamesmaster.game import advance
from gamesmaster.judge import Adjudication, adjudicate
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.pictures import Picture, Snapshot, board_folder, read_shapes
from gamesmaster.rules import Cause, Ruling


class Game(PhaseHistory):
    """A game that is changed in place, with the names of the PyPI package.

    `phase` is the long name of the phase (`SPRING 1901 MOVEMENT`, `COMPLETED`), `phase_type` its letter.  After a phase
    `result` has the results by unit, `command` what each unit did, `ordered_units` which had orders, `dislodged` where
    each attacker came from, `popped` the units that are lost, and `lost` the centres with their former owners.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.outcome: list[str] = []
        self.result: dict[str, list[OrderResult]] = {}
        self.command: dict[str, str] = {}
        self.ordered_units: dict[str, list[str]] = {}
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
                unit, tail = _halves(text)
                known = unit in power.units and text in legal[unit[2:]]
                if known or (accepted := self._accept(power, text, legal)):
                    unit, tail = (unit, tail) if known else _halves(accepted)
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
            return _halves(text)[0] in power.retreats
        if text.endswith(" B"):
            return text[2:5] in self._build_sites(power)
        return _halves(text)[0] in power.units

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
        """Adjudicate the orders.  An army ordered `VIA` that nobody convoys walks, if it can (DATC 4.A.3)."""
        rules, each = self.map.judging, self.powers.values()
        if kind is not PhaseKind.MOVEMENT:
            kept = {p.name: [text for text in p.adjust if not text.startswith(VOIDED)] for p in each}
            # A waive takes the place of a build that is ordered only where there is room for both.
            sent = {name: sorted(texts, key="WAIVE".__eq__) for name, texts in kept.items()}
            return adjudicate(rules, kind, position, sent)
        sent = {name: list(texts or ()) for name, texts in orders.items()}
        carried = {text.partition(" C ")[2] for texts in sent.values() for text in texts if " C " in text}
        for texts in sent.values():
            texts[:] = [
                self._walking(text) if text.endswith(" VIA") and text[:-4] not in carried else text for text in texts
            ]
        judged = adjudicate(rules, kind, position, sent)
        stranded = {r.given for r in judged.rulings if r.cause is Cause.NO_CHAIN}
        if any(self._walking(text) != text for text in stranded):
            sent = {name: [self._walking(t) if t in stranded else t for t in texts] for name, texts in sent.items()}
            judged = adjudicate(rules, kind, position, sent)
        return judged

    def _walking(self, text: str) -> str:
        """Return the order of a move by convoy as one by land, where the goal is beside it; any other as it is."""
        words = text.split()
        walks = words[-1] == "VIA" and len(words) == 5 and self.map.abuts(words[0], words[1], "-", words[3])
        return text[:-4] if walks else text

    def _keep_results(self, kind: PhaseKind, position: Position, judged: Adjudication) -> None:
        """Keep what became of each order, and of the units without one."""
        moving = kind is PhaseKind.MOVEMENT
        self.command, self.popped, self.ordered_units = {}, [], {name: [] for name in self.powers}
        self.result = {unit: [] for power in self.powers.values() for unit in _asked(power, kind)}
        for power in self.powers.values():
            for text in (text.removeprefix(VOIDED) for text in power.adjust if text.startswith(VOIDED)):
                unit = " ".join(text.split()[:2])
                self.result.setdefault(unit, []).append(VOID)
                self.ordered_units[power.name].append(unit)
        fates = {r.unit.at.province: r for r in judged.rulings if r.unit and r.cause not in UNBOUND} if moving else {}
        for ruling in (ruling for ruling in judged.rulings if ruling.cause is not Cause.FOREIGN):
            order, given = ruling.order, ruling.given
            unit = self._name(ruling)
            results, found = self.result.setdefault(unit, []), result_of(ruling, fates)
            if kind is PhaseKind.ADJUSTMENTS and order and order.verb is not Verb.WAIVE:
                found = found or OK
            if found is not None and found not in results:
                results.append(found)
            if ruling.dislodged_by is not None:
                results.append(DISLODGED)
            if moving and ruling.unit is not None and (ruling.cause not in UNBOUND or unit not in self.command):
                spelt = given[len(unit) + 1 :] if given.startswith(unit) else order and _halves(spell(order))[1]
                self.command[unit] = spelt or "H"
            if given:
                self.ordered_units[ruling.power].append(unit)
        if moving:
            beaten = [(self._texts[d.unit.number], d) for d in judged.position.dislodged]
            self.dislodged = {unit: d.by for unit, d in beaten}
            self.popped = [unit for unit, d in beaten if not d.retreats]
        elif kind is PhaseKind.RETREATS:
            kept = {unit.number for unit in judged.position.units}
            self.popped = [str(beaten.unit) for beaten in position.dislodged if beaten.unit.number not in kept]
            for unit in self.popped:
                self.result[unit].append(DISBAND)
            self.dislodged = {}

    def _name(self, ruling: Ruling) -> str:
        """Return the unit that a ruling is about as a text; for orders without one, what they name."""
        unit, order = ruling.unit, ruling.order
        if unit is not None:
            return self._texts.get(unit.number) or str(unit)
        return f"{order.kind} {order.at}" if order and order.at else "WAIVE" if order else ruling.given

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


def _halves(text: str) -> tuple[str, str]:
    """Return the unit of an order, and what it is to do."""
    unit, _, tail = text[2:].partition(" ")
    return text[:2] + unit, tail


def _next_number(orders: Iterable[str]) -> int:
    return 1 + max((int(key.split()[1]) for key in orders), default=0)


def _asked(power: Power, kind: PhaseKind) -> Iterable[str]:
    """Return a power's units that have a result in a phase, ordered or not."""
    return {PhaseKind.MOVEMENT: power.units, PhaseKind.RETREATS: power.retreats}.get(kind, ())
