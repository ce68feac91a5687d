from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from gamesmaster.host.games import hosting
from gamesmaster.host.models import Receipt, Sheet, Table
from gamesmaster.host.orders import drafts, receipts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.judge.judging import UNORDERED
from tests.host.conftest import DAY, HOUR, NOW, people, power_of, running
from tests.host.test_tables import refused

pytestmark = pytest.mark.django_db


def holding(table: Table, power: str) -> list[str]:
    """Orders that let every unit of a power hold."""
    return [f"{unit.kind} {unit.at} H" for unit in store.load(table).position.of(power)]


def test_a_receipt_is_proof() -> None:
    """A receipt is genuine and current, then genuine and replaced; one changed by a single sign is not genuine."""
    user, *_ = people(1)
    table = running([user])
    power = power_of(table, user)
    texts = holding(table, power)
    first = submission.submit(table, power, texts, Submission(0), user=user, now=NOW + HOUR)
    told = receipts.text_of(first)
    assert receipts.check(told).current
    assert receipts.when(told) == NOW + HOUR
    submission.submit(table, power, texts[:1], Submission(0, amend=False), user=user, now=NOW + 2 * HOUR)
    later = receipts.check(told)
    assert (later.genuine, later.known, later.current) == (True, True, False)
    assert not receipts.check(told.replace("S1901M", "F1901M")).genuine
    with refused("no-receipt"):
        receipts.check("nonsense")


def test_a_receipt_does_not_tell_the_orders() -> None:
    """The same orders sent twice have different hashes: what was sent cannot be guessed from a receipt."""
    user, *_ = people(1)
    table = running([user])
    sent = [
        submission.submit(table, power_of(table, user), "", Submission(0), user=user, now=NOW + HOUR) for _ in range(2)
    ]
    assert sent[0].sheet_hash != sent[1].sheet_hash


def test_a_lost_receipt_is_seen() -> None:
    """A receipt given out after the backup that was restored is genuine, and told to be lost (A12)."""
    user, *_ = people(1)
    table = running([user])
    receipt = submission.submit(table, power_of(table, user), "", Submission(0), user=user, now=NOW + HOUR)
    told = receipts.text_of(receipt)
    Receipt.objects.all().delete()
    assert (receipts.check(told).genuine, receipts.check(told).known) == (True, False)


def test_orders_for_another_phase_are_refused() -> None:
    """A late tab's orders are refused with the phase that is being played, and never read for it (A4)."""
    user, *_ = people(1)
    table = running([user])
    power = power_of(table, user)
    texts = holding(table, power)
    processing.process(table, 0, "asked", now=NOW + HOUR)
    with pytest.raises(Refused, match="F1901M"):
        submission.submit(table, power, texts, Submission(0), user=user, now=NOW + 2 * HOUR)
    with refused("not-this-phase"):
        submission.submit(table, power, texts, Submission(1, phase="S1901M"), user=user, now=NOW + 2 * HOUR)
    assert not Sheet.objects.filter(table=table, ordinal=1).exists()


def test_orders_during_processing_are_refused() -> None:
    """While a worker is at the phase its orders are closed; a dead worker's claim closes nothing (A3, A8)."""
    user, *_ = people(1)
    table = running([user])
    power = power_of(table, user)
    Table.objects.filter(pk=table.pk).update(claimed_at=NOW, claimed_by="somebody")
    with refused("processing"):
        submission.submit(table, power, "", Submission(0), user=user, now=NOW + timedelta(minutes=1))
    submission.submit(table, power, "", Submission(0), user=user, now=NOW + HOUR)
    assert Table.objects.get(pk=table.pk).claimed_by == ""


@pytest.mark.parametrize(("seconds", "late"), [(-1, False), (0, False), (1, True)])
@pytest.mark.parametrize("rule", ["until_adjudicated", "strict"])
def test_at_the_deadline(seconds: int, late: bool, rule: str) -> None:
    """Orders stored at the very deadline are in time; later ones as the house rules say (B3)."""
    user, *_ = people(1)
    table = running([user])
    game = store.load(table)
    with_rule = replace(game, house_rules=replace(game.house_rules, late_orders=rule))
    store.keep(table, with_rule)
    table.save()
    at = NOW + 2 * DAY + timedelta(seconds=seconds)
    if late and rule == "strict":
        with refused("bad-orders"):
            submission.submit(table, power_of(table, user), "", Submission(0), user=user, now=at)
    else:
        submission.submit(table, power_of(table, user), "", Submission(0), user=user, now=at)
    assert (processing.due(at) != []) is late


