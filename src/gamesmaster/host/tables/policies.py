"""Who may write to whom, and who learns who plays what: the choices of a table, in words for every page and form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from gamesmaster.host.tables.settings import Anonymity, Press


@dataclass(frozen=True, slots=True)
class Policy:
    """One choice: what the form calls it, and what it means, in a sentence.

    `refused` is said to a player who may not write, `hint` what he or she could do instead.
    """

    title: Promise
    says: Promise
    refused: str | Promise = ""
    hint: str | Promise = ""


PRESS: Mapping[Press, Policy] = MappingProxyType(
    {
        "groups": Policy(
            gettext_lazy("To anybody and any group"),
            gettext_lazy("Players can write to all, to one power, or to a group."),
        ),
        "private": Policy(
            gettext_lazy("To one power, or to all"),
            gettext_lazy("Players can write to all, or to one power."),
            refused=gettext_lazy("In this game you can write to one power, or to all."),
        ),
        "public": Policy(
            gettext_lazy("To all only"),
            gettext_lazy("All press is public."),
            refused=gettext_lazy("All press is public in this game."),
            hint=gettext_lazy("write to all"),
        ),
        "broadcast": Policy(
            gettext_lazy("Only the Gamesmaster writes"),
            gettext_lazy("Only the Gamesmaster can write."),
            refused=gettext_lazy("Players cannot write to each other in this game."),
        ),
        "rulebook": Policy(
            gettext_lazy("To anybody, but only while moves are due"),
            gettext_lazy("Players can write to anybody, but only while moves are due."),
            refused=gettext_lazy("In this game you can write only while moves are due."),
        ),
        "none": Policy(
            gettext_lazy("Nobody writes (gunboat)"),
            gettext_lazy("There is no press."),
            refused=gettext_lazy("Players cannot write to each other in this game."),
        ),
    }
)
"""Who may write to whom, in the order of the form."""

ANONYMITY: Mapping[Anonymity, Policy] = MappingProxyType(
    {
        "none": Policy(
            gettext_lazy("Everybody sees who plays what"),
            gettext_lazy("Everybody sees who plays what."),
        ),
        "until_end": Policy(
            gettext_lazy("Hidden until the game is over"),
            gettext_lazy("Players stay anonymous until the game is over."),
        ),
        "always": Policy(
            gettext_lazy("Hidden for good; the game is not rated"),
            gettext_lazy("Players stay anonymous for good."),
        ),
    }
)
"""Who learns who plays which power, in the order of the form."""
