"""Prose about orders: corrections, conditions, wishes, drafts and small talk, each with the orders that it leaves.

The position is France with A Par, A Mar and F Bre, or what an entry says.
"""

from __future__ import annotations

import pytest

from gamesmaster.orders import PhaseKind
from gamesmaster.reading import OrderSheet, Situation, read
from tests.reading.corpus import position_of, rules_of

BASE = "A Par - Bur\nA Mar - Spa\nF Bre - Mao\n\n"
BUR, SPA, MAO = "A Par - Bur", "A Mar - Spa", "F Bre - Mao"

CORRECTIONS = [
    ("Oh, and scrap what I wrote for Paris, it holds.", ["A Par H", SPA, MAO]),
    ("Delete: A Par - Bur\nInsert: A Par - Pic\nSorry!", ["A Par - Pic", SPA, MAO]),
    ("Second thoughts an hour later: Paris stays at home after all.", ["A Par H", SPA, MAO]),
    ("On second thoughts I would rather have the army in Paris hold.", ["A Par H", SPA, MAO]),
    ("Scratch the Paris order.", [SPA, MAO]),
    ("Please replace A Mar - Spa by A Mar - Pie.", [BUR, "A Mar - Pie", MAO]),
    ("For A Mar - Spa read A Mar - Pie.", [BUR, "A Mar - Pie", MAO]),
    ("Correction to the above: F Bre should go to Eng.", [BUR, SPA, "F Bre - Eng"]),
    ("Korrektur: A Par soll doch lieber nach Pic gehen.", ["A Par - Pic", SPA, MAO]),
    ("Statt A Par - Bur bitte A Par - Gas.", ["A Par - Gas", SPA, MAO]),
    ("Au lieu de A Par - Bur, mettez A Par - Pic.", ["A Par - Pic", SPA, MAO]),
    ("Rectification : A Par - Pic au lieu de A Par - Bur.", ["A Par - Pic", SPA, MAO]),
    ("En vez de A Mar - Spa, A Mar - Pie.", [BUR, "A Mar - Pie", MAO]),
    ("Corrección: F Bre va a Eng.", [BUR, SPA, "F Bre - Eng"]),
    ("Invece di A Par - Bur, metti A Par - Pic.", ["A Par - Pic", SPA, MAO]),
    ("Rettifica: F Bre resta ferma.", [BUR, SPA, "F Bre H"]),
    ("PS: make that A Mar - Gas.", [BUR, "A Mar - Gas", MAO]),
    ("Edit: the fleet goes to Eng, not Mao.", [BUR, SPA, "F Bre - Eng"]),
    ("Amendment: Marseilles to Piedmont, the others as before.", [BUR, "A Mar - Pie", MAO]),
    ("No, sorry, Brest to the Channel.", [BUR, SPA, "F Bre - Eng"]),
    ("Line 2 should be A Mar - Pie.", [BUR, "A Mar - Pie", MAO]),
    ("In line two, read Pie for Spa.", [BUR, "A Mar - Pie", MAO]),
    ("Change Spa to Pie.", [BUR, "A Mar - Pie", MAO]),
    ("Not Spa but Pie, sorry.", [BUR, "A Mar - Pie", MAO]),
    ("Typo above: Spa should be Pie.", [BUR, "A Mar - Pie", MAO]),
    ("Ignore line 2.", [BUR, MAO]),
    ("UPDATE: F Bre - Eng.", [BUR, SPA, "F Bre - Eng"]),
    ("Revised: F Bre - Eng", [BUR, SPA, "F Bre - Eng"]),
    ("I take back A Par - Bur.", [SPA, MAO]),
    ("Cross out the Brest order, it stays home.", [BUR, SPA, "F Bre H"]),
    ("Nope, F Bre - Eng.", [BUR, SPA, "F Bre - Eng"]),
    ("Better: F Bre - Eng", [BUR, SPA, "F Bre - Eng"]),
    ("Rather F Bre - Eng.", [BUR, SPA, "F Bre - Eng"]),
    ("On reflection F Bre - Eng", [BUR, SPA, "F Bre - Eng"]),
    ("Let Brest go to the Channel instead.", [BUR, SPA, "F Bre - Eng"]),
    ("Änderung: F Bre nach Eng.", [BUR, SPA, "F Bre - Eng"]),
    ("Statt Spa bitte Pie.", [BUR, "A Mar - Pie", MAO]),
    ("A Mar nicht nach Spa, sondern nach Pie.", [BUR, "A Mar - Pie", MAO]),
    ("Vergiss die Flotte, die geht nach Eng.", [BUR, SPA, "F Bre - Eng"]),
    ("Remplacez Spa par Pie.", [BUR, "A Mar - Pie", MAO]),
    ("Je me suis trompé : la flotte va en Manche.", [BUR, SPA, "F Bre - Eng"]),
    ("Cambio: la flota va a Eng.", [BUR, SPA, "F Bre - Eng"]),
    ("Contrordine: la flotta va in Eng.", [BUR, SPA, "F Bre - Eng"]),
    ("Hold the fleet after all.", [BUR, SPA, "F Bre H"]),
    ("The fleet had better stay.", [BUR, SPA, "F Bre H"]),
    ("I have changed my mind about Marseilles: it goes to Piedmont.", [BUR, "A Mar - Pie", MAO]),
    ("I have changed my mind about Marseilles.", [BUR, MAO]),
    ("P.S. F Bre - Eng instead.", [BUR, SPA, "F Bre - Eng"]),
    ("P.S. Instead of Mao, send F Bre to Eng.", [BUR, SPA, "F Bre - Eng"]),
    ("Small correction, the fleet goes to the English Channel.", [BUR, SPA, "F Bre - Eng"]),
    ("Actually no: A Par H, A Mar H, F Bre H.", ["A Par H", "A Mar H", "F Bre H"]),
    ("Ignore the above. A Par H, A Mar H, F Bre H.", ["A Par H", "A Mar H", "F Bre H"]),
    ("Ignore all of the above, I will write again.", []),
    ("Everything above was a joke. Real orders:\nA Par H\nA Mar H\nF Bre H", ["A Par H", "A Mar H", "F Bre H"]),
    ("Forget that.\n\nA Par H\nA Mar H\nF Bre H", ["A Par H", "A Mar H", "F Bre H"]),
    ("------\nSecond attempt\n\nA Par H\nA Mar H\nF Bre H", ["A Par H", "A Mar H", "F Bre H"]),
    ("Hang on, I got that wrong.\n\nA Par H\nA Mar H\nF Bre H", ["A Par H", "A Mar H", "F Bre H"]),
    ("I have torn up the above.\nA Par H\nA Mar H\nF Bre H", ["A Par H", "A Mar H", "F Bre H"]),
    ("Bin that. What I want is this:\nA Par H\nA Mar H\nF Bre H", ["A Par H", "A Mar H", "F Bre H"]),
    ("These three lines were only to see how they look.", []),
    ("(all of this crossed out)", []),
    ("Das Obige war Quatsch, es gilt:\nA Par H\nA Mar H\nF Bre H", ["A Par H", "A Mar H", "F Bre H"]),
    ("Alles zurück!\nA Par H\nA Mar H\nF Bre H", ["A Par H", "A Mar H", "F Bre H"]),
    ("Oubliez tout ça :\nA Par H\nA Mar H\nF Bre H", ["A Par H", "A Mar H", "F Bre H"]),
    ("Todo lo anterior no vale. Vale esto:\nA Par H\nA Mar H\nF Bre H", ["A Par H", "A Mar H", "F Bre H"]),
    ("Come non detto:\nA Par H\nA Mar H\nF Bre H", ["A Par H", "A Mar H", "F Bre H"]),
]
"""What is said below orders, and the orders that there are then."""

