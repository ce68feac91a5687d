"""What the host says when it does not do what it is asked."""

from __future__ import annotations

from django.utils.functional import Promise

from gamesmaster.errors import GamesmasterError


class Refused(GamesmasterError):
    """Something that is not done, and nothing of it.

    `code` is a word for programs (`not-this-phase`, `no-seat`, ...), `what` the sentence for people, `hint` what to do
    instead.  Codes do not change; sentences may.
    """

    def __init__(self, code: str, what: str | Promise, hint: str | Promise = "") -> None:
        self.code = code
        super().__init__(str(what), hint=str(hint))
