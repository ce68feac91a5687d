"""The page on which a Gamesmaster reads letters, corrects their orders, and saves the sets that he or she accepts.

The server keeps nothing between requests: letters and fields travel to the browser and come back with each button.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain, islice
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from pydantic import TypeAdapter, ValidationError

from gamesmaster.errors import BadFile, GamesmasterError
from gamesmaster.formats import Letter, in_order, letters_of
from gamesmaster.game.desk import Desk, DeskLine, DeskSet, correct, lay_out, query
from gamesmaster.host.gm.desk import override
from gamesmaster.host.orders import drafts, receipts
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.models import Receipt
from gamesmaster.host.tables.requests import account, begun_view, posted_ordinal, read_number
from gamesmaster.host.tables.view import OVER, SheetView, TableView
from gamesmaster.reading import Purpose

MOST_LETTERS = 100
LARGEST_UPLOAD = 1024 * 1024
LARGEST_POST = 256 * 1024
"""Maximum size in bytes of all letters on the page."""
MOST_FIELDS = 800
_LETTERS = TypeAdapter(tuple[Letter, ...])


@dataclass(frozen=True, slots=True)
class LetterRow:
    """A line of a letter with its field in the form."""

    line: DeskLine
    name: str  # name of the field
    text: str  # content of the field
    note: str  # how the line was read, or why it was not
    faulty: bool = False  # the correction is not readable


@dataclass(frozen=True, slots=True)
class WaitingSet:
    """A set of orders that is not accepted yet, with the corrections so far."""

    key: str
    one: DeskSet
    rows: tuple[LetterRow, ...]
    saved: SheetView | None  # the power's set that the site has
    kept: tuple[drafts.KeptOrders, ...]  # the power's orders sent ahead
    lost: str  # what the game would not keep of this set
    draft: str | None  # a question to the player that is being written
    told: str = ""  # why the set was refused
    lacks: tuple[drafts.Lack, ...] | None = None  # what it lacks, if it was refused for that

    @property
    def doubtful(self) -> int:
        """Return the number of lines that need a look."""
        return sum(line.asks for line in self.one.lines) + sum(row.faulty and not row.line.asks for row in self.rows)


class LettersPage:
    """The letters on the page with the sets read from them; `done` holds key and receipt of each accepted set."""

    def __init__(self, request: HttpRequest, view: TableView) -> None:
        self.request, self.view, self.fields = request, view, request.POST
        players = {seat.power: seat.player for seat in view.seats if seat.user}
        self.game = replace(view.bare_game, players=players)
        self.letters: tuple[Letter, ...] = ()
        self.desk = Desk((), ())
        self.sets: list[WaitingSet] = []
        self.pasted = self.fields.get("text", "")
        self.done: list[str] = self.fields.getlist("done")

    def read(self, letters: Iterable[Letter]) -> None:
        """Read letters in place of those on the page; raise `Refused` if there are too many or they are too long."""
        known = in_order(list(dict.fromkeys(letters)))
        if len(known) > MOST_LETTERS or len(_LETTERS.dump_json(known)) > LARGEST_POST:
            what = _("A page has at most {many} letters of {size} KiB together.")
            what = what.format(many=MOST_LETTERS, size=LARGEST_POST // 1024)
            raise Refused("too-large", what, _("read a part of them"))
        desk = lay_out(self.game, known)
        done = {one.partition(" ")[0] for one in self.done}
        sets = [self._set(one) for one in desk.sets if not one.replaced and _key(one) not in done]
        if sum(len(one.rows) for one in sets) > MOST_FIELDS:
            what = _("The letters have more than {many} lines with orders.").format(many=MOST_FIELDS)
            raise Refused("too-large", what, _("read a part of them"))
        self.letters, self.desk, self.sets = known, desk, sets

    def _set(self, one: DeskSet) -> WaitingSet:
        key, rows = _key(one), []
        for number, line in enumerate(line for line in one.doubtful_first if line.purpose is not Purpose.NOTHING):
            as_read = (line.line.stored if line.reading else line.line.text).strip()
            text = self.fields.get(f"{key}-{number}", as_read).strip()
            row = LetterRow(line, f"{key}-{number}", text, line.reading or line.why)
            if text != as_read:
                one, row = self._correct(one, row)
            rows.append(row)
        lost, draft = drafts.lost_words(self.game, one.sheet), self.fields.get(f"{key}-query")
        return WaitingSet(key, one, tuple(rows), *self._stored(one.power), lost, draft)

    def _stored(self, power: str) -> tuple[SheetView | None, tuple[drafts.KeptOrders, ...]]:
        saved = next((sheet for sheet in self.view.sheets if sheet.power == power), None)
        return saved, drafts.kept_orders(self.view, power)

    def _correct(self, one: DeskSet, row: LetterRow) -> tuple[DeskSet, LetterRow]:
        """Return set and row with the Gamesmaster's correction in place of the line."""
        try:
            made = correct(self.game, one, row.line.line, row.text)
        except GamesmasterError as error:
            return one, replace(row, note=f"{error.what}{f' ({error.hint})' if error.hint else ''}", faulty=True)
        old = {id(line.line) for line in one.lines}
        new = "; ".join(line.reading for line in made.lines if id(line.line) not in old)
        return made, replace(row, note=new or _("left out"))

    def add(self) -> None:
        """Add pasted and uploaded letters, and put powers that the Gamesmaster named at the top of their letters."""
        named = [
            replace(letter, text=f"{power}:\n{letter.text}")
            if (power := self.fields.get(f"{_digest(letter.text)}-power", "")) in self.game.rules.powers
            else letter
            for letter in self.letters
        ]
        if more := _new_letters(self.request):
            self.read([*named, *more])
        elif named != list(self.letters):
            self.read(named)
        self.pasted = ""

    @property
    def _chosen(self) -> WaitingSet | None:
        """Return the set whose button was pressed."""
        return next((one for one in self.sets if self.fields.get("do", "").endswith(f" {one.key}")), None)

    def act(self) -> None:
        """Carry out the button that was pressed; raise `Refused`."""
        chosen = self._chosen
        if chosen is None:
            return
        verb, power = self.fields["do"].partition(" ")[0], chosen.one.power
        if verb in ("accept", "sure"):
            receipt = self._accept(chosen, sure=verb == "sure")
            self.done.append(f"{chosen.key} {receipt.code}")
            self.sets.remove(chosen)
            self.view = begun_view(self.request, self.view.key)
            for other in [one for one in self.sets if one.one.power == power]:  # retreats may come in a separate letter
                saved, kept = self._stored(power)
                self._put(other, saved=saved, kept=kept)
            messages.success(self.request, _("The orders for {power} are saved.").format(power=power))
        elif verb == "ask":
            self._put(chosen, draft=query(self.game, chosen.one))
        elif verb == "send":
            user, text = account(self.request), chosen.draft or ""
            correspondence.send(row_of(self.view), "", Press(text, [power]), user=user)
            messages.success(self.request, _("Your message to {power} has been sent.").format(power=power))
            self._put(chosen, draft=None)

    def _accept(self, chosen: WaitingSet, *, sure: bool) -> Receipt:
        """Save a set; unless `sure`, raise `Refused` if some lines are unclear or missing."""
        power, sheet = chosen.one.power, chosen.one.sheet.read_only
        if any(row.faulty for row in chosen.rows):
            what = _("The orders for {power} are not saved: a correction cannot be read.").format(power=power)
            raise Refused("bad-orders", what, _("correct or empty that field"))
        if chosen.doubtful and not sure:
            what = _("The orders for {power} are not saved: some lines are not clear.").format(power=power)
            raise Refused("lacking", what, _("correct their fields, or empty them to leave these lines out"))
        # orders for later phases alone do not touch those for this phase
        has_orders = sheet.lines() or not chosen.saved
        seen = read_number(self.fields.get(f"{chosen.key}-saved", "")) or 0
        how = Submission(posted_ordinal(self.request), sure=sure or not has_orders, based_on=seen)
        return override(row_of(self.view), power, sheet, account(self.request), how)

    def tell(self, refused: Refused) -> None:
        """Show why something was refused, beside the set concerned or else at the top."""
        chosen = self._chosen
        if chosen is None:
            messages.error(self.request, str(refused))
            return
        self._put(chosen, told=str(refused), lacks=self._lacks(chosen) if refused.code == "lacking" else None)

    def _lacks(self, chosen: WaitingSet) -> tuple[drafts.Lack, ...]:
        sheet = chosen.one.sheet.read_only
        with suppress(Refused):  # raised for an eliminated power
            return drafts.look_over(self.game, sheet.power, sheet).lacks
        return ()

    def _put(self, chosen: WaitingSet, **changes: Any) -> None:
        self.sets[self.sets.index(chosen)] = replace(chosen, **changes)

    @property
    def context(self) -> dict[str, object]:
        """Return the template context."""
        codes = [one.partition(" ")[2] for one in self.done]
        accepted = Receipt.objects.filter(table__key=self.view.key, code__in=codes).order_by("pk")
        return {
            "view": self.view, "sets": self.sets, "done": self.done, "pasted": self.pasted,
            "replaced": [one for one in self.desk.sets if one.replaced],
            "unread": [(_digest(letter.text), letter, why) for letter, why in self.desk.unread],
            "carried": _LETTERS.dump_json(self.letters).decode(),
            "receipts": [(one, receipts.text_of(one)) for one in accepted],
        }  # fmt: skip