ASKED = [
    "Forget Burgundy, Paris does something else, I will write again.",
    "Paris is no longer going to Burgundy.",
    "Paris had better not move.",
    "Hmm, not so sure about Paris any more.",
    "Don't enter the Paris order before you hear from me.",
    "The army in Paris only moves if Germany has agreed.",
    "... but A Par goes nowhere unless Italy signs.",
    "(Paris only with the consent of the Kaiser)",
    "A Par - Bur is conditional on the German answer.",
    "Mit Paris warte bitte noch, ich melde mich.",
    "A Par lieber doch nicht.",
    "Pour Paris, attendez ma confirmation.",
    "Lo de París todavía no es seguro.",
    "Per Parigi aspetta la mia conferma.",
]
"""What is said of the order for Paris, which is then asked about: it is no order, and the others still are."""

SMALL_TALK = [
    "Burgundy will be mine by Christmas, you'll see.",
    "I hope Paris is nice this time of the year.",
    "Sorry for being late, the train from Paris was delayed.",
    "Thanks for running this! Spain is lovely in spring.",
    "The dog is better now, thanks for asking.",
    "Not much to say this time. Greetings from Brest!",
    "If you are ever in Marseilles, drop in.",
    "Wenn du mal in Paris bist, melde dich.",
    "No rush. See you on Sunday.",
    "When does the next phase run?",
    "By the way, the map on the site still shows the old colours.",
    "Sent from my phone",
    "I'm not around on Friday.",
    "Wünsche allen ein schönes Wochenende!",
    "Bonne chance à tous, et vive la France !",
    "Un saludo desde Marsella",
    "Buona giornata da Marsiglia",
    "PS: did you get my last mail?",
    "PS I will not be able to reply before Monday.",
    "Marseilles is not in danger, so Spain it is.",
    "Brest can't be left empty forever, but this once it is fine.",
    "Paris is not in danger.",
    "I think Marseilles is safe enough.",
    "Don't tell Germany about Burgundy.",
    "The move to Burgundy is not very original, I know.",
    "Nobody wants Spain except me.",
    "Burgundy may bounce, that's fine by me.",
    "If Burgundy bounces, so be it.",
    "Should Germany object to Burgundy, he can write to me.",
    "The fleet is out of Brest at last, which I should have done sooner.",
    "Would A Par - Pic have been better? I don't know.",
    "I wonder whether Germany will support me into Burgundy.",
    "The bounce in Burgundy is arranged with Germany.",
    "A quick question: does a fleet in Mao touch Spain's south coast?",
    "How long may a retreat take in this game?",
    "Not that it matters, but Spain is worth a build.",
    "No retreats needed, I hope.",
    "I have nothing to say about the winter yet.",
    "Please confirm that you got this.",
    "Please let me know if anything is unclear.",
    "If something is unclear, ask me.",
    "If you can't read this, tell me.",
    "Let me know if A Mar - Spa is spelled wrong.",
    "Is it too late to change something?",
    "You'll notice that Marseilles goes to Spain as always.",
    "As you see, Paris goes to Burgundy.",
    "Sorry, Germany, I need Burgundy.",
    "Germany told me not to go to Burgundy. Tough luck.",
    "Italy thinks I'm opening to Piedmont. He's wrong.",
    "England asked for a bounce in the Channel, but I declined.",
    "I did consider A Mar - Pie.",
    "A Mar - Pie would be rude.",
    "This replaces nothing, I hadn't sent anything before.",
    "My last mail was only about the weather.",
    "This is my first and last version.",
    "No draft this time, honest.",
    "These are final.",
    "These orders are final unless I write again.",
    "Unless you hear otherwise, these stand.",
    "If I don't write again, these count.",
    "I may write again before the deadline.",
    "Ich glaube nicht, dass Deutschland in Burgund steht.",
    "Wenn etwas unklar ist, melde dich.",
    "Marseille ist nicht in Gefahr.",
    "Paris n'est pas menacé.",
    "Si quelque chose n'est pas clair, écrivez-moi.",
    "Se qualcosa non è chiaro, scrivimi.",
]
"""What is said beside orders and leaves them as they are."""

