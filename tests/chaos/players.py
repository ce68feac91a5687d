"""The people who play meanwhile: they send orders, write, and note what was acknowledged, and nothing else."""

from __future__ import annotations

import hashlib
import json
import random
import smtplib
import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tests.chaos.site import Site


class Log:
    """What was acknowledged, and how often which answer came."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.answers: Counter[str] = Counter()

    def note(self, kind: str, **facts: Any) -> None:
        """One thing was acknowledged."""
        self.lines.append({"kind": kind, **facts})


class Player(threading.Thread):
    """One player at one table: by the API, and press by mail too."""

    def __init__(self, site: Site, who: dict[str, str], log: Log, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.site, self.who, self.log, self.stop = site, who, log, stop
        self.lot = random.Random(who["user"])
        self.sent = self.seen = -1
        self.numbered = 0
        self.next_press = self.next_mail = 0.0

    def run(self) -> None:
        """Play until told to stop."""
        while not self.stop.is_set():
            self._turn()
            self.stop.wait(self.lot.uniform(0.3, 1.2))

    def _turn(self) -> None:
        table = self.call("GET", "")
        if table is None or table["state"] != "running":
            return
        ordinal = int(table["ordinal"])
        if ordinal != self.seen:
            self.seen = ordinal
            self.log.note("saw", table=self.who["key"], power=self.who["power"], ordinal=ordinal)
        if ordinal != self.sent or self.lot.random() < 0.05:
            if ordinal > 0 and ordinal != self.sent:
                self._look_back(ordinal - 1)
            self._order(ordinal)
        now = time.monotonic()
        if now > self.next_press:
            self.next_press = now + self.lot.uniform(12, 20)
            self._write()
        if now > self.next_mail:
            self.next_mail = now + self.lot.uniform(95, 140)
            self._write_by_mail()

    def _order(self, ordinal: int) -> None:
        tree = self.call("GET", f"/legal/{self.who['power']}")
        if tree is None or tree["ordinal"] != ordinal:
            return
        orders = [self.lot.choice(list(leaves({unit: choices}))) for unit, choices in tree["tree"].items()]
        given = {"ordinal": ordinal, "orders": orders, "confirm": True}
        receipt = self.call("PUT", f"/orders/{self.who['power']}", given)
        if receipt is not None:
            self.sent = ordinal
            facts = {"table": self.who["key"], "power": self.who["power"], "ordinal": ordinal}
            self.log.note("receipt", code=receipt["code"], version=receipt["version"], orders=orders, **facts)

    def _write(self) -> None:
        self.numbered += 1
        text = f"press {self.who['user']} {self.numbered}"
        if self.call("POST", "/press", {"text": text, "to": ["all"]}) is not None:
            self.log.note("press", text=text, table=self.who["key"])

    def _write_by_mail(self) -> None:
        """Send press by mail, again and again until it is taken, as mail servers do."""
        self.numbered += 1
        text = f"by mail {self.who['user']} {self.numbered}"
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self.who["email"], self.who["address"], "the game"
        mail["Date"], mail["Message-ID"] = format_datetime(datetime.now(UTC)), make_msgid(domain="example.org")
        mail.set_content(f"press to all\n{text}\nendpress\n")
        for _ in range(40):
            if self.stop.is_set():
                return
            try:
                with smtplib.SMTP("127.0.0.1", self.site.mail_port, timeout=30) as server:
                    server.send_message(mail)
            except (OSError, smtplib.SMTPException):
                self.log.answers["mail: again"] += 1
                self.stop.wait(3)
                continue
            self.log.answers["mail: 250"] += 1
            self.log.note("press", text=text, table=self.who["key"])
            return

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

    def call(self, method: str, path: str, data: object = None) -> Any:
        """What the API answers; None where it does not do what is asked."""
        body = None if data is None else json.dumps(data).encode()
        where = f"{self.site.url}/api/tables/{self.who['key']}{path.replace(' ', '%20')}"
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.who['token']}"}
        try:
            with urlopen(Request(where, body, headers, method=method), timeout=40) as answer:
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
