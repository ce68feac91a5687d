"""The commands of a mail: a line each; what is none of them is the sheet of orders.

The judges' words are understood where they mean the same thing.  Nothing is guessed: a line is a command only if all of
it is.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

HELP = """\
Write one command or order per line, above anything that you quote. The subject is not read, and nothing below the
first quoted line or a signature (-- ). Reply to the last mail about a phase: its address tells us who you are, and
which game and phase you mean.

  A Par - Bur                    an order; any number of them, in any of the usual notations
  amend / replace                add these orders to the ones you sent before, or replace them
  clear                          withdraw all orders that you sent for this phase
  orders                         show your saved orders, and possible slips in them
  ready / not ready              your orders are final, or not yet (also: confirm, unconfirm)
  wait / nowait                  do not process before the deadline, or do not wait for it
  press to France, Italy         send what follows, up to endpress, to these powers
  press to all                   send it to everybody; press grey to ...: unsigned, where that is allowed
  endpress
  report conduct                 send what follows, up to endreport, to the moderators (also: report cheating,
                                 report absence, report fault, report other)
  endreport
  vote draw                      agree to a draw of all; vote draw among France, Italy
  vote for France                agree that France wins (also: concede to France)
  vote extend / vote pause       agree to more time, or to a pause
  vote resume / vote cancel      agree to end the pause, or to cancel the game
  withdraw                       withdraw all your votes; withdraw draw, extend, pause, resume or cancel: only that one
  statement                      publish what follows, up to endstatement, about a game that is over
  endstatement
  status                         who plays, which orders are due, and when
  report S1901M / history        the results of a phase, or of all phases
  map / map svg / map S1901M     the map, attached to the answer
  board                          the board in words
  list / join KEY                show the games with a free seat; join one
    join KEY as France; join KEY prefer France, Italy; join KEY with INVITATION
  come back                      play on if your power is in civil disorder, or may be taken over
  leave KEY                      leave a game for good
  standby KEY                    offer to take over a power that loses its player (standby KEY as France; with
                                 INVITATION); send its orders, when you are asked for them, like your own
  nostandby KEY                  stop being a standby
  table KEY                      what follows is about this game, if the address does not say which
  phase S1901M                   the orders are for this phase, whatever the address says
  away 2027-07-01 to 2027-07-14  you are away on these days
  stop press / start press       stop or start mails of one kind (phase, deadline, press, table)
  help                           show this list
  end                            nothing below this line is read
