"""The reckoning: what was acknowledged against what is in the database.  Run in the site's surroundings."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import Any

from gamesmaster.host.apps import boot

boot()

from gamesmaster.host.models import HeldLetter, Message, OutMail, PhaseRow, Receipt, Seat, Table  # noqa: E402
from gamesmaster.host.tables import store  # noqa: E402
from gamesmaster.orders import PhaseKind  # noqa: E402


def reckon(lines: Iterable[dict[str, Any]], mails: list[dict[str, Any]]) -> tuple[list[str], dict[str, int]]:
    """What is wrong, and how many of each kind were looked at."""
    found = list(lines)
    by_mail = _told_by_mail(found, mails)
    receipts = [line for line in found if line["kind"] == "receipt"] + by_mail
    asked = [line["id"] for line in found if line["kind"] == "mail"]
    press = [line["text"] for line in found if line["kind"] == "press"]
    missed = list(_missed())
    seen = {(line["table"], line["power"], line["ordinal"]) for line in found if line["kind"] == "saw"}
    unseen = [one for one in missed if one not in seen]
    vain = {one: _in_vain(found, *one) for one in unseen}
    late = [f"{power} at {key} missed phase {at}, asked {n} times in vain" for (key, power, at), n in vain.items() if n]
    wrong = [*_orders(receipts), *_press(press), *_results(found), *_phases(), *_mails(mails), *late]
    wrong += _answers(asked, mails)
    ways = Counter(line["way"] for line in receipts)
    counts = {
        "games": Table.objects.count(), "order sets acknowledged": len(receipts),
        **{f"order sets acknowledged, by {way}": ways[way] for way in ("API", "page", "mail")},
        "mails taken, and answered once": len(asked), "messages acknowledged": len(press),
        "results read": sum(line["kind"] == "result" for line in found), "phases": PhaseRow.objects.count(),
        "phases missed by players who were slow": len(missed) - len(unseen),
        "phases missed by players for whom nobody asked": len(unseen) - len(late),
        "e-mails sent": OutMail.objects.filter(state=OutMail.SENT).count(), "e-mails received": len(mails),
        "e-mails received twice, with one Message-ID": len(mails) - len({mail["id"] for mail in mails}),
    }  # fmt: skip
    return wrong, counts


def _in_vain(lines: Iterable[dict[str, Any]], key: str, power: str, at: int) -> int:
    """How often somebody may have asked for a player, for as long as an outage lasts, while an unseen phase lasted."""
    found = 0
    for line in lines:
        if line["kind"] not in ("saw", "in vain") or (line["table"], line["power"]) != (key, power):
            continue
        if line["kind"] == "in vain":
            found += 1
        elif line["ordinal"] > at:
            return found
        else:
            found = 0  # that was in an earlier phase
    return found


def _told_by_mail(lines: list[dict[str, Any]], mails: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The receipts in the answers to mails of orders, with these orders."""
    sets = {line["mail"]: line["orders"] for line in lines if line["kind"] == "orders"}
    codes = {code: sets[mail["answers"]] for mail in mails if mail["answers"] in sets for code in mail["codes"]}
    return [{"code": code, "orders": orders, "way": "mail"} for code, orders in codes.items()]


def _answers(asked: list[str], mails: list[dict[str, Any]]) -> Iterable[str]:
    """Each mail that the site has taken has one answer, however often it came and however often that was delivered."""
    answers = {mail["id"]: mail["answers"] for mail in mails if mail["answers"].endswith("@example.org>")}
    number = Counter(answers.values())
    yield from (f"mail {one} was answered {number[one]} times" for one in asked if number[one] != 1)
    yield from (f"mail {one} was answered {times} times" for one, times in number.items() if times > 1)


def _orders(receipts: list[dict[str, Any]]) -> Iterable[str]:
    """Each receipt that was given out is there; the last set of a phase that is over is what was adjudicated."""
    stored = Counter(Receipt.objects.values_list("code", flat=True))
    by_code = {line["code"]: line for line in receipts}
    yield from (f"receipt {code} is there {stored[code]} times" for code in by_code if stored[code] != 1)
    for table in Table.objects.all():
        records = store.load(table).records
        last: dict[tuple[int, str], Receipt] = {}
        for receipt in Receipt.objects.filter(table=table, void=False).order_by("version"):
            last[receipt.ordinal, receipt.power] = receipt
        for (ordinal, power), receipt in last.items():
            if ordinal < len(records) and receipt.code in by_code:
                given = list(records[ordinal].orders.get(power, ()))
                told = by_code[receipt.code]["orders"]
                if given != told:
                    yield f"{table.key} phase {ordinal}: {power} was told of {told}, not {given}"


def _press(texts: list[str]) -> Iterable[str]:
    letters = [model.objects.exclude(sender="").values_list("text", flat=True) for model in (Message, HeldLetter)]
    stored = Counter(text.strip() for text in chain(*letters))  # sent, or to be sent within seconds
    yield from (f"message {text!r} is there {stored[text]} times" for text in texts if stored[text] != 1)
    yield from (f"message {text!r} is there {number} times" for text, number in stored.items() if number > 1)


def _results(lines: list[dict[str, Any]]) -> Iterable[str]:
    told: dict[tuple[str, int], set[str]] = {}
    for line in lines:
        if line["kind"] == "result":
            told.setdefault((line["table"], line["ordinal"]), set()).add(line["hash"])
    yield from (f"the result of phase {at} was told in {len(how)} ways" for at, how in told.items() if len(how) > 1)


def _phases() -> Iterable[str]:
    for table in Table.objects.all():
        rows = list(table.phases.order_by("ordinal").values_list("ordinal", flat=True))
        if rows != list(range(table.ordinal)) or len(store.load(table).records) != table.ordinal:
            yield f"{table.key}: phases {rows} of {table.ordinal}"
        if table.state not in ("running", "finished"):
            yield f"{table.key} is {table.state}"


def _missed() -> Iterable[tuple[str, str, int]]:
    """Moves for which a player had sent nothing: table, power, phase.

    Who saw the phase, and then took longer than it lasted, had the chance; who never got to see it had none.
    """
    for seat in Seat.objects.filter(user__isnull=False).select_related("table"):
        for ordinal, record in enumerate(store.load(seat.table).records):
            asked = record.phase.kind == PhaseKind.MOVEMENT and record.position.of(str(seat.power))
            if asked and seat.power not in record.orders:
                yield seat.table.key, str(seat.power), ordinal


def _mails(mails: list[dict[str, Any]]) -> Iterable[str]:
    known = dict(OutMail.objects.values_list("message_id", "state"))
    got = {mail["id"] for mail in mails}
    yield from (f"mail {number} was received, and is not known" for number in got - known.keys())
    yield from (f"mail {number} is {state}" for number, state in known.items() if state != OutMail.SENT)
    sent = {number for number, state in known.items() if state == OutMail.SENT}
    yield from (f"mail {number} was sent, and not received" for number in sent - got)


if __name__ == "__main__":
    told = json.load(sys.stdin)
    print(json.dumps(reckon(told["log"], told["mails"])))
