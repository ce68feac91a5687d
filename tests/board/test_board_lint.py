"""The linter for boards: every kind of slip is found, and what is in order is left alone."""

from dataclasses import replace

import pytest

from gamesmaster.board import Board, Closure, Edge, Finding, Location, Province, Terrain, lint
from tests.effort import calls_of

COAST, SEA, INLAND = Terrain.COAST, Terrain.SEA, Terrain.INLAND


def both(way: str, *pairs: str) -> tuple[Edge, ...]:
    """Two-way edges from texts like `PAR-BUR`."""
    ends = [[Location.of(text) for text in pair.split("-")] for pair in pairs]
    return tuple(edge for a, b in ends for edge in (Edge(way, a, b), Edge(way, b, a)))


PROVINCES = (
    Province("PAR", "Paris", "Par", INLAND, centre=True, home="France"),
    Province("BUR", "Burgundy", "Bur", INLAND),
    Province("BRE", "Brest", "Bre", COAST, centre=True),
    Province("SPA", "Spain", "Spa", COAST, coasts=("NC", "SC"), centre=True),
    Province("MAO", "Atlantic", "Mao", SEA, convoy=True),
    Province("LYO", "Lions", "Lyo", SEA, convoy=True),
    Province("SWI", "Switzerland", "Swi", Terrain.IMPASSABLE),
)
ARMY = both("army", "PAR-BUR", "PAR-BRE", "BRE-SPA", "BUR-SPA")
FLEET = both("fleet", "BRE-MAO", "BRE-SPA/NC", "MAO-SPA/NC", "MAO-SPA/SC", "LYO-SPA/SC", "LYO-MAO")
BOARD = Board("Small", PROVINCES, ARMY + FLEET)
POWERS = {"France": ["French"]}


def board(*edges: Edge, without: tuple[Edge, ...] = (), closures: tuple[Closure, ...] = (), **changed: object) -> Board:
    """The small board with more edges, fewer edges, and provinces changed: `PAR=dict(...)` or a new `Province`."""
    provinces = {p.id: p for p in PROVINCES}
    for key, change in changed.items():
        provinces[key] = change if isinstance(change, Province) else replace(provinces[key], **change)  # type: ignore[arg-type]
    kept = tuple(edge for edge in (*ARMY, *FLEET, *edges) if edge not in without)
    return Board("Small", tuple(provinces.values()), kept, closures)


def found(board: Board, code: str, victory: int | None = None) -> Finding:
    """The one finding with this code."""
    (finding,) = [finding for finding in lint(board, POWERS, victory) if finding.code == code]
    return finding


def test_a_board_in_order_has_no_findings() -> None:
    """Nothing is said of a sound board, an impassable province without edges included."""
    assert lint(BOARD, POWERS, 2) == []


def test_without_powers_and_victory_these_are_not_checked() -> None:
    """What the caller does not give is not held against the board."""
    assert lint(board(PAR={"home": "Frence"})) == []


def test_a_finding_reads_as_a_sentence() -> None:
    """A finding prints its level, place, text, hint and code."""
    text = str(found(board(PAR={"home": "Frence"}), "unknown-power"))
    assert text == "error: PAR: no power Frence in this game (did you mean France?) [unknown-power]"


ONE_WAY = Edge("army", Location("PAR"), Location("SPA"))
TURKISH = tuple(e._replace(only=frozenset(["Turkey"])) for e in both("army", "PAR-SPA"))
ISLE = Province("ISL", "Isle", "Isl", COAST)
FAR, OFF = (Province(key.upper(), key, key, INLAND) for key in ("Far", "Off"))

ERRORS = {
    "one-sided-edge": (board(ONE_WAY), "army PAR - SPA"),
    "edge-within-province": (board(*both("fleet", "SPA/NC-SPA/SC")[:1]), "fleet SPA/NC - SPA/SC"),
    "army-at-sea": (board(*both("army", "BRE-MAO")), "MAO"),
    "coast-on-foot": (board(*both("army", "PAR-SPA/NC")), "SPA/NC"),
    "fleet-inland": (board(*both("fleet", "BRE-PAR")), "PAR"),
    "bare-coast": (board(*both("fleet", "MAO-SPA")), "SPA"),
    "impassable-edge": (board(*both("army", "BUR-SWI")), "SWI"),
    "coasts-without-shore": (board(PAR={"coasts": ("NC", "SC")}), "PAR"),
    "dry-coast": (board(BUR={"terrain": COAST}), "BUR"),
    "no-centres": (board(PAR={"centre": False}, BRE={"centre": False}, SPA={"centre": False}), ""),
    "unreachable-centre": (board(SWI={"centre": True}), "SWI"),
    "unreachable": (board(ISL=ISLE), "ISL"),
    "apart": (board(*both("army", "FAR-OFF"), FAR=FAR, OFF=OFF), "FAR, OFF"),
    "name-clash": (board(BUR={"aliases": ("PA.RIS",)}), "BUR"),
    "unknown-power": (board(*TURKISH), "army PAR - SPA"),
}
WARNINGS = {
    "unexplained-exception": (board(*TURKISH), "army PAR - SPA"),
    "unexplained-closure": (board(closures=(Closure("LYO", powers=frozenset(["France"])),)), "LYO"),
    "land-edge-missing": (board(without=both("army", "BRE-SPA")), "fleet BRE - SPA/NC"),
    "single-coast": (board(SPA={"coasts": ("NC", "SC")}, BRE={"coasts": ("WC",)}), "BRE"),
    "coast-without-sea": (board(without=both("fleet", "BRE-MAO")), "BRE"),
    "dead-end": (board(*both("army", "BUR-FAR"), FAR=FAR), "FAR"),
    "apart": (board(*both("army", "FAR-OFF"), FAR=replace(FAR, centre=True, home="France"), OFF=OFF), "FAR, OFF"),
    "island-without-convoy": (
        board(*both("fleet", "LYO-ISL"), ISL=ISLE, LYO={"convoy": False}, MAO={"convoy": False}), "ISL"),
    "centre-at-sea": (board(MAO={"centre": True}), "MAO"),
    "order-word": (board(BUR={"aliases": ("Holds",)}), "BUR"),
    "coast-word": (board(BUR={"abbr": "NC"}), "BUR"),
    "power-word": (board(BUR={"aliases": ("French",)}), "BUR"),
}  # fmt: skip