"""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: what is wanted, its words, the text that follows it, and its line (from 1) with its own words."""

    name: str
    words: tuple[str, ...] = ()
    text: str = ""
    line: int = 0
    told: str = ""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a mail wants: commands in their order, and its sheet of orders, whose lines keep their numbers.

    `amend` and `phase` are about the sheet, `table` is the table named.
    """

    commands: tuple[Command, ...]
    sheet: str = ""
    amend: bool | None = None
    phase: str = ""
    table: str = ""


_FORMS: tuple[tuple[str, str], ...] = (
    ("help", r"help|\?"),
    ("status", r"status|whoami|get status"),
    ("orders", r"(?:show |get |my |list )?orders"),
    ("clear", r"clear(?: orders)?|no orders"),
    ("confirm", r"confirm|ready"),
    ("unconfirm", r"unconfirm|not ready|unready"),
    ("wait", r"(?:set )?wait|hold"),
    ("nowait", r"(?:set )?nowait|no wait|unhold|no hold"),
    ("history", r"(?:get )?history(?: all)?"),
    ("report", r"(?:report|results?|history)(?: ([a-z]{0,6}\d{1,5}[a-z]{0,3}))?"),
    ("map", r"(?:get )?map(?: (svg|png))?(?: ([a-z]{0,6}\d{1,5}[a-z]{0,3}))?(?: (svg|png))?"),
    ("board", r"(?:text )?board"),
    ("list", r"list|games|tables"),
    ("join", r"join ([a-z]{1,16})(?: as (.{1,60}?))?(?: prefer (.{1,400}?))?(?: with ([a-z]{1,16}))?"),
    ("back", r"come ?back|i(?: am|'m) back"),
    ("leave", r"leave ([a-z]{1,16})"),
    ("standby", r"(no ?)?standby ([a-z]{1,16})(?: as (.{1,60}?))?(?: with ([a-z]{1,16}))?"),
    ("draw", r"(?:vote )?draw(?: (?:among|for|of) (.{1,400}))?"),
    ("concede", r"(?:vote for|concede to|vote concede to) (.{1,60})"),
    ("unvote", r"(?:withdraw|vote no|unvote|no) (?:vote )?(draw|end|extend|pause|resume|cancel)"),
    ("unvote", r"vote (?:nothing|none|no)|withdraw(?: votes?| all)?"),
    ("wish", r"vote (extend|pause|resume|cancel)"),
    ("away", r"(?:away|absent) (\d{4}-\d\d-\d\d)(?: ?(?:to|-|until) ?(\d{4}-\d\d-\d\d))?"),
    ("stop", r"(?:stop|unsubscribe)(?: (phase|deadline|press|table|all))?"),
    ("start", r"(?:start|subscribe)(?: (phase|deadline|press|table|all))?"),
    ("process", r"process"),
    ("preview", r"preview"),
    ("pause", r"pause"),
    ("resume", r"resume"),
    ("extend", r"(?:extend (?:to|until)|deadline) (\d{4}-\d\d-\d\d) (\d\d:\d\d)"),
)
_KNOWN = tuple((name, re.compile(pattern)) for name, pattern in _FORMS)
_PRESS = re.compile(r"(?:(grey|gray|anonymous) )?(?:press|broadcast)(?: (grey|gray|anonymous))?(?: to (.{1,400}))?:?")
_END_PRESS = re.compile(r"end ?(?:press|broadcast)")
_REPORT = re.compile(r"(?:report|complain)(?: about)? (conduct|cheating|absence|fault|other):?")
_STATEMENT = re.compile(r"statement:?")
_END_STATEMENT = re.compile(r"end ?statement")
_END_REPORT = re.compile(r"end ?(?:report|complaint)")
_END = re.compile(r"end|quit|sign ?off|stop here")
_TABLE = re.compile(r"table ([a-z]{1,16})")
_PHASE = re.compile(r"(?:phase|(?:orders )?for(?: phase)?) ([a-z]{0,6}\d{1,5}[a-z]{0,3}):?")
LONGEST_LINE = 500


def wishes(text: str) -> Wishes:
    """What the text of a mail wants."""
    lines = text.split("\n")
    rest = list(lines)  # what is left for the sheet
    found: list[Command] = []
    amend, phase, table, at = None, "", "", 0
    while at < len(lines):
        plain = _plain(lines[at])
        number, begin, at = at + 1, at, at + 1
        if (press := _PRESS.fullmatch(plain)) is not None:
            at, body = _until_end(lines, at, _END_PRESS)
            words = ("grey" if press[1] or press[2] else "", press[3] or "all")
            found.append(Command("press", words, body, number, lines[begin].strip()))
        elif (about := _REPORT.fullmatch(plain)) is not None:
            at, body = _until_end(lines, at, _END_REPORT)
            found.append(Command("complain", (about[1],), body, number, lines[begin].strip()))
        elif _STATEMENT.fullmatch(plain):
            at, body = _until_end(lines, at, _END_STATEMENT)
            found.append(Command("statement", (), body, number, lines[begin].strip()))
        elif plain in ("amend", "replace"):
            amend = plain == "amend"
        elif (named := _PHASE.fullmatch(plain)) is not None:
            phase = named[1].upper()
        elif (named := _TABLE.fullmatch(plain)) is not None:
            table = named[1]
        elif _END.fullmatch(plain):
            rest[begin:] = [""] * (len(lines) - begin)
            break
        elif (command := _command(plain, number, lines[begin])) is not None:
            found.append(command)
        else:
            continue
        rest[begin:at] = [""] * (at - begin)
    return Wishes(tuple(found), "\n".join(rest).rstrip(), amend, phase, table)


def _plain(line: str) -> str:
    """A line as commands are compared: small letters, single spaces, no full stop."""
    return " ".join(unicodedata.normalize("NFKC", line[:LONGEST_LINE]).casefold().split()).rstrip(" .!")


def _command(plain: str, number: int, line: str) -> Command | None:
    for name, pattern in _KNOWN:
        found = pattern.fullmatch(plain)
        if found is not None:
            words = tuple(word or "" for word in found.groups())
            return Command(name, words, "", number, line.strip())
    return None


def _until_end(lines: list[str], at: int, last: re.Pattern[str]) -> tuple[int, str]:
    """The lines up to the one that ends what is told, and where it goes on; all of them if none does."""
    for end in range(at, len(lines)):
        if last.fullmatch(_plain(lines[end])):
            return end + 1, "\n".join(lines[at:end]).strip()
    return len(lines), "\n".join(lines[at:]).strip()