@pytest.mark.parametrize(
    "texts", ["x" * 1_000_000, "A Par\x00 - Bur", "A \ud800 - Bur", "\n".join(["A Par H"] * 100_000)]
)
def test_orders_without_sense_are_refused(texts: str) -> None:
    """Sheets too large and texts that are none are refused, and nothing is stored (C1)."""
    user, *_ = people(1)
    table = running([user])
    with refused("bad-orders"):
        submission.submit(table, power_of(table, user), texts, Submission(0), user=user, now=NOW + HOUR)
    assert not Sheet.objects.exists()


def test_amending_and_replacing() -> None:
    """A later set replaces the former, or amends it if it says so."""
    user, *_ = people(1)
    table = running([user])
    power = power_of(table, user)
    texts = holding(table, power)
    submission.submit(table, power, texts, Submission(0), user=user, now=NOW + HOUR)
    submission.submit(table, power, texts[:1], Submission(0, amend=True), user=user, now=NOW + HOUR)
    assert len(Sheet.objects.get(table=table, power=power).lines) == len(texts)
    submission.submit(table, power, texts[:1], Submission(0), user=user, now=NOW + HOUR)
    sheet = Sheet.objects.get(table=table, power=power)
    assert (sheet.lines, sheet.version) == (texts[:1], 3)


def test_all_ready_and_the_panic_window() -> None:
    """When the last is ready the phase ends after the panic window; taking it back, or holding, stops that (A7)."""
    users = people(2)
    table = running(users, TableSettings(panic=20))
    one, two = (power_of(table, user) for user in users)
    at = NOW + HOUR

    def ready_at() -> object:
        return Table.objects.get(pk=table.pk).ready_at

    submission.submit(table, one, holding(table, one), Submission(0, confirm=True), user=users[0], now=at)
    assert ready_at() is None
    submission.submit(table, two, "", Submission(0, confirm=True), user=users[1], now=at)
    assert ready_at() == at + timedelta(minutes=20)
    assert processing.due(at + timedelta(minutes=19)) == []
    submission.confirm(table, two, ready=False, ordinal=0, user=users[1], now=at)
    assert ready_at() is None
    submission.confirm(table, two, ready=True, ordinal=0, user=users[1], now=at)
    submission.hold(table, one, wait=True, ordinal=0, user=users[0], now=at)
    assert ready_at() is None
    submission.confirm(table, one, ready=True, ordinal=0, user=users[0], now=at)
    assert processing.due(at + timedelta(minutes=20)) == [(table.pk, 0)]


def test_previews_tell_nothing_of_others() -> None:
    """A draft is worked out without anybody else's orders, and is not stored."""
    table = running(people(1))
    user = table.owner
    assert user is not None
    view = access.look(table.key, user)
    power = power_of(table, user)
    draft = drafts.draft_preview(view, power, holding(table, power)[:1])
    assert len(draft.rulings) >= 1
    assert draft.warnings
    assert not Sheet.objects.exists()
    other = next(p.name for p in view.variant.powers if p.name != power)
    with refused("no-seat"):
        drafts.draft_preview(view, other, "")


def test_ready_needs_orders() -> None:
    """Nobody is made ready, or waited for, with a set that was never sent; a set of none that was sent is one."""
    user, *_ = people(1)
    table = running([user])
    power = power_of(table, user)
    for say in (partial(submission.confirm, ready=True), partial(submission.hold, wait=True)):
        with refused("no-orders"):
            say(table, power, ordinal=0, user=user, now=NOW + HOUR)
        assert not Sheet.objects.exists()
    submission.submit(table, power, "", Submission(0), user=user, now=NOW + HOUR)
    submission.confirm(table, power, ready=True, ordinal=0, user=user, now=NOW + HOUR)
    assert Sheet.objects.get().confirmed


def test_ready_with_what_is_drawn() -> None:
    """Orders and readiness come together; who is not sure is made ready only with a whole set, and keeps the orders."""
    user, *_ = people(1)
    table = running([user])
    power = power_of(table, user)
    texts = holding(table, power)

    def send(lines: list[str], *, sure: bool) -> Sheet:
        submission.submit(
            table,
            power,
            lines,
            Submission(0, amend=False, confirm=True, sure=sure),
            user=user,
            now=NOW + HOUR,
        )
        return Sheet.objects.get(table=table, power=power)

    for lines in (texts[1:], [*texts[1:], "vote draw"], []):
        sheet = send(lines, sure=False)
        assert (sheet.lines, sheet.confirmed) == (lines, False)
    assert send(texts, sure=False).confirmed
    assert send(texts[1:], sure=True).confirmed
    submission.submit(table, power, texts, Submission(0, amend=False), user=user, now=NOW + HOUR)
    assert not Sheet.objects.get(table=table, power=power).confirmed