INLINE = [
    ("A Par - Bur - scratch that: A Par - Pic", ["A Par - Pic"]),
    ("A Par - Bur, no wait, A Par - Pic", ["A Par - Pic"]),
    ("A Par - Bur... sorry, I mean A Par - Pic", ["A Par - Pic"]),
    ("A Par - Bur (sorry: A Par - Pic)", ["A Par - Pic"]),
    ("A Par - Pic (not Bur)", ["A Par - Pic"]),
    ("A Par - Bur (or Pic, you choose)", []),
    ("A Par - Bur (unless Germany is there already)", []),
    ("A Par - Bur\n(only if Germany agreed, otherwise hold)", []),
    ("A Par - Bur?", []),
    ("A Par - Bur (?)", []),
    ("~~A Par - Bur~~ A Par - Pic", ["A Par - Pic"]),
    ("[strike]A Par - Bur[/strike] A Par - Pic", ["A Par - Pic"]),
    ("A Par - Bur, as of noon today", [BUR]),
    ("As of noon: A Par - Bur, A Mar - Spa, F Bre - Mao", [BUR, SPA, MAO]),
    ("Sent at 22:40: A Par - Bur, A Mar - Spa, F Bre - Mao", [BUR, SPA, MAO]),
    ("Moves - A Par - Bur, A Mar - Spa, F Bre - Mao", [BUR, SPA, MAO]),
    ("okay so um for france this is, army paris to burgundy, army marseilles to spain, and the fleet in brest goes "
     "out to the mid atlantic. that's it. uh, send.", [BUR, SPA, MAO]),
    ("Hello,\nParis goes to Burgundy, Marseilles goes to Spain and Brest to the Mid-Atlantic Ocean, please.\nBye",
     [BUR, SPA, MAO]),
    ("A Par - Bur — the backbone of the plan\nA Mar - Spa: a build!\nF Bre - Mao (as agreed with England)",
     [BUR, SPA, MAO]),
    ("The tempting A Par - Bur walks into a trap.\n\nA Par - Pic", ["A Par - Pic"]),
    ("1st draft: A Par - Pic\nFinal: A Par - Bur", [BUR]),
    ("A Par - Pic [no]\nA Par - Bur [yes]", [BUR]),
    ("A Par - Bur (was: A Par - Pic)", [BUR]),
    ("A Par - Bur (changed from Pic)", [BUR]),
    ("A Par - Bur, no longer to Pic", [BUR]),
    ("Here's what I wanted to do until Germany wrote to me:\nA Par - Pic\n\nand here's what I do:\nA Par - Bur", [BUR]),
    ("What I would do if I were mad:\nA Par - Mun\n\nWhat I do:\nA Par - Bur", [BUR]),
    ("Not this:\nA Par - Pic\nbut this:\nA Par - Bur", [BUR]),
    ("<del>A Par - Pic</del> <ins>A Par - Bur</ins>", [BUR]),
    ("A P̶a̶r̶ -̶ P̶i̶c̶\nA Par - Bur", [BUR]),
    ("Discarded: A Par - Pic. Kept: A Par - Bur.", [BUR]),
    ("The order A Par - Pic in my last mail is withdrawn. A Par - Bur.", [BUR]),
    ("Mein gestriger Zettel (A Par - Pic) ist hinfällig.\nA Par - Bur", [BUR]),
    ("Erst dachte ich an A Par - Pic.\nJetzt: A Par - Bur", [BUR]),
    ("Hier je pensais à A Par - Pic.\n\nA Par - Bur", [BUR]),
    ("A Par - Pic\n^ scrap that\nA Par - Bur", [BUR]),
    ("A Par - Pic\nno, A Par - Bur", [BUR]),
    ("A Par - Pic\noops\nA Par - Bur", [BUR]),
    ("A Par - Pic (old)\nA Par - Bur (new)", [BUR]),
    ("A Par - Pic?? No: A Par - Bur!", [BUR]),
]  # fmt: skip
"""Whole letters of one line or two."""

