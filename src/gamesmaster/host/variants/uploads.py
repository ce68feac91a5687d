"""Variants of members: uploads and their checks, who may see a variant, copies, and removal.

An upload waits in the row of its variant. A job checks one upload at a time on the whole site, in a process of its own
(`checking`); what passes becomes an edition, which is never changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from gamesmaster.errors import BadFile
from gamesmaster.host.accounts.people import is_moderator, must_keep_order
from gamesmaster.host.games import hosting
from gamesmaster.host.site import clock, jobs, names
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import notifications, outbox, shelf, store
from gamesmaster.host.tables.models import KeptEdition, Table
from gamesmaster.host.tables.notifications import Notification
from gamesmaster.host.tables.outbox import Post
from gamesmaster.host.tables.shelf import OwnVariant, Shown
from gamesmaster.host.tables.view import in_site_language
from gamesmaster.host.variants import checking
from gamesmaster.host.variants.checking import Fault, Question, Report
from gamesmaster.testing import SCENARIOS
from gamesmaster.unpacking import LARGEST_UPLOAD, MOST_FILES, check_name, pack, unzip
from gamesmaster.variant import VARIANT, Variant, edition_of

MOST_OWN = 20
"""Variants of one member."""
MOST_WAITING = 3
"""Uploads of one member that wait for their check."""
MOST_EDITIONS = 99
CHECKS = "variant checks"
LEASE = 3.0 * checking.SECONDS


@dataclass(frozen=True, slots=True)
class Sent:
    """An upload: its file's name, its bytes, and the id of the variant that is meant, if it is a pack."""

    name: str
    data: bytes
    only: str = ""


def upload(user: User, files: Mapping[str, bytes], to: OwnVariant | None = None, only: str = "") -> OwnVariant:
    """Keep an upload for its check: a new variant, or the next edition of `to`; raise `Refused`.

    `only` is the id of the variant that is meant, in a pack of another program.
    """
    _check_open()
    sent = Sent(*_one(files), only)
    if to is None:
        return _new(user, sent)
    must_own(to, user)
    if to.number >= MOST_EDITIONS:
        raise Refused("too-many", _("This variant has too many editions."), _("upload it as a new one"))
    _check_waiting(user, but=to)
    _wait(to, sent)
    return to


@transaction.atomic
def choose(row: OwnVariant, user: User, ids: Sequence[str]) -> None:
    """Check the variants of a pack that its owner has chosen, by their ids; raise `Refused`.

    Each becomes a variant by itself, and the pack stays. A pack that was uploaded as the next edition of a variant is
    that of the one chosen.
    """
    _check_open()
    must_own(row, user)
    offered = {one["id"] for one in row.pack if not one["fault"]}
    most = 1 if row.digest else MOST_WAITING
    if not ids or not offered.issuperset(ids):
        raise Refused("no-choice", _("Please choose one of the options shown."))
    if len(ids) > most:
        what = ngettext("Choose {n} variant at a time.", "Choose up to {n} variants at a time.", most).format(n=most)
        raise Refused("too-many", what)
    for only in dict.fromkeys(ids):
        sent = Sent(row.file, bytes(row.upload), only)
        if row.digest:
            _wait(row, sent)
        else:
            _new(user, sent)


def takes_uploads() -> bool:
    """Return whether members may upload variants on this site."""
    return bool(settings.UPLOADS == "members")


def _check_open() -> None:
    if not takes_uploads():
        raise Refused("refused", _("Nobody can upload variants on this site."))


def _new(user: User, sent: Sent, parent: OwnVariant | None = None, address: str = "") -> OwnVariant:
    if shelf.of_member(user).count() >= MOST_OWN:
        raise Refused("too-many", _("You have too many variants on this site."), _("remove one that you do not need"))
    _check_waiting(user)
    made = OwnVariant(owner=user, parent=parent, parent_address=address, made=clock.now())
    _wait(made, sent)
    store.audit(user, gettext_lazy("uploaded a variant: {key}"), None, made.made, key=made.key)
    return made


