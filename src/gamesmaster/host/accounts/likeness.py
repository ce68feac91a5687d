"""How names of accounts look, so that no new name can be taken for that of another player."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models.signals import post_save
from django.dispatch import receiver

LONGEST = 255
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l"})


class Likeness(models.Model):
    """How the name of an account looks. Accounts of before may share one, so it is not unique."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="likeness")
    name = models.CharField(max_length=LONGEST, db_index=True)  # `likeness` of the user's name


def likeness(name: str) -> str:
    """Return a normal form of how a name looks. Names with the same form can be confused."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    drawn = "".join(map(_latin, plain)).casefold().translate(_ALIKE)
    return re.sub(r"[\W_]", "", drawn).replace("rn", "m").replace("vv", "w")[:LONGEST]


@cache
def _latin(char: str) -> str:
    """Return the Latin letter or digit that a character looks like, or the character itself."""
    if char.isascii():
        return char
    from confusable_homoglyphs import confusables  # imported here: its tables take a tenth of the start-up time

    found = confusables.is_confusable(char, greedy=True) or []
    alike = (one["c"] for data in found for one in data["homoglyphs"])
    return next((text for text in alike if text.isascii() and text.isalnum()), char)


@receiver(post_save, sender=User)
def _keep(instance: User, update_fields: frozenset[str] | None = None, **_: Any) -> None:
    """Store how the name of an account looks whenever the name is saved."""
    if update_fields is None or "username" in update_fields:
        Likeness.objects.update_or_create(user=instance, defaults={"name": likeness(instance.username)})