HEADED = [
    ("Still undecided between\n a) A Par - Bur\n b) A Par - Pic\nPick one.\n", []),
    ("Uncertain, please ring me before entering it:\nA Par - Bur", []),
    ("Not final:\nA Par - Bur", []),
    ("Only if Germany says yes:\nA Par - Bur", []),
    ("To be confirmed tomorrow:\nA Par - Bur", []),
    ("Things I nearly sent:\nA Par - Bur", []),
    ("The version of this morning:\nA Par - Pic\n\nThe version of tonight, which counts:\nA Par - Bur", [BUR]),
    ("What the Kaiser wants me to do:\nA Par - Pic\n\nWhat I do:\nA Par - Bur", [BUR]),
    ("For your eyes only, next spring:\nA Par - Pic", []),
    ("Wish list\nA Par - Mun", []),
    ("Subject: France F1901\n\nA Par - Bur", [BUR]),
    ("From: anna@example.org\nTo: gm@example.org\nSubject: moves\n\nA Par - Bur", [BUR]),
    ("Mes ordres pour ce tour\nA Par - Bur", [BUR]),
    ("Brouillon, ne pas saisir\nA Par - Bur", []),
    ("Unsicher, bitte nachfragen:\nA Par - Bur", []),
    ("Sin decidir todavía:\nA Par - Bur", []),
    ("Ancora da decidere:\nA Par - Bur", []),
    ("If Italy is friendly:\nA Par - Bur\nIf not:\nA Par - Pic", []),
    ("Total nonsense here\nA Par - Bur\nA Mar - Spa\nF Bre - Mao", [BUR, SPA, MAO]),
    ("F Nowhere - Mao\nA Par - Bur", [BUR]),
    ("Either this:\nA Par - Bur\nA Mar - Spa\nF Bre - Mao\n\nor that:\nA Par - Pic\nA Mar - Pie\nF Bre - Eng", []),
    ("Whichever is stronger, please:\nA Par - Bur\nA Mar - Spa\nF Bre - Mao", []),
    ("What do you think of this?\nA Par - Bur\nA Mar - Spa\nF Bre - Mao", []),
    ("Would this work?\nA Par - Bur\nA Mar - Spa\nF Bre - Mao", []),
    ("I'd love to see these:\nA Par - Bur\nA Mar - Spa\nF Bre - Mao\nbut I will decide on Sunday.", []),
    ("Here's what I'm thinking of:\nA Par - Bur\nA Mar - Spa\nF Bre - Mao\nI'll confirm tomorrow.", []),
    ("A Par - Bur or Pic\nA Mar - Spa\nF Bre - Mao", [SPA, MAO]),
    ("A Par - Bur/Pic\nA Mar - Spa\nF Bre - Mao", [SPA, MAO]),
    ("A Par - (Bur or Pic)\nA Mar - Spa\nF Bre - Mao", [SPA, MAO]),
    ("A Par - Bur > A Par - Pic\nA Mar - Spa", [SPA]),
    ("1. A Par - Bur\n1a. or A Par - Pic\n2. A Mar - Spa", [SPA]),
    ("A Par - Bur (preferred) / A Par - Pic\nA Mar - Spa", [SPA]),
    ("A Par - Bur, else A Par - Pic\nA Mar - Spa", [SPA]),
    ("A Par - Bur, failing that Pic\nA Mar - Spa", [SPA]),
    ("A Mar - Spa\nI would like A Par - Bur most, A Par - Pic comes second.", [SPA]),
    ("If you were me, would you play these?\nA Par - Bur\nA Mar - Spa\nF Bre - Mao", []),
    ("Nothing decided yet. Candidates:\nA Par - Bur\nA Mar - Spa\nF Bre - Mao", []),
    ("These are the ones I am least unhappy with, pick any two:\nA Par - Bur\nA Mar - Spa\nF Bre - Mao", []),
    ("I have not made up my mind:\nA Par - Bur\nA Mar - Spa\nF Bre - Mao", []),
    ("Don't process these before I say so!\nA Par - Bur\nA Mar - Spa\nF Bre - Mao", []),
    ("Hold these back until I call:\nA Par - Bur\nA Mar - Spa\nF Bre - Mao", []),
    ("A Par - Bur\nA Mar - Spa\nF Bre - Mao\n\nDon't process these before I say so!", []),
    ("A Par - Bur\nA Mar - Spa\nF Bre - Mao\n\nPlease hold these back until you hear from me.", []),
    ("A Par - Bur\nA Mar - Spa\nF Bre - Mao\n\nTreat these as provisional.", []),
    ("A Par - Bur\nA Mar - Spa\nF Bre - Mao\n\nNone of this is final.", []),
    ("A Par - Bur\nA Mar - Spa\nF Bre - Mao\n\n... or the other way round, I haven't decided.", []),
    ("Vorläufig, ich melde mich noch:\nA Par - Bur\nA Mar - Spa\nF Bre - Mao", []),
]  # fmt: skip
"""Whole letters in which a heading tells what is below."""

