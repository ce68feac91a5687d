"""Votes on the page of a table: what is proposed, what the viewer may propose, and the vote itself."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from gamesmaster.host.errors import Refused
from gamesmaster.host.service import votes
from gamesmaster.host.service.ballots import QUESTIONS, TITLES
from gamesmaster.host.service.viewing import BallotView, TableView, row_of
from gamesmaster.host.views.asking import person, refused_back
from gamesmaster.host.views.settings_told import BALLOTS, BOTS_AGREE
from gamesmaster.host.views.table_answers import begun
from gamesmaster.host.wording import length_words


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal as it is shown: `final` ones are confirmed before they are agreed to; `how` is how many must agree."""

    ballot: BallotView
    final: bool
    how: str


@dataclass(frozen=True, slots=True)
class Panel:
    """What there is to vote on: the proposals, and what the viewer (`power`, empty for who has no vote) may propose.

    `now` are the questions of time as kind and words; `winners` those to whom the viewer may concede, `sharing` those
    among whom a draw may be, empty where all survivors share it.
    """

    proposals: tuple[Proposal, ...]
    power: str
    now: tuple[tuple[str, str], ...]
    winners: tuple[str, ...]
    sharing: tuple[str, ...]
    policy: str
    bots: str


def panel(view: TableView) -> Panel | None:
    """The votes of a table as its viewer may know them; None where there is nothing to vote on."""
    if view.sandbox or not view.begun or view.outcome or view.state not in QUESTIONS["end"].states:
        return None
    game = view.bare_game
    power = next((p for p in view.viewer.powers if p in game.survivors and p not in game.disorder), "")
    bots = any(seat.bot or seat.player == "hidden" for seat in view.seats)
    length = length_words(view.settings.extension)
    kinds = [k for k, q in QUESTIONS.items() if k != "end" and not q.final and view.state in q.states]
    return Panel(
        proposals=tuple(_proposal(ballot) for ballot in view.ballots),
        power=power,
        now=tuple((k, _words(k, length)) for k in kinds if k != "extend" or view.deadline is not None),
        winners=tuple(p for p in game.survivors if p != power or p in game.asked((p,))),
        sharing=game.survivors if game.house_rules.draw_shares == "any_group" else (),
        policy=str(BALLOTS[game.house_rules.votes]),
        bots=str(BOTS_AGREE[view.settings.bots_agree]) if bots else "",
    )


def _proposal(ballot: BallotView) -> Proposal:
    question = QUESTIONS[ballot.kind]
    if ballot.needed is None:
        how = _("All who are asked must agree.") if question.final else _("Two thirds of the players must agree.")
    elif ballot.count is None:
        how = ngettext("{number} player must agree.", "{number} players must agree.", ballot.needed).format(
            number=ballot.needed
        )
    else:
        how = _("{count} of {needed} agree.").format(count=ballot.count, needed=ballot.needed)
    return Proposal(ballot, question.final, how)


def _words(kind: str, length: str) -> str:
    title = str(TITLES[kind])
    return f"{title} ({length})" if kind == "extend" else title


def _back(request: HttpRequest, key: str) -> str:
    return reverse("table", args=[key]) + "#votes"


@require_POST
@refused_back(_back)
def vote(request: HttpRequest, key: str) -> HttpResponse:
    """Vote for something (`kind`, with `winners` for an end of the game), or take that back (`wanted=0`).

    What cannot be taken back once it carries is asked for twice: it wants `sure=yes`.
    """
    view = begun(request, key)
    post, row = request.POST, row_of(view)
    kind, wanted = post.get("kind", ""), post.get("wanted", "1") == "1"
    if kind in QUESTIONS and QUESTIONS[kind].final and wanted and post.get("sure") != "yes":
        raise Refused("not-sure", _("Your vote was not counted."), _("tick the box to confirm it"))
    told_ = post.get("ordinal", "")
    ordinal = int(told_) if told_.isascii() and told_.isdigit() and len(told_) < 7 else -1
    power, user = post.get("power", ""), person(request)
    if kind == "end":
        winners = _winners(view, post.getlist("winners")) if wanted else []
        carried = votes.cast(row, power, winners, ordinal=ordinal, user=user)
    else:
        carried = votes.wish(row, power, kind, wanted, ordinal=ordinal, user=user)
    said = (
        _("Your vote was the last one needed.")
        if carried
        else _("Your vote has been saved.")
        if wanted
        else _("Your vote has been withdrawn.")
    )
    messages.success(request, said)
    return redirect("table", key=key) if carried else redirect(_back(request, key))


def _winners(view: TableView, named: list[str]) -> list[str]:
    """The powers named, all survivors for the word `all`; raises `Refused` for none."""
    winners = list(view.bare_game.survivors) if named == ["all"] else [name for name in named if name]
    if not winners:
        raise Refused("no-winner", _("Your vote was not counted."), _("choose the powers that share the draw"))
    return winners
