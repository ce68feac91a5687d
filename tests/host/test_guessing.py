"""Guessed passwords and limits: they hold, are shared, cannot be flushed, and shut nobody out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import encrypt
from django.core.cache import cache, caches
from django.db import connections
from django.test import Client

from gamesmaster.host.models import SharedValue
from gamesmaster.host.site import limits
from gamesmaster.host.site.limits import SharedCache, tidy

from .conftest import person
from .test_accounts import PASSWORD, sign_in
from .test_second_factor import code_of

pytestmark = pytest.mark.django_db
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
FEW = limits.Limit("few", 3, 3600)


def tried(address: str, *, login: str = "zoe", password: str = "wrong-one", client: Client | None = None) -> bool:
    """Somebody tries a password; was it looked at?"""
    answer = (client or Client()).post("/accounts/login/", {"login": login, "password": password}, REMOTE_ADDR=address)
    return "Too many failed" not in answer.content.decode()


def test_a_rival_shuts_nobody_out() -> None:
    """Whatever a stranger tries, the owner gets in: from another network, and in a known browser even from there."""
    person("zoe", password=PASSWORD)
    mine = sign_in("zoe", Client(REMOTE_ADDR="198.51.100.3"))
    mine.post("/accounts/logout/")
    assert [tried("203.0.113.9") for _ in range(8)] == [True] * 5 + [False] * 3
    assert not tried("203.0.113.9", password=PASSWORD)
    sign_in("zoe", Client(REMOTE_ADDR="198.51.100.44"))
    mine.defaults["REMOTE_ADDR"] = "203.0.113.9"
    sign_in("zoe", mine)


def test_wrong_codes_shut_nobody_out() -> None:
    """Whoever has the password and tries codes is stopped, and the owner's browser still gets in."""
    zoe = person("zoe", password=PASSWORD)
    mine = sign_in("zoe")
    mine.post("/accounts/logout/")
    Authenticator.objects.create(user=zoe, type=Authenticator.Type.TOTP, data={"secret": encrypt(SECRET)})

    def looked_at(client: Client, code: str = "000000") -> bool:
        sign_in("zoe", client)
        answer = client.post("/accounts/2fa/authenticate/", {"code": code})
        return "Too many failed" not in answer.content.decode()

    strangers = [Client(REMOTE_ADDR=f"203.0.113.{number}") for number in range(8)]
    assert [looked_at(one) for one in strangers] == [True] * 5 + [False] * 3
    assert not looked_at(Client(REMOTE_ADDR="198.51.100.4"), code_of(SECRET))
    assert looked_at(mine)
    sign_in("zoe", mine)
    answer = mine.post("/accounts/2fa/authenticate/", {"code": code_of(SECRET)})
    assert (answer.status_code, "_auth_user_id" in mine.session) == (302, True)


def test_a_known_browser_may_not_guess_codes_for_ever() -> None:
    """Wrong codes in a browser that is known are counted, too."""
    zoe = person("zoe", password=PASSWORD)
    mine = sign_in("zoe")
    mine.post("/accounts/logout/")
    Authenticator.objects.create(user=zoe, type=Authenticator.Type.TOTP, data={"secret": encrypt(SECRET)})
    sign_in("zoe", mine)
    answers = [mine.post("/accounts/2fa/authenticate/", {"code": "000000"}).content.decode() for _ in range(12)]
    assert ["Too many failed" in answer for answer in answers] == [False] * 10 + [True] * 2


def test_name_and_address_are_one_account() -> None:
    """Whoever has used up the tries by name has none left by address."""
    person("zoe", password=PASSWORD)
    for _ in range(5):
        tried("203.0.113.9")
    assert not tried("203.0.113.9", login="ZOE@example.org", password=PASSWORD)


def test_a_name_that_nobody_has_is_counted_alike() -> None:
    """The limit tells nothing of whether there is such an account."""
    assert [tried("203.0.113.9", login="nobody") for _ in range(7)] == [True] * 5 + [False] * 2