def _check_waiting(user: User, but: OwnVariant | None = None) -> None:
    waiting = shelf.of_member(user).filter(sent__isnull=False).exclude(pk=but.pk if but else 0)
    if waiting.count() >= MOST_WAITING:
        raise Refused("too-many", _("Your other uploads are still being checked."), _("wait until they are done"))


def _wait(row: OwnVariant, sent: Sent) -> None:
    row.file, row.upload, row.only, row.sent = sent.name[:100], sent.data, sent.only, clock.now()
    row.findings, row.remarks, row.pack = [], [], []
    with transaction.atomic():
        changed = ["file", "upload", "only", "sent", "findings", "remarks", "pack"]
        row.save(update_fields=changed if row.pk else None)
        jobs.ask(CHECKS, row.sent)


def _one(files: Mapping[str, bytes]) -> tuple[str, bytes]:
    """Return the name and the bytes of an upload: those of its only file, or a zip of several; raise `Refused`."""
    try:
        if not files:
            raise BadFile(_("Choose a file to upload."))
        if len(files) > MOST_FILES or sum(map(len, files.values())) > LARGEST_UPLOAD:
            raise BadFile(_("That is more than an upload may have."))
        for name in files:
            check_name(name)
    except BadFile as fault:
        raise Refused("refused", fault.what, fault.hint) from None
    name, data = next(iter(files.items()))
    return (name, data) if len(files) == 1 else (_("{many} files").format(many=len(files)), pack(files))


# -- checks ------------------------------------------------------------------------------------------------------------


def check_next(_subject: int, _now: datetime) -> bool:
    """Check the upload that has waited longest, and return whether others wait (job)."""
    waiting = OwnVariant.objects.filter(sent__isnull=False, removed=False).order_by("sent", "pk")
    row = waiting.first()
    if row is None:
        return False
    question = Question(row.file, row.key, row.name, row.number, row.only)
    report = _with_names(checking.ask(question, bytes(row.upload)))
    with transaction.atomic():
        mine = OwnVariant.objects.select_for_update().filter(pk=row.pk, sent=row.sent).first()
        if mine is not None:
            _settle(mine, report, clock.now())
    return waiting.exists()


def _with_names(report: Report) -> Report:
    """Return the report with a finding for each name that readers cannot see, or take for the Gamesmaster's."""
    faults = []
    for word in dict.fromkeys(report.words):
        what = names.name_fault(word) or (
            _("A name must not pose as the Gamesmaster's.") if hosting.poses(word) else ""
        )
        if what:
            faults.append(Fault("error", f"{VARIANT}, {word[:40]!r}", what, _("choose another name")))
    return Report((*faults, *report.findings), report.remarks) if faults else report


def _settle(row: OwnVariant, report: Report, now: datetime) -> None:
    """Note what came of a check; what passed is the present edition from now on."""
    if report.passed:
        kept = KeptEdition.objects.filter(pk=report.digest).first()
        if kept is not None and bytes(kept.archive) != report.archive:  # the same game with another map or rulebook
            row.number += 1
            row.save(update_fields=["number"])
            return  # it is checked again, under an id of its own
        if kept is None:
            KeptEdition.objects.create(digest=report.digest, family=report.name, archive=report.archive, kept=now)
        if report.digest != row.digest and row.shown == Shown.LISTED:
            row.shown = Shown.ASKED  # a moderator has not seen this one
        row.name = row.name or report.name
        row.title, row.edition, row.digest = report.title[:80], report.name, report.digest
        _forget_editions(row)
    row.findings, row.remarks = [asdict(one) for one in report.findings], list(report.remarks)
    row.pack = [asdict(one) for one in report.choices]
    row.upload = row.upload if row.pack else b""
    if report.passed:
        row.beside = report.beside
    elif row.pack:
        row.beside = pack(_kept(bytes(row.beside)) | _kept(report.beside))
    row.sent, row.checked = None, now
    row.save()
    _tell_owner(row, now, "variant_pack" if row.pack else "variant_passed" if report.passed else "variant_failed")


