"""You: who you are, your tokens; and receipts, which anybody may have checked."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Router, Status

from gamesmaster.host.api.callers import Caller, browser, caller
from gamesmaster.host.api.shapes.common import Done
from gamesmaster.host.api.shapes.desk import CheckedOut, ReceiptIn
from gamesmaster.host.api.shapes.mine import MeOut, TokenIn, TokenOut
from gamesmaster.host.models import ApiToken
from gamesmaster.host.service import clock, receipts, tokens

router = Router()


@router.get("/me", response=MeOut)
def me(request: HttpRequest) -> MeOut:
    """Your name (empty if you are not signed in), and what your token may do."""
    found: Caller = request.auth  # type: ignore[attr-defined]
    user = caller(request)
    return MeOut(name=user.username if user else "", scopes=None if found.scopes is None else sorted(found.scopes))


@router.get("/me/tokens", response=list[TokenOut])
def own_tokens(request: HttpRequest) -> list[TokenOut]:
    """Your tokens, without their texts; only for a signed-in browser."""
    return [_out(row) for row in ApiToken.objects.filter(user=browser(request)).order_by("pk")]


@router.post("/me/tokens", response={201: TokenOut})
def make_token(request: HttpRequest, given: TokenIn) -> Status[TokenOut]:
    """Make a token. Its text is shown only now."""
    text, row = tokens.make(browser(request), given.name, given.scopes, clock.now(), days=given.days)
    return Status(201, _out(row, text))


@router.delete("/me/tokens/{number}", response=Done)
def drop_token(request: HttpRequest, number: Annotated[int, Path(ge=0, le=2**31 - 1)]) -> Done:
    """Delete a token."""
    tokens.drop(browser(request), number)
    return Done()


@router.post("/receipts/check", response=CheckedOut)
def check_receipt(request: HttpRequest, given: ReceiptIn) -> CheckedOut:
    """Check a receipt."""
    found = receipts.check(given.text)
    return CheckedOut(**{name: getattr(found, name) for name in CheckedOut.model_fields})


def _out(row: ApiToken, text: str = "") -> TokenOut:
    return TokenOut(
        id=row.pk, name=row.name, start=row.start, scopes=row.scopes, made=row.made, used=row.used,
        expires=row.expires, text=text,
    )  # fmt: skip