def test_many_accounts_from_one_network() -> None:
    """Lists of stolen passwords are tried on many accounts: a network may fail so often, over all of them."""
    assert [tried("203.0.113.9", login=f"name{n}") for n in range(32)] == [True] * 30 + [False] * 2
    assert tried("203.0.113.10", login="name99")


def test_half_of_a_long_address_is_one_network() -> None:
    """Who has all addresses of a network of the newer kind has no more tries than others."""
    assert [tried(f"2001:db8::{n:x}", login="zoe") for n in range(1, 8)] == [True] * 5 + [False] * 2
    assert tried("2001:db8:0:1::1")


def test_a_known_browser_may_not_guess_for_ever() -> None:
    """The cookie of a known browser gives a way of its own, with a limit of its own; a changed one gives none."""
    person("zoe", password=PASSWORD)
    mine = sign_in("zoe", Client(REMOTE_ADDR="198.51.100.3"))
    mine.post("/accounts/logout/")
    assert [tried("203.0.113.9", client=mine) for _ in range(12)] == [True] * 10 + [False] * 2
    forged = Client()
    forged.cookies["device"] = mine.cookies["device"].value[:-2] + "xx"
    assert [tried("203.0.113.9", client=forged) for _ in range(6)] == [True] * 5 + [False]


def test_right_passwords_do_not_count() -> None:
    """Who signs in often has not failed."""
    person("zoe", password=PASSWORD)
    for _ in range(12):
        sign_in("zoe", Client(REMOTE_ADDR="203.0.113.9"))


def test_a_new_password_by_mail_opens_the_way() -> None:
    """Who has chosen a new password by mail is not kept waiting for what was tried before."""
    import re

    from django.core import mail

    from .test_accounts import delivered

    person("zoe", password=PASSWORD)
    for _ in range(6):
        tried("203.0.113.9")
    mine = Client(REMOTE_ADDR="203.0.113.9")
    mine.post("/accounts/password/reset/", {"email": "zoe@example.org"})
    delivered()
    (link,) = re.findall(r"/accounts/password/reset/key/\S+", str(mail.outbox[0].body))
    form = mine.get(link, follow=True).redirect_chain[-1][0]
    mine.post(form, {"password1": "another-secret-22", "password2": "another-secret-22"})
    sign_in("zoe", Client(REMOTE_ADDR="203.0.113.9"), password="another-secret-22")


def test_other_keys_flush_no_limit() -> None:
    """A spent limit stays spent, however many other keys are written."""
    assert [limits.spend(FEW, "me") for _ in range(5)] == [True] * 3 + [False] * 2
    SharedValue.objects.bulk_create([SharedValue(key=f":1:other{n}", value="1", ends=2**40) for n in range(2000)])
    for number in range(700):
        limits.spend(FEW, f"other {number}")
    assert not limits.spend(FEW, "me")


@pytest.mark.django_db(transaction=True)
def test_limits_are_shared_and_exact() -> None:
    """Of forty at once as many get through as may; a second cache, as of another process, has counted the same."""

    def once(_: int) -> bool:
        try:
            return limits.spend(FEW, "me")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(once, range(40))) == 3
    key = next(iter(SharedValue.objects.values_list("key", flat=True))).removeprefix(":1:")
    assert SharedCache("", {}).get(key) == 40


def test_the_cache_keeps_what_a_cache_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of JSON, ends, adding once, counting without a longer life, forgetting, tidying."""
    from gamesmaster.host.site import limits

    at = 1_000_000
    monkeypatch.setattr(limits, "_now", lambda: at)
    assert isinstance(caches["default"], SharedCache)
    assert cache.get("a", "none") == "none"
    cache.set("a", [1.5, "x"], 10)
    assert cache.get("a") == [1.5, "x"]
    assert not cache.add("a", 2, 10)
    assert cache.add("n", 1, 10)
    assert cache.incr("n", 4) == 5
    at += 10
    assert (cache.get("a"), cache.get("n")) == (None, None)
    with pytest.raises(ValueError, match="no number"):
        cache.incr("n")
    assert cache.add("a", True, None)
    assert cache.touch("a", 5)
    assert tidy(None) == 1
    at += 5
    assert not cache.touch("a", 5)
    assert cache.delete("a")
    assert not cache.delete("a")