QUOTED = [
    "[quote=GM]\nA Par - Pic\nA Mar - Pie\n[/quote]\n" + BASE,
    BASE + "[quote=GM]A Par - Pic?[/quote]",
    BASE + "________________________________\nFrom: GM\nSent: Monday\nTo: France\n\nA Par - Pic\nA Mar - Pie",
    BASE + "Begin forwarded message:\nA Par - Pic",
    BASE + "Le 3 mai 2004 à 10:00, MJ a écrit :\nA Par - Pic",
    BASE + "On Monday the GM wrote:\nA Par - Pic\nA Mar - Pie\nF Bre H",
    "> A Par - Pic\n> A Mar - Pie\nBoth wrong. Here is the truth:\n" + BASE,
    "<think>\nA Par - Pic?\n</think>\n" + BASE,
    BASE + "The book says: A Par - Pic, A Mar - Pie, F Bre - Eng.",
    BASE + "Der Kaiser bat mich um Folgendes:\nA Par - Pic",
]
"""Letters in which something else is quoted than what is ordered."""

LATER = [
    ("Plan B for beaten units: A Par - Gas", "A Par - Gas"),
    ("Should a unit be due to me at the end of the year, let it be A Paris.", "Build A Par"),
    ("To be taken off in winter, in case I come up short - F Bre", "Remove F Bre"),
    ("Emergency exits:\nA Par - Gas", "A Par - Gas"),
    ("Notausgänge:\nA Par - Gas", "A Par - Gas"),
    ("Inverno\nCostruire A Parigi", "Build A Par"),
    ("(and in winter Build A Par)", "Build A Par"),
    ("If the worst happens, Paris falls back on Gascony.", "A Par - Gas"),
    ("Does A Par - Gas work if the other one is dislodged?", ""),
    ("Retreats if needed:\nA Par - Gas\n\nFall moves come later; I lean towards A Par - Pic.", "A Par - Gas"),
]  # fmt: skip
"""What is said below orders, and what is kept of it for a later phase."""

