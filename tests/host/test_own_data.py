"""What is kept of a person is told whole, and goes with the account; no model is forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from gamesmaster.host.accounts import people as accounts
from gamesmaster.host.accounts.tokens import make_token
from gamesmaster.host.models import AuditLine, Message, OutMail, SignUp, WebHook
from gamesmaster.host.moderation import oversight
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.profiles import own_data
from gamesmaster.host.tables import outbox
from gamesmaster.host.tables.outbox import AnswerMail

from .conftest import NOW, people, person, power_of, running
from .test_accounts import PASSWORD, sign_in

pytestmark = pytest.mark.django_db


def links() -> Iterator[tuple[str, models.Field]]:  # type: ignore[type-arg]
    """Every field of the database that points to an account, or from it."""
    for model in apps.get_models():
        for field in (*model._meta.fields, *model._meta.many_to_many):
            if field.related_model is User or (model is User and field.many_to_many):
                yield f"{model._meta.label}.{field.name}", field


def test_no_link_to_an_account_is_forgotten() -> None:
    """Whatever hangs on an account is told in the file, or listed with the reason; and nothing outlives it by name."""
    found = dict(links())
    known = {**own_data.EXPORTED, **own_data.NOT_EXPORTED}
    assert sorted(set(found) - set(known)) == []
    assert sorted(own_data.EXPORTED.keys() - found.keys()) == []
    assert all(own_data.NOT_EXPORTED.values())
    for name, field in found.items():
        if isinstance(field, models.ForeignKey):
            assert field.remote_field.on_delete in (models.CASCADE, models.SET_NULL), name
    assert set(own_data.EXPORTED.values()) <= set(own_data.export(people(1)[0]))


def filled() -> User:
    """Somebody of whom much is kept."""
    user, other = person("zqzoe", password=PASSWORD), person("ann")
    sign_in("zqzoe")
    table = running([user, other])
    make_token(user, "my-zq-bot", ["read"], NOW)
    WebHook.objects.create(table=table, owner=user, url="https://zq.example.org/", secret="s", made=NOW)
    submission.submit(table, power_of(table, user), [], Submission(0), user=user, now=NOW)
    outbox.answer(user, AnswerMail("zq-subject", "zq-body", "k"), NOW)
    admin = User.objects.create_superuser("boss")
    accounts.set_moderator(user, admin, wanted=True, now=NOW)
    oversight.complain(user, "other", "zq-complaint", now=NOW)
    oversight.suspend(other, user, wanted=True, now=NOW)
    SignUp.objects.create(email="zqzoe@example.org", name="x", made=NOW)
    return user


def test_the_file_has_everything() -> None:
    """Tokens, hooks, games made, mails, sign-ins, sessions, the log: all of it, and no secret of a token or hook."""
    told = own_data.export(filled())
    text = json.dumps(told)
    for word in (
        "my-zq-bot",
        "zq.example.org",
        "zq-subject",
        "zq-body",
        "zq-complaint",
        "suspended: ann",
        "moderators",
    ):
        assert word in text, word
    for part in (
        "tokens",
        "hooks",
        "games_made",
        "mails",
        "sign_ins",
        "sessions",
        "log",
        "addresses_of_mail",
        "receipts",
    ):
        assert told[part], part
    assert "token_hash" not in text
    assert '"secret"' not in text


def test_nothing_is_left_of_a_deleted_account() -> None:
    """No row of the database has the name, the address or the number of somebody who has gone."""
    user = filled()
    number = user.pk
    own_data.forget(user, now=NOW)
    for model in apps.get_models():
        mails = model is OutMail  # what others were written is theirs, for the weeks that mails are kept
        for row in model._default_manager.values(*(["to", "subject"] if mails else [])):
            words = json.dumps(row, default=str)
            assert "zqzoe" not in words, (model, row)
    for name, field in links():
        if isinstance(field, models.ForeignKey):
            assert not field.model._default_manager.filter(**{field.name: number}).exists(), name
    assert not Session.objects.exists()
    assert not EmailAddress.objects.filter(email__startswith="zq").exists()
    assert not OutMail.objects.filter(to__startswith="zq").exists()
    assert AuditLine.objects.filter(what=f"made a moderator: {own_data.GONE}").count() == 1


def test_as_many_queries_for_many_games() -> None:
    """The file of somebody with five games asks the database as often as that of somebody with one."""
    users = people(2)
    own_data.export(users[0])  # makes the profile
    counts = []
    for games in (1, 4):
        for _ in range(games):
            table = running(users)
            submission.submit(table, power_of(table, users[0]), [], Submission(0), user=users[0], now=NOW)
            power = power_of(table, users[0])
            Message.objects.create(table=table, ordinal=0, sender=power, shown_as=power, to=[], text="x", sent_at=NOW)
        user = User.objects.select_related("profile").get(pk=users[0].pk)
        with CaptureQueriesContext(connection) as asked:
            told = own_data.export(user)
        counts.append(len(asked))
    assert len(told["press"]) == 5  # type: ignore[arg-type]
    assert counts[0] == counts[1], counts