def test_readiness_alone_is_no_new_set() -> None:
    """To be ready, or no longer, with the orders that are stored hands out their receipt again."""
    user, *_ = people(1)
    table = running([user])
    power = power_of(table, user)
    texts = holding(table, power)
    first = submission.submit(table, power, texts, Submission(0), user=user, now=NOW + HOUR)
    submission.hold(table, power, wait=True, ordinal=0, user=user, now=NOW + HOUR)
    for ready in (True, False):
        same = submission.submit(table, power, texts, Submission(0, confirm=ready), user=user, now=NOW + 2 * HOUR)
        sheet = Sheet.objects.get(table=table, power=power)
        assert (same.pk, sheet.version, sheet.confirmed, sheet.hold) == (first.pk, 1, ready, False)
    assert receipts.check(receipts.text_of(first)).current


def test_nobody_overwrites_what_he_has_not_seen() -> None:
    """A set based on an older one than is stored is refused, unless both say the same; nothing is lost by that."""
    user, *_ = people(1)
    table = running([user])
    power = power_of(table, user)
    texts = holding(table, power)

    def send(lines: list[str], based_on: int | None, channel: str = "web") -> int:
        return submission.submit(
            table,
            power,
            lines,
            Submission(0, channel=channel, amend=False, based_on=based_on),
            user=user,
            now=NOW + HOUR,
        ).version

    assert send(texts, 0) == 1
    assert send(texts[1:], None, "mail") == 2
    for based_on in (0, 1):
        with refused("newer"):
            send(texts[:1], based_on)
    assert Sheet.objects.get().lines == texts[1:]
    assert send(texts[1:], 1) == 3
    assert send(texts[:1], 3) == 4


def test_what_a_set_lacks() -> None:
    """Lines that cannot be read or come true are told by their numbers, and units without an order by their names."""
    user, *_ = people(1)
    table = running([user])
    view = access.look(table.key, user)
    power = power_of(table, user)
    one, two, three = holding(table, power)[:3]
    assert not drafts.draft_preview(view, power, holding(table, power)).lacks
    lacks = drafts.draft_preview(
        view, power, f"{one}\n\nvote draw\n{two[:-1]} - Vladivostok\n{two[:-1]} - {two[2:5]}"
    ).lacks
    assert [(lack.kind, lack.line) for lack in lacks if lack.line] == [("unread", 2), ("unread", 3), ("void", 4)]
    names = [lack.subject.upper() for lack in lacks if lack.kind == "unordered"]
    assert any(name.startswith(three[:5].upper()) for name in names)
    assert "line 2, “vote draw”, cannot be read" in str(lacks[0])


@pytest.mark.parametrize(
    ("gone", "kind", "told"), [("A Par", "open", "leaves 1 build unused"), ("", "unordered", "will be removed")]
)
def test_what_is_owed_in_winter(gone: str, kind: str, told: str) -> None:
    """A removal or a build that nobody ordered is lacking, also where there is no line at all."""
    game = store.load(hosting.sandbox("standard"))
    units = tuple(u for u in game.position.units if f"{u.kind} {u.at.province.title()}" != gone)
    owners = {p: o for p, o in game.position.owners.items() if gone or p != "BRE"}
    position = replace(game.position, units=units, owners=owners)
    winter = replace(game, phase=game.variant.calendar.read("W1901A"), position=position)
    (found,) = drafts.look_over(winter, "France", "").lacks
    assert (found.kind, found.line) == (kind, 0)
    assert told in str(found)


def test_a_phase_that_is_over_is_named() -> None:
    """Whoever sends orders for a phase that is over reads which one that was, and for which orders are now due."""
    user, *_ = people(1)
    table = running([user])
    assert processing.process(table, 0, "asked", now=NOW + HOUR) is processing.Done.PROCESSED
    said = r"^Spring 1901 Movement is over; orders are now due for Fall 1901 Movement"
    with pytest.raises(Refused, match=said):
        submission.submit(table, power_of(table, user), "", Submission(0), user=user, now=NOW + 2 * HOUR)
    with pytest.raises(Refused, match=r"^Orders are now due for Fall 1901 Movement"):
        submission.submit(table, power_of(table, user), "", Submission(7), user=user, now=NOW + 2 * HOUR)


def test_every_unit_without_an_order_is_spoken_of() -> None:
    """Whatever the judge says of a unit without an order can be said of several, and in other languages."""
    assert drafts._UNORDERED.keys() == set(UNORDERED.values())
    for text in UNORDERED.values():
        lacks = [drafts.Lack("unordered", 0, unit, text, "STD-4.c") for unit in ("A Par", "A Mar")]
        assert drafts.lack_words(lacks[:1]) == [f"A Par {text}"]
        assert drafts.lack_words(lacks)[0].startswith("2 units ")