WINTER = [
    (["A MAR"], "Denmark is worth a ship: fleet Brest, please.", ["Build F Bre"]),
    (["A MAR"], "I'll take the one build in Paris (army, what else).", ["Build A Par"]),
    (["A MAR"], "Let there be armies in Paris and a fleet in Brest. Marseilles can wait another year.",
     ["Build A Par", "Build F Bre"]),
    (["A MAR"], "Gebaut wird je eine Armee in Paris und in Brest. Prost!", ["Build A Par", "Build A Bre"]),
    (["A MAR"], "Una flota nueva en Brest y nada más.", ["Build F Bre"]),
    (["A MAR"], "Je construis une flotte à Brest.", ["Build F Bre"]),
    (["A MAR"], "Costruisco un'armata a Parigi e una flotta a Brest.", ["Build A Par", "Build F Bre"]),
    (["A MAR"], "No fleet in Brest this time, an army in Paris.", []),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "The western fleet (Iri) is to be paid off.", ["Remove F Iri"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "Leider muss ich abrüsten, A Gas kommt vom Brett.",
     ["Remove A Gas"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"],
     "Je dois retirer une unité : ce sera l'armée de Gascogne. Le reste ne bouge pas.", ["Remove A Gas"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "The army in Gascony stays, of course.", []),
    (["A BUR", "A SPA"], "Armies in Paris and Marseilles.", ["Build A Par", "Build A Mar"]),
    (["A BUR", "A SPA"], "A fleet for Brest and an army for Paris, thanks.", ["Build F Bre", "Build A Par"]),
    (["A BUR", "A SPA"], "Fleet in Brest. Nothing else.", ["Build F Bre"]),
    (["A BUR", "A SPA"], "I would like to have a new army in Paris.", ["Build A Par"]),
    (["A BUR", "A SPA"], "Build in Paris (A) and Brest (F).", ["Build A Par", "Build F Bre"]),
    (["A BUR", "A SPA"], "Paris: A, Brest: F", ["Build A Par", "Build F Bre"]),
    (["A BUR", "A SPA"], "Builds: A Par & F Bre. The third one can wait.", ["Build A Par", "Build F Bre"]),
    (["A BUR", "A SPA"], "I have three builds. A Par. F Bre. A Mar.", ["Build A Par", "Build F Bre", "Build A Mar"]),
    (["A BUR", "A SPA"], "Units at present: A Bur, A Spa. New ones: A Par, F Bre.", ["Build A Par", "Build F Bre"]),
    (["A BUR", "A SPA"], "I don't want to build in Paris.", []),
    (["A BUR", "A SPA"], "A Par if Germany builds in Munich, else F Bre.", []),
    (["A BUR", "A SPA"], "Perhaps A Par.", []),
    (["A BUR", "A SPA"], "Should I build A Par?", []),
    (["A BUR", "A SPA"], "Germany should build A Mun. I build A Par.", ["Build A Par"]),
    (["A BUR", "A SPA"], "In spring the new A Par will go to Bur. Build A Par.", ["Build A Par"]),
    (["A BUR", "A SPA"], "Armee Paris, Flotte Brest.", ["Build A Par", "Build F Bre"]),
    (["A BUR", "A SPA"], "Je lève une armée à Paris.", ["Build A Par"]),
    (["A BUR", "A SPA"], "Nueva flota en Brest.", ["Build F Bre"]),
    (["A BUR", "A SPA"], "Nuova armata a Parigi.", ["Build A Par"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "Take away A Gas.", ["Remove A Gas"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "Gascony goes.", ["Remove A Gas"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "The army in Gascony is retired with honours.", ["Remove A Gas"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "Farewell to the army in Gascony.", ["Remove A Gas"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "Everything stays except A Gas.", []),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "I have to give up A Gas, sniff.", ["Remove A Gas"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "One of F Wes and F Iri must go, you choose.", []),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "Don't touch A Gas! Remove F Iri.", ["Remove F Iri"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "A Gas weg.", ["Remove A Gas"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "Adieu, armée de Gascogne : A Gas est dissoute.", ["Remove A Gas"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "Se va A Gas.", ["Remove A Gas"]),
    (["A PIC", "A MAR", "F WES", "F IRI", "A GAS"], "Via A Gas.", ["Remove A Gas"]),
]  # fmt: skip
"""Own units, a letter of Winter, and its orders."""

RETREAT = [
    ("Gas please.", ["A Bur - Gas"]),
    ("The Burgundian army runs for Gascony.", ["A Bur - Gas"]),
    ("Back to Paris with it!", ["A Bur - Par"]),
    ("Not to Paris.", []),
    ("Gas or Par, whichever is free", []),
    ("Off the board, thank you.", ["A Bur D"]),
    ("Nach Paris bitte.", ["A Bur - Par"]),
    ("Vers Paris, s'il vous plaît.", ["A Bur - Par"]),
]
"""What France says of its army beaten in Burgundy, and the orders."""


def sheet_of(text: str, units: list[str] | None = None, kind: str = "movement", beaten: str = "") -> OrderSheet:
    """What is made of a letter of France."""
    held = units or ["A PAR", "A MAR", "F BRE"]
    entry = {"variant": "standard", "phase": kind, "units": {"France": held, "Germany": ["A MUN"]}}
    position = position_of({**entry, "dislodged": {"France": [beaten]}} if beaten else entry)
    return read(Situation(rules_of("standard"), PhaseKind(kind), position), "France", text)


def written(sheet: OrderSheet) -> list[str]:
    """The orders of a sheet as they are printed, each once."""
    write = rules_of("standard").notation.write
    return list(dict.fromkeys(write(order).replace(" VIA", "") for order in sheet.orders))


@pytest.mark.parametrize(("text", "orders"), CORRECTIONS)
def test_a_correction_replaces_the_order_that_it_names(text: str, orders: list[str]) -> None:
    """Whatever the words, the other orders stay."""
    assert sorted(written(sheet_of(BASE + text))) == sorted(orders)


@pytest.mark.parametrize("text", ASKED)
def test_what_casts_doubt_on_an_order_makes_it_a_question(text: str) -> None:
    """Prose that names a unit and takes back or limits its order is asked about."""
    sheet = sheet_of(BASE + text)
    assert written(sheet) == [SPA, MAO]
    assert sheet.doubtful


@pytest.mark.bulk
@pytest.mark.parametrize("text", SMALL_TALK)
def test_small_talk_costs_nobody_an_order(text: str) -> None:
    """Names of places in small talk leave the orders as they are."""
    assert written(sheet_of(BASE + text)) == [BUR, SPA, MAO]
    assert written(sheet_of(f"{text}\n\n{BASE}")) == [BUR, SPA, MAO]


@pytest.mark.parametrize(("text", "orders"), [*INLINE, *HEADED])
def test_words_beside_and_above_orders_tell_what_they_are(text: str, orders: list[str]) -> None:
    """Corrections in a line, headings of doubt, drafts, and names for the orders themselves."""
    assert written(sheet_of(text)) == orders


@pytest.mark.parametrize("text", QUOTED)
def test_a_quotation_orders_nothing(text: str) -> None:
    """Mails, forums, programs and other people are quoted."""
    assert written(sheet_of(text)) == [BUR, SPA, MAO]


@pytest.mark.parametrize(("text", "kept"), LATER)
def test_prose_sends_orders_ahead(text: str, kept: str) -> None:
    """Retreats and builds in prose are kept, questions and plans are not."""
    sheet, write = sheet_of(BASE + text), rules_of("standard").notation.write
    assert written(sheet) == [BUR, SPA, MAO]
    assert [write(line.order) for part in sheet.later for line in part.lines if line.order] == [kept] * bool(kept)


@pytest.mark.parametrize(("units", "text", "orders"), WINTER)
def test_winter_in_prose(units: list[str], text: str, orders: list[str]) -> None:
    """Builds and removals are read from sentences."""
    assert written(sheet_of(text, units, "adjustments")) == orders


@pytest.mark.parametrize(("text", "orders"), RETREAT)
def test_a_retreat_in_prose(text: str, orders: list[str]) -> None:
    """The one beaten unit need not be named."""
    assert written(sheet_of(text, ["A MAR"], "retreats", "A BUR")) == orders
