"""What the seasons bring, case by case: storms, taboo ground, arrivals, the fall of a power, and who has won."""

from __future__ import annotations

from tests.mechanics.seasons import Case

AFLOAT = ["W/CF b"]
ASHORE = "11 12 14 61 15 7 63 69 70 71 56 18 3 52 54 50 49 80 66 113 114 115"
MANY = {"Iroquois": [f"W {place}" for place in ASHORE.split()]}
FEW = {"Iroquois": [f"W {place}" for place in ASHORE.split()[2:]]}


def boats(*places: str) -> dict[str, object]:
    """A canoe in each of these places."""
    return {"boats": {"lie": {place: [""] for place in places}}}


def bay(since: int) -> dict[str, object]:
    """A canoe on the Bay, so many movement phases after the one of its entry."""
    return {**boats("b"), "slow-crossing": {"b": since}}


def taboo(**cursed: int) -> dict[str, object]:
    """A taboo that is broken, and the curse."""
    return {"taboo": {"whole": [], "cursed": cursed}}


WHOLE: dict[str, object] = {"taboo": {"whole": ["120"], "cursed": {}}}

CASES = [
    # -- Hudson Bay (IND-9)
    Case(
        "IND-S90 into the Bay", "canoes", "Spring 1602", {"Iroquois": ["W 6"]},
        {"Iroquois": ["W 6 - b with CF"]}, {"W 6 - b with CF": "succeeds"},
        {"Iroquois": AFLOAT}, state=boats("6"), left=bay(0),
    ),
    Case(
        "IND-S91 still at sea in Fall", "canoes", "Fall 1602", {"Iroquois": AFLOAT},
        {"Iroquois": ["W/CF b - 3"]}, {"W/CF b - 3": "void"}, {"Iroquois": AFLOAT}, state=bay(0), left=bay(1),
    ),
    Case(
        "IND-S92 the Summer storm", "canoes", "Summer 1602", {"Iroquois": ["W/CF b", "W 12"]},
        after={"Iroquois": ["W 12"]}, dice=[1], state=bay(0), events=["sunk"],
    ),
    Case(
        "IND-S93 the Winter storm comes before the builds", "canoes", "Winter 1602",
        {"Iroquois": ["W/CF b", "W 10", "W 12", "W 14"]}, {"Iroquois": ["build W 11"]}, {"build W 11": "succeeds"},
        {"Iroquois": ["W 10", "W 11", "W 12", "W 14"]}, dice=[6], owners={"Iroquois": "10 11 12 14"},
        state=bay(1), events=["sunk"],
    ),
    Case(
        "IND-S94 it rides out the Winter", "canoes", "Winter 1602",
        {"Iroquois": ["W/CF b", "W 10", "W 12", "W 14"]}, {"Iroquois": ["build W 11"]}, {"build W 11": "void"},
        {"Iroquois": ["W 10", "W 12", "W 14", "W/CF b"]}, dice=[5], owners={"Iroquois": "10 11 12 14"},
        state=bay(1), left=bay(1), events=["weathered"],
    ),
    Case(
        "IND-S95 out at last", "canoes", "Spring 1603", {"Iroquois": AFLOAT},
        {"Iroquois": ["W/CF b - 4"]}, {"W/CF b - 4": "succeeds"}, {"Iroquois": ["W 4"]},
        state=bay(1), left=boats("4"),
    ),
    Case(
        "IND-S96 barred from the shore", "canoes", "Spring 1603", {"Iroquois": AFLOAT, "Blackfeet": ["W 20"]},
        {"Iroquois": ["W/CF b - 4"], "Blackfeet": ["W 20 - 4"]}, {"W/CF b - 4": "bounces", "W 20 - 4": "succeeds"},
        {"Blackfeet": ["W 4"], "Iroquois": AFLOAT}, state=bay(1), left=bay(2),
    ),
    Case(
        "IND-S97 it may try again the very next season", "canoes", "Fall 1603",
        {"Iroquois": AFLOAT, "Blackfeet": ["W 4"]}, {"Iroquois": ["W/CF b - 3"]}, {"W/CF b - 3": "succeeds"},
        {"Blackfeet": ["W 4"], "Iroquois": ["W 3"]}, state=bay(2), left=boats("3"), owners={"Blackfeet": "26"},
        events=["takes"],
    ),
    Case(
        "IND-S98 a Fall entry comes out in Fall", "canoes", "Spring 1603", {"Iroquois": AFLOAT},
        {"Iroquois": ["W/CF b - 4"]}, {"W/CF b - 4": "void"}, {"Iroquois": AFLOAT}, state=bay(0), left=bay(1),
    ),
    Case(
        "IND-S111 two would enter the Bay", "canoes", "Spring 1602", {"Iroquois": ["W 6"], "Blackfeet": ["W 4"]},
        {"Iroquois": ["W 6 - b with CF"], "Blackfeet": ["W 4 - b with CF"]},
        {"W 6 - b with CF": "bounces", "W 4 - b with CF": "bounces"}, {"Blackfeet": ["W 4"], "Iroquois": ["W 6"]},
        state=boats("4", "6"), left=boats("4", "6"),
    ),
    Case(
        "IND-S122 one ashore, the next on the Bay", "canoes", "Spring 1603", {"Iroquois": ["W/CF b", "W 6"]},
        {"Iroquois": ["W/CF b - 4", "W 6 - b with CF"]}, {"W/CF b - 4": "succeeds", "W 6 - b with CF": "succeeds"},
        {"Iroquois": ["W 4", "W/CF b"]}, state={**bay(1), **boats("6", "b")},
        left={**bay(0), **boats("4", "b")},
    ),
    Case(
        "IND-S123 no changing places on the Bay", "canoes", "Spring 1603",
        {"Iroquois": AFLOAT, "Blackfeet": ["W 6"]},
        {"Iroquois": ["W/CF b - 6"], "Blackfeet": ["W 6 - b with CF"]},
        {"W/CF b - 6": "bounces", "W 6 - b with CF": "bounces"}, {"Blackfeet": ["W 6"], "Iroquois": AFLOAT},
        state={**bay(1), **boats("6", "b")}, left={**bay(2), **boats("6", "b")},
    ),
    Case(
        "IND-S124 Autumn is calm", "canoes", "Autumn 1602", {"Iroquois": ["W/CF b", "W 14"]},
        after={"Iroquois": ["W 14", "W/CF b"]}, owners={"Iroquois": "12"}, state=bay(0), left=bay(0),
        events=["takes"],
    ),
    # -- Hopewell Mounds (IND-5)
    Case(
        "IND-S20 first foot on the mounds", "canoes", "Spring 1601", {"Iroquois": ["W 14", "W 12"]},
        {"Iroquois": ["W 14 - 120", "W 12 - 13"]}, {"W 14 - 120": "succeeds", "W 12 - 13": "succeeds"},
        {"Iroquois": ["W 13"]}, state=WHOLE, left=taboo(Iroquois=2), events=["cursed"],
    ),
    Case(
        "IND-S21 a stand-off breaks no taboo", "canoes", "Spring 1602",
        {"Iroquois": ["W 14"], "Muskhogeans": ["W 66"]},
        {"Iroquois": ["W 14 - 120"], "Muskhogeans": ["W 66 - 120"]},
        {"W 14 - 120": "bounces", "W 66 - 120": "bounces"}, {"Iroquois": ["W 14"], "Muskhogeans": ["W 66"]},
        state=WHOLE, left=WHOLE,
    ),
    Case(
        "IND-S23 a supported entry", "canoes", "Spring 1602",
        {"Iroquois": ["W 14", "W 13"], "Illinois": ["W 59"], "Muskhogeans": ["W 66"]},
        {"Iroquois": ["W 14 - 120", "W 13 - 14"], "Illinois": ["W 59 S W 14 - 120"], "Muskhogeans": ["W 66 - 120"]},
        {"W 14 - 120": "succeeds", "W 13 - 14": "succeeds", "W 59 S W 14 - 120": "succeeds", "W 66 - 120": "bounces"},
        {"Illinois": ["W 59"], "Iroquois": ["W 14"], "Muskhogeans": ["W 66"]},
        state=WHOLE, left=taboo(Iroquois=2), events=["cursed"],
    ),
    Case(
        "IND-S24 fleeing onto the mounds", "canoes", "Summer 1602", {"Illinois": ["W 67"]},
        {"Muskhogeans": ["W 67 R 120"]}, {"W 67 R 120": "succeeds"}, {"Illinois": ["W 67"]},
        dislodged={"Muskhogeans": ["W 67 from 68: 120 66"]}, owners={"Muskhogeans": "113"},
        state=WHOLE, left=taboo(Muskhogeans=2), events=["cursed"],
    ),
    Case(
        "IND-S25 two retreats to the mounds cancel", "canoes", "Summer 1602",
        {"Illinois": ["W 67"], "Dakota": ["W 59"]},
        {"Muskhogeans": ["W 67 R 120"], "Iroquois": ["W 59 R 120"]},
        {"W 67 R 120": "bounces", "W 59 R 120": "bounces"}, {"Dakota": ["W 59"], "Illinois": ["W 67"]},
        dislodged={"Muskhogeans": ["W 67 from 68: 120"], "Iroquois": ["W 59 from 69: 120"]},
        owners={"Muskhogeans": "113", "Iroquois": "10"}, state=WHOLE, left=WHOLE,
    ),
    Case(
        "IND-S114 shelter on the broken mounds", "canoes", "Summer 1602", {"Illinois": ["W 67"]},
        {"Muskhogeans": ["W 67 R 120"]}, {"W 67 R 120": "succeeds"},
        {"Illinois": ["W 67"], "Muskhogeans": ["W 120"]}, dislodged={"Muskhogeans": ["W 67 from 68: 120"]},
        state=taboo(Iroquois=2), left=taboo(Iroquois=2),
    ),
    Case(
        "IND-S26 later comers walk over it", "canoes", "Spring 1604",
        {"Muskhogeans": ["W 67"], "Iroquois": ["W 60"]},
        {"Muskhogeans": ["W 67 - 120"]}, {"W 67 - 120": "succeeds"},
        {"Iroquois": ["W 60"], "Muskhogeans": ["W 120"]},
    ),
    Case(
        "IND-S27 the cursed Winter", "canoes", "Winter 1602", {"Iroquois": ["W 14", "W 60", "W 61"]},
        {"Iroquois": ["build W 10"]}, {"build W 10": "void"}, {"Iroquois": ["W 14", "W 60", "W 61"]},
        owners={"Iroquois": "7 10 11 12 14 61"}, state=taboo(Iroquois=1),
    ),
    Case(
        "IND-S28 the curse lifts", "canoes", "Winter 1603", {"Iroquois": ["W 14", "W 60", "W 61"]},
        {"Iroquois": ["build W 10", "build W 11", "build W 12"]},
        {"build W 10": "succeeds", "build W 11": "succeeds", "build W 12": "succeeds"},
        {"Iroquois": ["W 10", "W 11", "W 12", "W 14", "W 60", "W 61"]}, owners={"Iroquois": "7 10 11 12 14 61"},
    ),
    Case(
        "IND-S29 the curse does not spare from removals", "canoes", "Winter 1602",
        {"Iroquois": ["W 13", "W 14", "W 60"]}, {"Iroquois": ["remove W 13"]}, {"remove W 13": "succeeds"},
        {"Iroquois": ["W 14", "W 60"]}, owners={"Iroquois": "12 14"}, state=taboo(Iroquois=2),
        left=taboo(Iroquois=1),
    ),
    # -- victory (IND-10)
    Case(
        "IND-S100 twenty-three war parties win", "canoes", "Winter 1612", MANY,
        {"Iroquois": ["build W 10"]}, {"build W 10": "succeeds"},
        {"Iroquois": sorted([*MANY["Iroquois"], "W 10"])}, owners={"Iroquois": f"10 {ASHORE}"}, winner="Iroquois",
    ),
    Case(
        "IND-S101 twenty-three centres unmanned are not enough", "canoes", "Winter 1612", MANY,
        {"Iroquois": ["build W 10"]}, {"build W 10": "void"}, {"Iroquois": sorted(MANY["Iroquois"])},
        owners={"Iroquois": f"10 {ASHORE}"}, state=taboo(Iroquois=1),
    ),
    Case(
        "IND-S102 twenty-four centres win without the parties", "canoes", "Winter 1612", FEW,
        after={"Iroquois": sorted(FEW["Iroquois"])}, owners={"Iroquois": f"10 112 {ASHORE}"},
        state=taboo(Iroquois=1), winner="Iroquois",
    ),
    # -- the second landing force (SCO-4.c, d, f)
    Case(
        "SCO-S100 the second wave", "clans", "Summer 1491", {"England": ["A/F ff", "A/F e", "A 89", "A 90"]},
        {"England": ["arrive A/F gg", "arrive A/F e"]}, {"arrive A/F gg": "succeeds", "arrive A/F e": "void"},
        {"England": ["A 89", "A 90", "A/F e", "A/F ff", "A/F gg"]},
    ),
    Case(
        "SCO-S123 declined, and come without being asked", "clans", "Summer 1491",
        {"England": ["A/F ff", "A/F f", "A 89", "A 90"]},
        {"England": ["decline A/F e"]}, {"decline A/F e": "succeeds"},
        {"England": ["A 89", "A 90", "A/F f", "A/F ff", "A/F gg"]}, events=["arrived"],
    ),
    Case(
        "an occupied sea turns an arrival away that nobody asked for", "clans", "Summer 1491",
        {"England": ["A/F ff", "F e", "A 89", "A 90"]},
        after={"England": ["A 89", "A 90", "A/F ff", "A/F gg", "F e"]}, events=["barred", "arrived"],
    ),
    Case(
        "told to come and not to come, it comes", "clans", "Summer 1491", {"England": ["A/F ff", "F e"]},
        {"England": ["arrive A/F gg", "decline A/F gg", "decline F e"]},
        {"arrive A/F gg": "void", "decline A/F gg": "void", "decline F e": "void"},
        {"England": ["A/F ff", "A/F gg", "F e"]}, events=["barred", "arrived"],
    ),
    Case(
        "no arrivals in other Summers", "clans", "Summer 1492", {"England": ["A/F ff", "A 89"]},
        {"England": ["arrive A/F gg"]}, {"arrive A/F gg": "void"}, {"England": ["A 89", "A/F ff"]},
    ),
    Case(
        "none for a power that is out", "clans", "Summer 1491", {"Stewart": ["A 89"]}, after={"Stewart": ["A 89"]},
    ),
    # -- the fall of England (SCO-16) and victory (SCO-15)
    Case(
        "SCO-S110 both homelands gone", "clans", "Autumn 1494",
        {"England": ["A/F ff", "F g", "A 61"], "Stewart": ["A 89"], "Graham": ["A 90"]},
        after={"Graham": ["A 90"], "Stewart": ["A 89"]}, owners={"England": "62 50 89 90"},
        events=["takes", "takes", "fallen", "eliminated"],
    ),
    Case(
        "SCO-S111 one homeland left", "clans", "Autumn 1494",
        {"England": ["A/F ff", "A 61"], "Stewart": ["A 89"]},
        after={"England": ["A 61", "A/F ff"], "Stewart": ["A 89"]}, owners={"England": "62 89 90"}, events=["takes"],
    ),
]  # fmt: skip
