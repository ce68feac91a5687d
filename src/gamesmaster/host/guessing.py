"""Guessed passwords: how often one may be wrong, without giving rivals a way to shut anybody out.

Failures are counted by account and network, and by network for all accounts; what must be waited grows with them.  A
browser that has been signed in to the account before has a cookie (`devices`) and is counted by itself: whatever
strangers try, its owner still gets in.  On another device the way in is a passkey, or a new password by mail.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q
from django.http import HttpRequest

from gamesmaster.host import devices
from gamesmaster.host.service import limits
from gamesmaster.host.service.limits import Limit

LOG = logging.getLogger("gamesmaster.host")
MINUTE, HOUR, DAY = 60, 3600, 24 * 3600
BY_STRANGERS = (Limit("guess-5m", 5, 5 * MINUTE), Limit("guess-1h", 10, HOUR), Limit("guess-1d", 20, DAY))
"""Of one account from one network, by browsers that were never signed in to it."""
BY_NETWORK = (Limit("guess-net-5m", 30, 5 * MINUTE), Limit("guess-net-1d", 300, DAY))
"""Of all accounts from one network."""
BY_DEVICE = (Limit("guess-device-5m", 10, 5 * MINUTE), Limit("guess-device-1d", 50, DAY))
"""Of one account by a browser that was signed in to it before."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A password that is about to be looked at, counted already; `lanes` are the counters it is counted in."""

    account: int | None
    network: str
    lanes: tuple[tuple[Limit, str], ...]
    allowed: bool

    def succeeded(self) -> None:
        """It was right: it does not count."""
        for limit, whose in self.lanes:
            limits.give_back(limit, whose)

    def failed(self) -> None:
        """It was wrong: note it.  What was typed is not noted; people mistake the field for that of the password."""
        facts = {"event": "sign-in", "account": self.account, "network": self.network, "why": "wrong"}
        LOG.warning("a sign-in failed", extra=facts)


def attempt(request: HttpRequest, credentials: Mapping[str, Any]) -> Attempt:
    """Count one more attempt to sign in with these credentials (`username`, `email`)."""
    account, whose = _account(credentials)
    lanes = _lanes(request, account, whose)
    allowed = [limits.spend(*lane) for lane in lanes].count(False) == 0  # each is counted, whatever the others say
    network = devices.coarse(limits.address(request))
    if not allowed:
        facts = {"event": "sign-in", "account": account.pk if account else None, "network": network, "why": "too many"}
        LOG.warning("a sign-in was refused", extra=facts)
    return Attempt(account.pk if account else None, network, lanes, allowed)


def forgive(request: HttpRequest, credentials: Mapping[str, Any]) -> None:
    """Count anew: whoever asks has shown in another way that the account is his or hers."""
    for limit, whose in _lanes(request, *_account(credentials)):
        if limit not in BY_NETWORK:
            limits.forgive(limit, whose)


def _lanes(request: HttpRequest, account: User | None, whose: str) -> tuple[tuple[Limit, str], ...]:
    device = devices.known(request, account) if account is not None else ""
    if device:
        return tuple((limit, f"{whose} {device}") for limit in BY_DEVICE)
    network = limits.network(limits.address(request))
    near = [(limit, f"{whose} {network}") for limit in BY_STRANGERS]
    return (*near, *((limit, network) for limit in BY_NETWORK))


def _account(credentials: Mapping[str, Any]) -> tuple[User | None, str]:
    """The account that is meant, by name or by address, and what it is counted as; also for one that there is not."""
    typed = sorted({str(credentials[field]) for field in ("username", "email") if credentials.get(field)})
    meant = Q(pk=None)
    for one in typed:
        meant |= Q(username__iexact=one) | Q(email__iexact=one) | Q(emailaddress__email__iexact=one)
    found = User.objects.filter(meant).order_by("pk").first()
    return found, f"user-{found.pk}" if found is not None else f"name-{' '.join(typed).casefold()}"
