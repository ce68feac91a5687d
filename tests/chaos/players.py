"""The people who play meanwhile: they send orders, write, and note what was acknowledged, and nothing else."""

from __future__ import annotations

import hashlib
import html
import json
import random
import re
import smtplib
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from tests.chaos.site import RECEIPT, Site

PATIENCE = 40  # seconds: longer than any fault lasts, so that no request of an earlier time is carried out later
RELOADS = 25
"""Seconds for which somebody asks again who gets no answer: longer than a door may be shut without being an outage."""
HANDS = 24
"""Threads that play, at most: with more players, each plays for several."""


class Log:
    """What was acknowledged, and how often which answer came."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.answers: Counter[str] = Counter()

    def note(self, kind: str, **facts: Any) -> None:
        """One thing was acknowledged."""
        self.lines.append({"kind": kind, **facts})


class Hand(threading.Thread):
    """Plays for some players, one after the other, until told to stop."""

    def __init__(self, players: Sequence[Player], stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.players, self.stop = players, stop
        self.lot = random.Random(players[0].who["user"])

    def run(self) -> None:
        """Play."""
        while not self.stop.is_set():
            for player in self.players:
                player.turn(len(self.players))
                if self.stop.wait(self.lot.uniform(0.3, 1.2)):
                    return


def hands(players: Sequence[Player], stop: threading.Event) -> list[Hand]:
    """Return threads that share these players."""
    number = min(len(players), HANDS)
    return [Hand(players[place::number], stop) for place in range(number)]


@dataclass
class Letter:
    """A mail that is sent again and again until it is taken, as mail servers do; then this is noted."""

    mail: EmailMessage
    kind: str
    facts: Mapping[str, Any]
    written: float
    next_try: float = 0.0


class Player:
    """One player at one table: orders by the API, the page and by mail, press by the API and by mail."""

    def __init__(self, site: Site, who: Mapping[str, Any], log: Log) -> None:
        self.site, self.who, self.log = site, who, log
        self.lot = random.Random(who["user"])
        self.sent = self.seen = -1
        self.numbered = 0
        self.next_press = self.next_mail = 0.0
        self.letters: list[Letter] = []

    def turn(self, slowness: int) -> None:
        """See what is asked, and do it; press comes more rarely by `slowness`."""
        self._mail_on()
        table = self._reload()
        if table is None:
            self.log.note("in vain", table=self.who["key"], power=self.who["power"])
        if table is None or table["state"] != "running":
            return
        ordinal = int(table["ordinal"])
        if ordinal != self.seen:
            self.log.note("saw", **self._at(ordinal))
            self.seen = ordinal
        if ordinal != self.sent or self.lot.random() < 0.05:
            if ordinal > 0 and ordinal != self.sent:
                self._look_back(ordinal - 1)
            self._order(ordinal)
        now = time.monotonic()
        if now > self.next_press:
            self.next_press = now + slowness * self.lot.uniform(12, 20)
            self._write()
        if now > self.next_mail:
            self.next_mail = now + slowness * self.lot.uniform(95, 140)
            self.numbered += 1
            text = f"by mail {self.who['user']} {self.numbered}"
            self._post(0, f"press to all\n{text}\nendpress\n", "press", {"text": text, "table": self.who["key"]})

    def _reload(self) -> Any:
        """What the site says of the table; players who get no answer ask again, as people and pages do."""
        until = time.monotonic() + RELOADS
        while (table := self.call("GET", "")) is None and time.monotonic() < until:
            time.sleep(2)
        return table

    def _at(self, ordinal: int) -> dict[str, Any]:
        return {"table": self.who["key"], "power": self.who["power"], "ordinal": ordinal}

    # -- orders --------------------------------------------------------------------------------------------------------

    def _order(self, ordinal: int) -> None:
        """Order by a way drawn by lot; while a mail of orders has not been taken, by the API alone, and only later."""
        waiting = [letter for letter in self.letters if letter.kind == "orders"]
        if any(time.monotonic() - letter.written < 20 for letter in waiting):
            return
        tree = self.call("GET", f"/legal/{self.who['power']}")
        if tree is None or tree["ordinal"] != ordinal:
            return
        orders = [self.lot.choice(list(leaves({unit: choices}))) for unit, choices in tree["tree"].items()]
        way = "API" if waiting else self.lot.choice(["API", "page", "mail"])
        if way == "mail" and ordinal < len(self.who["addresses"]):
            self._post(ordinal, "\n".join([*orders, "confirm"]), "orders", {"orders": orders, **self._at(ordinal)})
            return
        code = self._by_page(ordinal, orders) if way == "page" else self._by_api(ordinal, orders)
        if code:
            self.sent = ordinal
            self.log.note("receipt", code=code, orders=orders, way=way, **self._at(ordinal))

    def _by_api(self, ordinal: int, orders: list[str]) -> str:
        given = {"ordinal": ordinal, "orders": orders, "confirm": True}
        receipt = self.call("PUT", f"/orders/{self.who['power']}", given)
        return str(receipt["code"]) if receipt is not None else ""

    def _by_page(self, ordinal: int, orders: list[str]) -> str:
        """Send the form of the page as its script does; the receipt stands in the part of the page that comes back."""
        token = "a" * 32
        headers = {
            "Cookie": f"sessionid={self.who['session']}; csrftoken={token}", "X-CSRFToken": token,
            "Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
        }  # fmt: skip
        form = {"power": self.who["power"], "ordinal": ordinal, "text": "\n".join(orders), "ready": "sure"}
        told = self._ask(Request(f"{self.site.url}/t/{self.who['key']}/orders", urlencode(form).encode(), headers))
        found = re.search(RECEIPT, html.unescape(told["receipt"])) if told is not None else None
        return found[1] if found else ""

    # -- press and results ---------------------------------------------------------------------------------------------

    def _write(self) -> None:
        self.numbered += 1
        text = f"press {self.who['user']} {self.numbered}"
        if self.call("POST", "/press", {"text": text, "to": ["all"]}) is not None:
            self.log.note("press", text=text, table=self.who["key"])

    def _look_back(self, ordinal: int) -> None:
        told = self.call("GET", f"/phases/{ordinal}")
        if told is not None:
            self.log.note("result", table=self.who["key"], ordinal=ordinal, hash=digest_of(told))

    def result(self, ordinal: int) -> str:
        """The result of a phase as it is told now; the site is well by now, and answers sooner or later."""
        for _ in range(60):
            told = self.call("GET", f"/phases/{ordinal}")
            if told is not None:
                return digest_of(told)
            time.sleep(1)
        return "never told"

    # -- mail ----------------------------------------------------------------------------------------------------------

    def _post(self, ordinal: int, text: str, kind: str, facts: Mapping[str, Any]) -> None:
        """Write a mail to the address for this phase, and give it to the site."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self.who["email"], self.who["addresses"][ordinal], "the game"
        mail["Date"], mail["Message-ID"] = format_datetime(datetime.now(UTC)), make_msgid(domain="example.org")
        mail.set_content(text)
        self.letters.append(Letter(mail, kind, facts, time.monotonic()))
        self._mail_on()

    def _mail_on(self) -> None:
        """Try the mails once that have not been taken."""
        for letter in list(self.letters):
            if time.monotonic() < letter.next_try:
                continue
            try:
                with smtplib.SMTP("127.0.0.1", self.site.mail_port, timeout=PATIENCE) as server:
                    server.send_message(letter.mail)
            except (OSError, smtplib.SMTPException):
                self.log.answers["mail: again"] += 1
                letter.next_try = time.monotonic() + 3
                continue
            self.letters.remove(letter)
            self.log.answers["mail: 250"] += 1
            self.log.note("mail", id=str(letter.mail["Message-ID"]))
            self.log.note(letter.kind, mail=str(letter.mail["Message-ID"]), **letter.facts)
            if letter.kind == "orders":
                self.sent = letter.facts["ordinal"]

    # -- the site's answers --------------------------------------------------------------------------------------------

    def call(self, method: str, path: str, data: object = None) -> Any:
        """What the API answers; None where it does not do what is asked."""
        body = None if data is None else json.dumps(data).encode()
        where = f"{self.site.url}/api/tables/{self.who['key']}{path.replace(' ', '%20')}"
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.who['token']}"}
        return self._ask(Request(where, body, headers, method=method))

    def _ask(self, request: Request) -> Any:
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                told = json.load(answer)
                self.log.answers[str(answer.status)] += 1
                return told
        except HTTPError as error:
            with error:
                self.log.answers[str(error.code)] += 1
        except (URLError, OSError, ValueError):
            self.log.answers["no answer"] += 1
        except Exception as error:  # a connection that was cut in the middle of an answer
            self.log.answers[type(error).__name__] += 1
        return None


def digest_of(told: dict[str, Any]) -> str:
    """A hash of what a phase came to: its rulings, in the words of the API (a report names the next phase, too)."""
    return hashlib.sha256(json.dumps(told["rulings"], sort_keys=True).encode()).hexdigest()


def leaves(tree: Any) -> Iterator[str]:
    """The orders in a tree of choices."""
    for branch in tree.values():
        if isinstance(branch, dict):
            yield from leaves(branch)
        else:
            yield branch
