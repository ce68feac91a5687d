from __future__ import annotations
import time
import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.test import Client
from .conftest import age, person
from .test_accounts import PASSWORD, sign_in
from .test_confirming import found, is_asked, by_mail, asked, send_code, confirm, provider, SECRET, mailed, CODE_PAGE
from .test_sign_up import back_from
pytestmark = pytest.mark.django_db

def test_password_against_factor():
    zoe = person("zoe", password=PASSWORD)
    Authenticator.objects.create(user=zoe, type="totp", data={"secret": SECRET})
    c = found(zoe)
    print(asked(c, "/accounts/2fa/totp/deactivate/", {}))
    r = c.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/accounts/2fa/totp/deactivate/"})
    print(r.status_code, r.headers.get("Location"), Authenticator.objects.count())

def test_code_after_factor_elsewhere():
    zoe = by_mail()
    c = found(zoe)
    code = send_code(c)
    Authenticator.objects.create(user=zoe, type="totp", data={"secret": SECRET})
    confirm(c, code)
    print("asked", is_asked(c))

def test_auth_time_text(provider):
    u = User.objects.create_user("zoe", "zoe@example.org"); SocialAccount.objects.create(user=u, provider="house", uid="77")
    for t in ("1000", "x", True, [1], None, float("1e300"), -1):
        provider.false = {"auth_time": t}
        c = Client()
        back_from(c, c.post("/accounts/oidc/house/login/"))
        print(repr(t), "asked", is_asked(c))

def test_params(provider):
    u = User.objects.create_user("zoe", "zoe@example.org"); SocialAccount.objects.create(user=u, provider="house", uid="77")
    c = found(u)
    r = c.post("/accounts/oidc/house/login/?auth_params=max_age%3D99999%26prompt%3Dnone%26redirect_uri%3Dhttps://evil.example%26state%3Dx%26client_id%3Dy&scope=all", {"process": "redirect", "next": "/me"})
    print(r.headers["Location"])

def test_unverified_reset(monkeypatch):
    zoe = by_mail()
    c = found(zoe)
    # HEAD and other methods
    for m in ("head", "options", "put", "delete", "patch"):
        for path in ("/me/data", "/me/data.json", "/me/tokens/", "/me/security/end", "/accounts/password/set/", "/accounts/2fa/totp/activate/", "/accounts/2fa/recovery-codes/", "/accounts/email/", "/accounts/3rdparty/"):
            c.raise_request_exception = False
            r = getattr(c, m)(path)
            if r.status_code not in (302, 405, 404): print(m, path, r.status_code)
    # method override headers
    r = c.post("/me/data", {"sure": "yes"}, HTTP_X_HTTP_METHOD_OVERRIDE="GET"); print(r.status_code)
    for path in ("/accounts/social/connections/", "/accounts/social/signup/", "/accounts/3rdparty/signup/", "/accounts/2fa/trust/", "/accounts/login/code/confirm/", "/accounts/login/code/", "/accounts/2fa/webauthn/login/", "/accounts/2fa/webauthn/signup/", "/accounts/sessions/", "/accounts/", "/accounts/inactive/", "/accounts/2fa/authenticate/", "/accounts/signup/", "/accounts/3rdparty/login/error/", "/accounts/reauthenticate/code/confirm/"):
        r = c.get(path); r2 = c.post(path, {"session": "others", "email": "t@example.org", "username": "x"})
        print(path, r.status_code, r.headers.get("Location"), r2.status_code, r2.headers.get("Location"))
