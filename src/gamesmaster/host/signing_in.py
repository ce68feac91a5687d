"""Signing in by name or address, with as much work for an account that is there as for one that is not."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser


class OnceBackend(AuthenticationBackend):  # type: ignore[misc]
    """Looks at the password of each account once.

    An address is looked up as an address twice; looked at twice, a known one would take longer than an unknown one.
    """

    def __init__(self) -> None:
        self._seen = set[object]()

    def _check_password(self, user: AbstractBaseUser | None, password: str) -> AbstractBaseUser | None:
        if user is None or user.pk in self._seen:
            return None
        self._seen.add(user.pk)
        found: AbstractBaseUser | None = super()._check_password(user, password)
        return found