@pytest.mark.parametrize("code", ERRORS)
def test_errors_are_found(code: str) -> None:
    """Each slip that makes a board unplayable, or play otherwise than drawn, is one error with its place."""
    wrong, where = ERRORS[code]
    assert (found(wrong, code).level, found(wrong, code).where) == ("error", where)


@pytest.mark.parametrize("code", WARNINGS)
def test_oddities_are_warned_of(code: str) -> None:
    """Each oddity that may be meant is one warning with its place."""
    odd, where = WARNINGS[code]
    assert (found(odd, code).level, found(odd, code).where) == ("warning", where)


def test_a_reason_satisfies_the_linter() -> None:
    """One-way edges, privileges and closures are in order when a reason is given."""
    tide = ONE_WAY._replace(reason="downhill")
    guarded = tuple(e._replace(convoy=False, only=frozenset(["France"]), reason="a fort") for e in FLEET[:2])
    ice = Closure("LYO", frozenset("F"), frozenset(["France"]), "ice")
    assert lint(board(tide, *guarded, without=FLEET[:2], closures=(ice,)), POWERS) == []


def test_many_neighbours_are_odd() -> None:
    """A province with far more neighbours than the others is warned of, its number told."""
    ring = [Province(f"R{n}", f"Ring {n}", f"R{n}", INLAND, centre=True) for n in range(20)]
    edges = both("army", *(f"R{n}-R{(n + 1) % 20}" for n in range(20)), *(f"R0-R{n}" for n in range(2, 19)))
    finding = found(Board("Ring", tuple(ring), edges), "many-neighbours")
    assert (finding.where, finding.text) == ("R0", "19 neighbours, where 3 are usual")


@pytest.mark.parametrize(("victory", "codes"), [(1, {"shared-victory"}), (2, set()), (4, {"victory-out-of-reach"})])
def test_victory_is_held_against_the_centres(victory: int, codes: set[str]) -> None:
    """More centres to win than there are is an error; so few that two powers get there at once, a warning (STD-2.a)."""
    assert {finding.code for finding in lint(BOARD, POWERS, victory)} == codes


def test_errors_come_first() -> None:
    """The list begins with the errors."""
    findings = lint(board(ONE_WAY, BUR={"abbr": "NC"}, MAO={"centre": True}), POWERS)
    assert [finding.level for finding in findings] == ["error", "warning", "warning"]


def test_an_empty_board_is_read_without_a_crash() -> None:
    """A board of one province and no edges has its findings, too."""
    codes = {finding.code for finding in lint(Board("One", (Province("A", "A", "A", COAST),), ()))}
    assert codes == {"no-centres", "dry-coast", "unreachable", "order-word"}


def test_the_largest_boards_are_linted_with_bounded_work() -> None:
    """Thousands of slips on a board at the limits of the format are told with some calls for each."""
    land = [Province(f"P{n}", f"P{n}", f"P{n % 9}", INLAND, home=f"Power {n}") for n in range(1000)]
    ends = [(Location(f"P{a}"), Location(f"P{b}")) for a in range(1000) for b in range(max(0, a - 20), a)]
    edges = [Edge("fleet", a, b, only=frozenset({f"{a} and {n}" for n in range(50)})) for a, b in ends]
    crowd, players = Board("Crowd", tuple(land), tuple(edges)), {f"Player {n}": () for n in range(100)}
    findings: list[Finding] = []
    assert calls_of(lambda: findings.extend(lint(crowd, players, 18))) < 200 * len(edges)
    assert sum(finding.code == "unknown-power" for finding in findings) == 100


def test_a_board_without_fleets_has_its_own_kinds() -> None:
    """Where no fleets are in the game, coasts need no sea, and land is what any other unit walks on."""
    kinds = {"W": "foot"}
    edges = both("foot", "PAR-BUR", "PAR-BRE", "BUR-BRE")
    assert lint(Board("Foot", PROVINCES[:3], edges, ways=kinds), POWERS) == []
