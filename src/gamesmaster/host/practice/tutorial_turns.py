"""The tutorial as data: five turns of a game of Diplomacy, for a newcomer who plays France.

A scene is one phase: the position, the player's task, the other powers' orders, and comments on the results. Results
are compared as lines such as `A Pic - Bel: bounces`: the order as the report has it, and its result. In patterns, `*`
matches anything, and three question marks match any province. Texts are marked for translation here and translated when
shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from django.utils.translation import gettext_noop as _

VARIANT = "standard"
TURNS = 5

Places = Mapping[str, tuple[str, ...]]
_NONE: Places = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice for a player one of whose results matches `result`."""

    result: str
    says: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A phase of the tutorial."""

    turn: int  # turn that the scene belongs to, from 1
    title: str
    task: tuple[str, ...]  # paragraphs
    look: tuple[str, ...]  # provinces to highlight
    goal: tuple[str, ...]  # patterns, each of which one of the player's results must match
    well: str  # comment if the goal is reached
    hint: str  # comment if not, and no hint matches
    model: tuple[str, ...]  # orders that reach the goal
    hints: tuple[Hint, ...] = ()  # the first that matches is shown
    phase: str = ""  # "": goes on where the scene before it ended
    units: Places | None = None  # by power; None: as at the start of the game
    centres: Places | None = None
    others: Places = field(default_factory=lambda: _NONE)  # the other powers' orders


def _places(listed: str) -> Places:
    """Return places, units or orders by power: `England F Nth H, A Yor - Nwy; Germany A Kie - Den`."""
    powers = (text.split(" ", 1) for text in listed.split("; "))
    return MappingProxyType({power: tuple(texts.split(", ")) for power, texts in powers})


_BEFORE_LONDON = _places(
    "France PAR, BRE, MAR, BEL, SPA; England LON, EDI, LVP, NWY; Germany BER, KIE, MUN, HOL, DEN; "
    "Italy ROM, VEN, NAP, TUN; Austria VIE, BUD, TRI, SER, GRE; Russia MOS, WAR, SEV, STP, RUM, SWE; "
    "Turkey CON, ANK, SMY, BUL"
)

SCENES = (
    Scene(
        turn=1,
        title=_("Move and hold"),
        task=(
            _(
                "You play France, with armies in Paris and Marseilles and a fleet in Brest. In each phase"
                " every power secretly gives one order to each of its units, and then all the orders happen at"
                " once."
            ),
            _(
                "Send the army in Paris to Picardy, and the fleet in Brest to the English Channel: click the"
                " unit, then the place. Let the army in Marseilles hold: click it, then choose Hold."
            ),
        ),
        look=("PIC", "ENG", "MAR"),
        phase="S1901M",
        others=_places(
            "England F Lon - Nth, F Edi - Nwg, A Lvp - Yor; Germany A Mun - Ruh, F Kie - Hol, A Ber - Kie; "
            "Italy A Ven H, A Rom - Apu, F Nap - Ion; Austria A Bud - Ser, F Tri - Alb, A Vie - Bud; "
            "Russia A Mos - Ukr, A War - Gal, F Sev - Bla, F Stp/SC - Bot; "
            "Turkey A Con - Bul, F Ank - Con, A Smy - Arm"
        ),
        model=("A Par - Pic", "F Bre - Eng", "A Mar H"),
        goal=("A Par - Pic: succeeds", "F Bre - Eng: succeeds", "A Mar*: holds"),
        well=_(
            "Both units have moved, because nobody stood in their way. Armies move on land, fleets at sea and along"
            " coasts, one province at a time. A unit without an order holds."
        ),
        hint=_(
            "Two moves are missing here: the army in Paris goes to Picardy, and the fleet in Brest to the English"
            " Channel."
        ),
        hints=(
            Hint("A Mar -*", _("The army in Marseilles should stay where it is: let it hold.")),
            Hint(
                "A Par*: holds",
                _("The army in Paris has stayed at home. Click it, then click Picardy, north of Paris."),
            ),
            Hint(
                "F Bre*: holds", _("The fleet in Brest has stayed in port. Click it, then click the English Channel.")
            ),
        ),
    ),
    Scene(
        turn=2,
        title=_("Support"),
        task=(
            _(
                "Belgium is one of the 34 supply centres. A power that has a unit in a supply centre after"
                " the Fall owns it. Germany wants Belgium too: its army in the Ruhr goes there. Two units of"
                " equal strength bounce, and neither gets in; support makes yours stronger."
            ),
            _(
                "Send the army in Picardy to Belgium: choose the plain move, for convoys come in turn 3. Then click the"
                " fleet in the English Channel, click the army in Picardy, and choose to support its move to Belgium."
                " Send the army in Marseilles to Spain."
            ),
        ),
        look=("BEL", "ENG", "SPA"),
        phase="F1901M",
        units=_places(
            "France A PIC, A MAR, F ENG; England F NTH, F NWG, A YOR; Germany A RUH, F HOL, A KIE; "
            "Italy A VEN, A APU, F ION; Austria A SER, F ALB, A BUD; Russia A UKR, A GAL, F BLA, F BOT; "
            "Turkey A BUL, F CON, A ARM"
        ),
        others=_places(
            "England F Nth C A Yor - Nwy, A Yor - Nwy, F Nwg - Edi; Germany A Ruh - Bel, F Hol H, A Kie - Den; "
            "Italy A Ven H, A Apu - Tun, F Ion C A Apu - Tun; Austria A Ser S F Alb - Gre, F Alb - Gre, A Bud H; "
            "Russia A Ukr - Rum, F Bla S A Ukr - Rum, A Gal H, F Bot - Swe; Turkey A Bul H, F Con - Aeg, A Arm - Ank"
        ),
        model=("A Pic - Bel", "F Eng S A Pic - Bel", "A Mar - Spa"),
        goal=("A Pic - Bel: succeeds", "A Mar - Spa: succeeds"),
        well=_(
            "With its support your army was stronger, 2 against 1, and Belgium is yours. The German army has bounced:"
            " it stays in the Ruhr."
        ),
        hint=_(
            "Take Belgium with the army in Picardy, let the fleet in the English Channel support that move, and send"
            " the army in Marseilles to Spain."
        ),
        hints=(
            Hint(
                "A Pic - Bel: bounces",
                _(
                    "Your army and the German one were equally strong, 1 against 1, so both bounced. Let the"
                    " fleet in the English Channel support your move, and it will be 2 against 1."
                ),
            ),
            Hint(
                "F Eng S A Pic - Bel: void",
                _(
                    "The fleet supports a move that you did not order. Support counts only if the other unit"
                    " does exactly that: send the army in Picardy to Belgium."
                ),
            ),
            Hint(
                "A Pic - Bel VIA*",
                _("The army waited for a convoy. Click it, click Belgium, and choose the plain move."),
            ),
            Hint(
                "F Eng - Bel*",
                _(
                    "The fleet went to Belgium itself. This time send the army in Picardy, and let the fleet"
                    " support it from the English Channel."
                ),
            ),
            Hint(
                "A Mar*: holds", _("The army in Marseilles is still at home. Spain is a free supply centre: go there.")
            ),
        ),
    ),
    Scene(
        turn=3,
        title=_("Convoy"),
        task=(
            _(
                "In the Winter you have built armies in Brest and Paris; turn 5 shows how. An army cannot"
                " enter the sea, but a fleet at sea can carry it from coast to coast. That takes two orders:"
                " the army moves, and the fleet convoys it."
            ),
            _(
                "London is empty. Send the army in Brest to London by convoy, and let the fleet in the"
                " English Channel convoy it. Send the army in Spain to Portugal; the armies in Belgium and"
                " Paris hold."
            ),
        ),
        look=("BRE", "LON", "ENG", "POR"),
        phase="S1902M",
        units=_places(
            "France A BEL, A SPA, F ENG, A BRE, A PAR; England F NTH, F EDI, A NWY, F LVP; "
            "Germany A RUH, F HOL, A DEN, A MUN, A BER; Italy A VEN, A TUN, F ION, F NAP; "
            "Austria A SER, F GRE, A BUD, A VIE, A TRI; Russia A RUM, F BLA, A GAL, F SWE, A MOS, A STP; "
            "Turkey A BUL, F AEG, A ANK, F CON"
        ),
        centres=_BEFORE_LONDON,
        others=_places(
            "England F Nth S F Hol, F Edi - Nwg, A Nwy - Fin, F Lvp - Nao; "
            "Germany A Ruh H, F Hol H, A Den H, A Mun H, A Ber - Kie; "
            "Italy A Ven H, A Tun H, F Ion S F Nap - Tys, F Nap - Tys; "
            "Austria A Ser S A Bud - Rum, A Bud - Rum, F Gre H, A Vie H, A Tri H; "
            "Russia A Rum H, F Bla S A Rum, A Gal S A Rum, F Swe H, A Mos - Sev, A Stp H; "
            "Turkey A Bul H, F Aeg H, A Ank H, F Con H"
        ),
        model=("A Bre - Lon", "F Eng C A Bre - Lon", "A Spa - Por"),
        goal=("A Bre - Lon*: succeeds", "A Spa - Por: succeeds", "A Bel*: holds"),
        well=_(
            "Your army is in London, carried by the fleet, which stays where it is. If the fleet had been dislodged,"
            " the army would have stayed in Brest. Several fleets in a row carry an army even further."
        ),
        hint=_(
            "Send the army in Brest to London by convoy, let the fleet in the English Channel convoy it, and send the"
            " army in Spain to Portugal."
        ),
        hints=(
            Hint(
                "A Bre - Lon*: no convoy",
                _(
                    "The army was waiting on the beach, but no fleet carried it. Click the fleet in the"
                    " English Channel, click the army in Brest, and choose the convoy to London."
                ),
            ),
            Hint(
                "A Bre - Lon*: void",
                _(
                    "The army was waiting on the beach, but no fleet carried it. Click the fleet in the"
                    " English Channel, click the army in Brest, and choose the convoy to London."
                ),
            ),
            Hint(
                "F Eng C A Bre - Lon: void",
                _("The fleet was ready, but the army did not come. Order the army in Brest to London as well."),
            ),
            Hint("A Bel -*", _("The army in Belgium has left. It is needed there: let it hold.")),
            Hint(
                "A Spa*: holds",
                _("The army in Spain has not moved. Portugal next to it is a free supply centre: go there."),
            ),
        ),
    ),
    Scene(
        turn=4,
        title=_("Dislodged"),
        task=(
            _(
                "Germany and England have agreed to take Belgium from you. The army in the Ruhr attacks,"
                " supported from Holland and from the North Sea: a strength of 3."
            ),
            _(
                "You can support a unit that holds, too. Let the army in Belgium hold, then click the fleet"
                " in the English Channel, click the army in Belgium, and choose to support it in place. That"
                " makes 2: see what happens when it is not enough. Your other units hold, so that London and"
                " Portugal become yours."
            ),
        ),
        look=("BEL", "ENG", "LON", "POR"),
        phase="F1902M",
        units=_places(
            "France A BEL, A POR, F ENG, A LON, A PAR; England F NTH, F NWG, A FIN, F NAO; "
            "Germany A RUH, F HOL, A DEN, A MUN, A KIE; Italy A VEN, A TUN, F ION, F TYS; "
            "Austria A SER, F GRE, A BUD, A VIE, A TRI; Russia A RUM, F BLA, A GAL, F SWE, A SEV, A STP; "
            "Turkey A BUL, F AEG, A ANK, F CON"
        ),
        centres=_BEFORE_LONDON,
        others=_places(
            "England F Nth S A Ruh - Bel, F Nwg H, A Fin H, F Nao H; "
            "Germany A Ruh - Bel, F Hol S A Ruh - Bel, A Den H, A Mun H, A Kie H; "
            "Italy A Ven H, A Tun H, F Ion H, F Tys H; Austria A Ser H, F Gre H, A Bud H, A Vie H, A Tri H; "
            "Russia A Rum H, F Bla H, A Gal H, F Swe H, A Sev H, A Stp H; Turkey A Bul H, F Aeg H, A Ank H, F Con H"
        ),
        model=("A Bel H", "F Eng S A Bel"),
        goal=("A Bel*: dislodged", "F Eng S A Bel: succeeds", "A Lon*: holds", "A Por*: holds"),
        well=_(
            "The attack was stronger, 3 against 2, and your army is dislodged. It is not lost: it can retreat. With one"
            " more support it would have held, because 3 against 3 is a bounce."
        ),
        hint=_(
            "Let the army in Belgium hold, and let the fleet in the English Channel support it in place. All your other"
            " units hold."
        ),
        hints=(
            Hint(
                "A Bel -*: succeeds",
                _("Your army has left Belgium before the attack came. This time let it hold, and see what happens."),
            ),
            Hint(
                "F Eng*: holds",
                _(
                    "Your army is dislodged, but it stood alone. Let the fleet in the English Channel support"
                    " it in place, as you would in a real game."
                ),
            ),
            Hint("A Lon -*", _("The army in London should hold, so that you own London after the Fall.")),
            Hint("A Por -*", _("The army in Portugal should hold, so that you own Portugal after the Fall.")),
        ),
    ),
    Scene(
        turn=4,
        title=_("Retreat"),
        task=(
            _(
                "A dislodged unit must leave at once. It can retreat to any empty province next to it, but"
                " not to the one that the attack came from, nor to one where units have just bounced."
            ),
            _("Your army can go to Picardy or to Burgundy. Click it, then click one of the two."),
        ),
        look=("PIC", "BUR"),
        model=("A Bel - Pic",),
        goal=("A Bel - *: succeeds",),
        well=_("Your army has escaped. Two units that retreat to the same province are both disbanded."),
        hint=_(
            "Your army has been disbanded: it is off the board. That is legal, and sometimes useful, because you can"
            " build a new one at home. This time let it retreat to Picardy or to Burgundy."
        ),
    ),
    Scene(
        turn=5,
        title=_("Build"),
        task=(
            _(
                "After the Fall every power counts its supply centres. You own six now: Paris, Brest,"
                " Marseilles, Spain, Portugal and London. You have five units, so you can build one."
            ),
            _(
                "New units appear at home, in a centre that is yours and empty. Build an army or a fleet in"
                " Brest or in Marseilles: click the place on the map, then choose what to build."
            ),
        ),
        look=("BRE", "MAR"),
        phase="W1902A",
        units=_places(
            "France A PIC, A POR, F ENG, A LON, A PAR; England F NTH, F NWG, A FIN, F NAO; "
            "Germany A BEL, F HOL, A DEN, A MUN, A KIE; Italy A VEN, A TUN, F ION, F TYS; "
            "Austria A SER, F GRE, A BUD, A VIE, A TRI; Russia A RUM, F BLA, A GAL, F SWE, A SEV, A STP; "
            "Turkey A BUL, F AEG, A ANK, F CON"
        ),
        centres=_places(
            "France PAR, BRE, MAR, SPA, POR, LON; England EDI, LVP, NWY; Germany BER, KIE, MUN, HOL, DEN, BEL; "
            "Italy ROM, VEN, NAP, TUN; Austria VIE, BUD, TRI, SER, GRE; Russia MOS, WAR, SEV, STP, RUM, SWE; "
            "Turkey CON, ANK, SMY, BUL"
        ),
        others=_places("England Remove F Nao; Germany Build A Ber"),
        model=("Build F Bre",),
        goal=("Build *: succeeds",),
        well=_(
            "You have as many units as supply centres again. England has lost London to you, so it owns fewer centres"
            " than it has units, and had to remove one."
        ),
        hint=_("Nothing was built. Click Brest or Marseilles on the map, and choose an army or a fleet."),
    ),
    Scene(
        turn=5,
        title=_("Win"),
        task=(
            _(
                "Five years later you own 17 of the 34 supply centres; with 18 you win. Only the units that"
                " matter here are on the board. Munich is empty, but the German army in Berlin goes there with"
                " support from Kiel: a strength of 2."
            ),
            _(
                "Bring 3 against 2: send the army in Burgundy to Munich, and let the armies in the Ruhr and"
                " in Tyrolia both support it."
            ),
        ),
        look=("MUN", "BUR", "RUH", "TYR"),
        phase="F1907M",
        units=_places(
            "France A BUR, A RUH, A TYR; Germany A BER, A KIE; Russia A WAR, F SEV; Austria A VIE, A BUD; "
            "Turkey A CON, F ANK"
        ),
        centres=_places(
            "France PAR, BRE, MAR, SPA, POR, BEL, HOL, LON, LVP, EDI, NWY, DEN, SWE, TUN, NAP, ROM, VEN; "
            "Germany BER, KIE, MUN; Russia STP, MOS, WAR, SEV, RUM; Austria VIE, BUD, TRI, SER, GRE; "
            "Turkey CON, ANK, SMY, BUL"
        ),
        others=_places(
            "Germany A Ber - Mun, A Kie S A Ber - Mun; Russia A War H, F Sev H; Austria A Vie H, A Bud H; "
            "Turkey A Con H, F Ank H"
        ),
        model=("A Bur - Mun", "A Ruh S A Bur - Mun", "A Tyr S A Bur - Mun"),
        goal=("A ??? - Mun: succeeds",),
        well=_("Munich is your 18th supply centre: you have won the game."),
        hint=_(
            "Munich is not yours yet. Send the army in Burgundy there, and let the armies in the Ruhr and in Tyrolia"
            " support that move."
        ),
        hints=(
            Hint(
                "A ??? - Mun: bounces",
                _(
                    "Your attack was not stronger than the German one, so both bounced. You need two"
                    " supports, from the Ruhr and from Tyrolia, to have 3 against 2."
                ),
            ),
            Hint(
                "A ??? S A ??? - Mun: void",
                _("A support was given to a move that you did not order. Send the army in Burgundy to Munich."),
            ),
        ),
    ),
)
"""The phases of the tutorial, in order."""
