"""Editions of variants that games of this site are played by, kept whatever becomes of the package."""

from __future__ import annotations

from django.db import models


class KeptEdition(models.Model):
    """All that a variant is, as the archive `Edition.pack` makes; `digest` is that of the variant without options."""

    digest = models.CharField(max_length=64, primary_key=True)
    family = models.CharField(max_length=40, db_index=True)
    archive = models.BinaryField()
    kept = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.family}, edition {self.digest[:16]}"
