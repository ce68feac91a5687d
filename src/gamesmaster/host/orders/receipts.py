"""Receipts: signed lines that say what was saved and when, and that anybody can check."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from gamesmaster.host.site import limits
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.models import Receipt, Sheet, Table
from gamesmaster.host.tables.view import TableView

CODE_BYTES = 12


@dataclass(frozen=True, slots=True)
class Checked:
    """What a receipt proves: `text` says it as a sentence.

    `genuine`: signed by this site; `known`: in the database, unlike one issued after the backup that the site was
    restored from; `current`: its orders are the ones saved for the phase; `void`: its phase was taken back.
    """

    genuine: bool
    known: bool
    current: bool
    void: bool
    text: str


def sheet_hash(text: str, salt: str) -> str:
    """Return the SHA-256 of the salt, a newline and the orders (`Sheet.whole`), as receipts contain it.

    Without the salt the hash reveals nothing.
    """
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()


def make(table: Table, sheet: Sheet) -> Receipt:
    """Create the receipt of a sheet, in the transaction that saves the sheet."""
    receipt = Receipt(
        code=secrets.token_hex(CODE_BYTES),
        table=table,
        table_key=table.key,
        ordinal=sheet.ordinal,
        phase=table.phase_code,
        power=sheet.power,
        version=sheet.version,
        at=sheet.sent_at,
        channel=sheet.channel,
        sheet_hash=sheet_hash(sheet.whole, sheet.salt),
    )
    receipt.signature = _sign(claim(receipt))
    receipt.save(force_insert=True)
    return receipt


def of(sheet: Sheet) -> Receipt | None:
    """Return the receipt that was issued for the current content of a sheet."""
    receipts = Receipt.objects.filter(
        table=sheet.table_id, ordinal=sheet.ordinal, power=sheet.power, version=sheet.version, void=False
    )
    stands = sheet_hash(sheet.whole, sheet.salt)
    return next((receipt for receipt in receipts.order_by("-pk") if receipt.sheet_hash == stands), None)


def receipt_text(view: TableView, power: str) -> str:
    """Return the receipt of the set in the view, as text; empty if the viewer may not see one.

    A set saved after the view was made has no receipt here, because the view does not show that set.
    """
    own = next((one for one in view.sheets if one.power == power), None)
    if own is None or power not in view.viewer.powers:
        return ""
    rows = Sheet.objects.filter(table__key=view.key, ordinal=view.ordinal, power=power, version=own.version)
    sheet = rows.first()
    receipt = of(sheet) if sheet else None
    return text_of(receipt) if receipt else ""


def claim(receipt: Receipt) -> str:
    """Return the signed part of a receipt, on one line."""
    at = receipt.at.astimezone(UTC).isoformat(timespec="microseconds")
    parts = (receipt.code, receipt.table_key, receipt.ordinal, receipt.phase, receipt.power, receipt.version, at)
    return "|".join(map(str, (*parts, receipt.channel, receipt.sheet_hash)))


def text_of(receipt: Receipt) -> str:
    """Return a receipt as people get it: claim and signature."""
    return f"GM1|{claim(receipt)}|{receipt.signature}"


def check(text: str) -> Checked:
    """Check a receipt; raise `Refused` for text that is not a receipt."""
    parts = text.strip().split("|")
    if len(text) > 1_000 or len(parts) != 11 or parts[0] != "GM1":
        raise Refused("no-receipt", _("That is not a receipt."), _("receipts begin with GM1|"))
    claimed, signature = "|".join(parts[1:-1]), parts[-1]
    if not hmac.compare_digest(_sign(claimed).encode(), signature.encode()):
        return Checked(False, False, False, False, _("This receipt was not signed here, or it has been changed."))
    receipt = Receipt.objects.filter(code=parts[1]).select_related("table").first()
    if receipt is None or claim(receipt) != claimed:
        return Checked(
            True,
            False,
            False,
            False,
            _("The receipt is genuine, but the orders are no longer here: was the site restored from a backup?"),
        )
    sheet = Sheet.objects.filter(table=receipt.table, ordinal=receipt.ordinal, power=receipt.power).first()
    current = sheet is not None and sheet_hash(sheet.whole, sheet.salt) == receipt.sheet_hash
    if receipt.void:
        words = _("The receipt is genuine, but its phase was taken back later.")
    else:
        words = (
            _("The receipt is genuine, and these orders count.")
            if current
            else _("The receipt is genuine, but later orders replaced these.")
        )
    return Checked(True, True, current and not receipt.void, receipt.void, words)


def when(text: str) -> datetime:
    """Return the time stated in a receipt."""
    return datetime.fromisoformat(text.strip().split("|")[7])


def _sign(text: str) -> str:
    key = hashlib.sha256(b"receipts\n" + settings.SECRET_KEY.encode()).digest()
    return hmac.new(key, text.encode(), "sha256").hexdigest()


CHECKS = limits.Limit("receipt", 120, 3600)


@require_http_methods(["GET", "POST"])
def verify(request: HttpRequest) -> HttpResponse:
    """Show a form for a receipt, and the result of checking it."""
    text = request.POST.get("receipt", "")[:2000]
    context: dict[str, object] = {"text": text}
    if request.method == "POST":
        try:
            limits.check(CHECKS, request)
            result = check(text)
        except Refused as refused:
            context["refused"] = str(refused)
        else:
            context["found"] = result
            if result.genuine:
                parts = text.strip().split("|")
                context |= {"key": parts[2], "phase": parts[4], "power": parts[5], "at": when(text)}
    return render(request, "orders/front_receipts.html", context)


urlpatterns: list[URLPattern] = [
    path("receipts/verify", verify, name="verify-receipt"),
]