@in_site_language
def _tell_owner(row: OwnVariant, now: datetime, name: str) -> None:
    """Notify the owner of an upload that its check is over, by the notification of that name."""
    if row.owner is None or row.removed:
        return
    url = f"{settings.BASE_URL}{reverse('own-variant', args=[row.key])}"
    subject, body = notifications.compose(name, name=row.title, file=row.file, url=url)
    outbox.send([Post(row.owner, Notification(notifications.TEMPLATES[name].event, subject, body))], now)


def _forget_editions(row: OwnVariant) -> None:
    """Delete former editions on which no game was begun."""
    former = KeptEdition.objects.filter(family__startswith=row.name).exclude(pk=row.digest)
    for edition in former.defer("archive"):
        if not Table.objects.filter(variant__startswith=edition.family).exists():
            edition.delete()


# -- what owners and moderators do ----------------------------------------------------------------------------------


def must_own(row: OwnVariant, user: User) -> None:
    """Raise `Refused` unless this person is the owner."""
    if row.owner_id != user.pk or row.removed:
        raise Refused("bad-variant", _("There is no such variant."))


def show(row: OwnVariant, user: User, shown: str) -> None:
    """Change who may see a variant: its owner may, and a moderator lists it or turns it down; raise `Refused`."""
    if shown not in Shown.values or not row.digest:
        raise Refused("no-choice", _("Please choose one of the options shown."))
    if shown == Shown.LISTED or row.owner_id != user.pk:
        must_keep_order(user)
        if row.shown == Shown.PRIVATE:
            raise Refused("refused", _("Its owner has not asked for that."))
    row.shown = shown
    row.save(update_fields=["shown"])
    store.audit(user, gettext_lazy("variant {name}: {shown}"), None, clock.now(), name=row.name, shown=shown)


def asked() -> list[OwnVariant]:
    """Return the variants that wait for a moderator's look."""
    found = OwnVariant.objects.defer("upload", "beside").filter(shown=Shown.ASKED, removed=False).exclude(digest="")
    return list(found.select_related("owner").order_by("checked"))


def remove(row: OwnVariant, user: User) -> None:
    """Remove a variant, as its owner or a moderator; games on it go on. Raise `Refused` for anybody else."""
    if row.owner_id != user.pk and not (is_moderator(user) and row.shown != Shown.PRIVATE):
        raise Refused("bad-variant", _("There is no such variant."))
    store.audit(user, gettext_lazy("removed a variant: {key}"), None, clock.now(), key=row.key)
    shelf.remove(row)


def copy(variant: Variant, user: User) -> OwnVariant:
    """Begin a new variant of a person with the files of another one; raise `Refused`."""
    _check_open()
    found = shelf.own(variant.id)
    return _new(user, Sent(f"{variant.family}.zip", archive(variant, own=True)), found, variant.address)


def archive(variant: Variant, *, own: bool = False) -> bytes:
    """Return a zip of the files of a variant; `own`: under an id that is not that of the original."""
    files = dict(edition_of(variant).files)
    if own:
        files[VARIANT] = checking.with_id(files[VARIANT], checking.own_id(variant.family))
    kept = {name: text.encode() for name, text in files.items() if name in checking.KEPT_FILES}
    found = shelf.own(variant.id)
    cases = beside(found, SCENARIOS) if found and found.edition == variant.family else b""
    return pack(kept | ({SCENARIOS: cases} if cases else {}))


def beside(row: OwnVariant, name: str) -> bytes:
    """Return a picture, or the worked cases, kept beside the edition of a variant; b"" if it has none."""
    return _kept(bytes(row.beside), [name]).get(name, b"")


def _kept(data: bytes, wanted: Sequence[str] = ()) -> dict[str, bytes]:
    """Return the wanted files of a zip of this site, all by default."""
    if not data:
        return {}
    return {name: content for name, content in unzip(data, "what is kept").items() if name in wanted or not wanted}