def _key(one: DeskSet) -> str:
    """Return the key of a set in field names. It depends only on phase, power, sender and text of the letter."""
    return _digest(f"{one.phase} {one.power} {one.letter.sender} {one.letter.text}")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


def _new_letters(request: HttpRequest) -> list[Letter]:
    """Return the pasted and uploaded letters; raise `Refused` for other files and for too much data."""
    pasted = request.POST.get("text", "").replace("\r\n", "\n").strip()
    sources = [("", pasted.encode())] if pasted else []
    files = request.FILES.getlist("files")
    if sum(file.size or 0 for file in files) > LARGEST_UPLOAD:
        what = _("The files have more than {size} KiB together.").format(size=LARGEST_UPLOAD // 1024)
        raise Refused("too-large", what, _("send a part of them"))
    sources += [(file.name or "", file.read()) for file in files]
    for name, data in sources:
        if b"\0" in data:
            what = _("{name} is not a letter.").format(name=name or _("This"))
            raise Refused("unreadable", what, _("a mail (.eml), a mailbox (mbox) or a text (.txt)"))
    try:
        found = chain.from_iterable(letters_of(data, name) for name, data in sources)
        return list(islice(found, MOST_LETTERS + 1))
    except BadFile as error:
        raise Refused("too-large", str(error)) from None


def _carried(request: HttpRequest) -> tuple[Letter, ...]:
    """Return the letters that the page carried."""
    with suppress(ValidationError):
        letters = _LETTERS.validate_json(request.POST.get("letters", "") or "[]")
        if all(letter.sent is None or letter.sent.tzinfo for letter in letters):
            return letters
    raise Refused("unreadable", _("The letters on the page cannot be read."), _("read them again"))


@login_required
@require_http_methods(["GET", "POST"])
def letters_page(request: HttpRequest, key: str) -> HttpResponse:
    """Show the page; 404 unless the viewer is a Gamesmaster and the game is running."""
    view = begun_view(request, key)
    if not view.viewer.gm or view.sandbox or view.state in OVER:
        raise Http404
    page, status = LettersPage(request, view), 200
    try:
        if request.method == "POST":
            store.check_turn(row_of(view), posted_ordinal(request))
            page.read(_carried(request))
            page.add()
            page.act()
    except Refused as refused:
        page.tell(refused)
        status = refused.status
    return render(request, "gm/post.html", page.context, status=status)


urlpatterns: list[URLPattern] = [path("t/<slug:key>/gm/letters", letters_page, name="gm-letters")]
