"""The settings of the Django project, from environment variables or `settings.env` in the data folder.

The environment wins over the file. docs/hosting.md lists all variables.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from gamesmaster.host.site.places import (
    data_folder,
    database,
    languages,
    load_settings,
    providers,
    read_secret,
    served_address,
    servers,
)

load_settings()
VARIABLES: dict[str, str] = {}
"""Values of all variables read so far; empty for those that are not set."""


def _read_setting(name: str, default: str = "") -> str:
    VARIABLES[f"GAMESMASTER_{name}"] = os.environ.get(f"GAMESMASTER_{name}", "").strip()
    return os.environ.get(f"GAMESMASTER_{name}", default).strip()


def _truly(name: str) -> bool:
    return _read_setting(name).casefold() in ("1", "yes", "true", "on")


DATA = data_folder()
SECRET_KEY = read_secret()
DEBUG = False
BASE_URL = _read_setting("BASE_URL", served_address()).rstrip("/")
_base = urlsplit(BASE_URL)
ALLOWED_HOSTS = [h for h in _read_setting("ALLOWED_HOSTS").split(",") if h] or [
    _base.hostname or "localhost", "localhost", "127.0.0.1", "[::1]",
]  # fmt: skip
CSRF_TRUSTED_ORIGINS = [f"{_base.scheme}://{_base.netloc}"]

INSTALLED_APPS = [
    "gamesmaster.host.apps.HostConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "django_htmx",
    "ninja",  # Swagger UI for the API
]
MIDDLEWARE = [
    "gamesmaster.host.operations.health.time_answers",
    "gamesmaster.host.web.middleware.known_ports",
    "django.middleware.security.SecurityMiddleware",
    "gamesmaster.host.web.middleware.whole_files",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "gamesmaster.host.web.middleware.house_headers",
    "gamesmaster.host.web.middleware.closed_api",
    "gamesmaster.host.web.middleware.busy_database",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "gamesmaster.host.moderation.oversight.note_address",
    "gamesmaster.host.accounts.signing_in.keep_device",
    "gamesmaster.host.web.middleware.own_time",
    "django.contrib.messages.middleware.MessageMiddleware",
    "gamesmaster.host.accounts.signing_in.require_second_factor",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
ROOT_URLCONF = "gamesmaster.host.urls"
ASGI_APPLICATION = "gamesmaster.host.asgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": sorted(Path(__file__).parent.glob("*/templates")),  # of each feature
        "APP_DIRS": True,  # this app's come first, since it is listed first
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "gamesmaster.host.web.middleware.house",
            ]
        },
    }
]

DATABASES = {"default": database(_read_setting("DATABASE_URL"), DATA)}
CACHES = {
    "default": {"BACKEND": "gamesmaster.host.site.limits.SharedCache"},
    # per process, for values that can be recomputed
    "local": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "gamesmaster.host.accounts.signing_in.OnceBackend",
]
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
AUTH_PASSWORD_VALIDATORS.append({"NAME": "gamesmaster.host.accounts.sign_up.OwnWords"})
if _read_setting("BREACHED_PASSWORDS"):
    AUTH_PASSWORD_VALIDATORS.append(
        {
            "NAME": "gamesmaster.host.accounts.sign_up.Breached",
            "OPTIONS": {"address": _read_setting("BREACHED_PASSWORDS")},
        }
    )
ACCOUNT_ADAPTER = "gamesmaster.host.accounts.adapters.Accounts"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_FORMS = {
    what: f"gamesmaster.host.accounts.views.{form}"
    for what, form in {
        "login": "SignInForm",
        "signup": "SignUpForm",
        "add_email": "AddEmailForm",
        "change_password": "ChangePasswordForm",
        "set_password": "SetPasswordForm",
        "reset_password": "ResetPasswordForm",
        "reset_password_from_key": "ResetPasswordKeyForm",
        "reauthenticate": "ReauthenticateForm",
        "confirm_reauthentication_code": "MailedCodeForm",
    }.items()
}
MFA_FORMS = {
    what: f"gamesmaster.host.accounts.views.{form}"
    for what, form in {
        "authenticate": "CodeForm",
        "reauthenticate": "ReauthenticateCodeForm",
        "activate_totp": "AddAppForm",
        "add_webauthn": "AddKeyForm",
        "edit_webauthn": "EditKeyForm",
    }.items()
}
SOCIALACCOUNT_FORMS = {"disconnect": "gamesmaster.host.accounts.views.DisconnectForm"}
SIGN_UP = _read_setting("SIGN_UP", "open")
SIGN_UP_SECONDS = 2  # minimum time in which a person fills in the form
SOCIALACCOUNT_ADAPTER = "gamesmaster.host.accounts.adapters.Providers"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "APPS": providers(_read_setting("PROVIDERS")),
        "provider_class": "gamesmaster.host.accounts.adapters.NamedProvider",
    }
}
SIGN_IN_SERVERS = servers(_read_setting("PROVIDERS"))
SOCIALACCOUNT_AUTO_SIGNUP = False  # everybody chooses a name, by the rules of this site
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False  # an address from a provider opens no existing account
ACCOUNT_EMAIL_NOTIFICATIONS = True  # the account's address is notified of changes
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # nothing is sent to an unconfirmed address
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60  # seconds
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 10 * 60  # seconds for which a mailed code is valid
ACCOUNT_RATE_LIMITS = {  # guessed passwords and mails per address have limits in `accounts.adapters`
    "login": "60/5m/ip",
    "signup": "10/h/ip,30/d/ip",
    "reset_password": "20/h/ip",
    "confirm_email": "1/3m/key",
    "request_login_code": "",  # mailed codes have limits in `accounts.adapters`
    "change_password": "",  # like "reauthenticate"
    "reauthenticate": "",  # counts by account alone; wrong passwords and codes are counted as at sign-in
    "login_failed": "",  # counts by account alone; `signing_in` counts known browsers by themselves
}
SECOND_FACTOR = _read_setting("SECOND_FACTOR", "optional")
if SECOND_FACTOR not in ("optional", "staff", "all"):
    raise ImproperlyConfigured(f"GAMESMASTER_SECOND_FACTOR is {SECOND_FACTOR!r}; it may be optional, staff or all")
MFA_SUPPORTED_TYPES = ["webauthn", "totp", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_TOTP_ISSUER = "Gamesmaster"
MFA_TOTP_TOLERANCE = 1  # clocks of phones are some seconds off
MFA_ADAPTER = "gamesmaster.host.accounts.signing_in.SecondFactors"
MFA_ALLOW_UNVERIFIED_EMAIL = True  # a site without mail cannot confirm addresses
ACCOUNT_PREVENT_ENUMERATION = "strict"  # sign-up, too, gives the same answer for known addresses
LOGIN_REDIRECT_URL = "/games"

LANGUAGE_CODE = _read_setting("LANGUAGE", "en-gb").casefold().replace("_", "-")
LOCALE_PATHS = [DATA / "locale"]  # an admin's own translations; the app's are found with it
LANGUAGES = languages(*LOCALE_PATHS, Path(__file__).with_name("locale"))
if LANGUAGE_CODE not in dict(LANGUAGES):
    raise ImproperlyConfigured(
        f"GAMESMASTER_LANGUAGE is {LANGUAGE_CODE!r}, but the site speaks {', '.join(dict(LANGUAGES))}"
    )
TIME_ZONE = "UTC"
STATIC_URL = "static/"
STATIC_ROOT = DATA / "static"
WHITENOISE_USE_FINDERS = True

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _base.scheme == "https"
# browsers accept cookies with this prefix from this exact host over HTTPS only
COOKIE_PREFIX = "__Host-" if SESSION_COOKIE_SECURE else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid", f"{COOKIE_PREFIX}csrftoken"
CSRF_FAILURE_VIEW = "gamesmaster.host.site.refusals.stale_form"
MESSAGE_STORAGE = "gamesmaster.host.web.middleware.Messages"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _truly("BEHIND_PROXY") else None
# HTTPS ends at a proxy; redirect to it only if the proxy says how the client connected
SECURE_SSL_REDIRECT = _base.scheme == "https" and SECURE_PROXY_SSL_HEADER is not None
# the first two are called from the machine itself; an API client that sends a token unencrypted must get an error
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$", r"^api/"]
SECURE_HSTS_SECONDS = int(_read_setting("HSTS_SECONDS", str(365 * 24 * 3600))) if _base.scheme == "https" else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS, SECURE_HSTS_PRELOAD = _truly("HSTS_SUBDOMAINS"), _truly("HSTS_PRELOAD")
SILENCED_SYSTEM_CHECKS = [
    "security.W005",
    "security.W021",
]  # other names of the domain are beyond this site's control
NOTE_ADDRESSES = _read_setting("NOTE_ADDRESSES", "yes").casefold() not in ("0", "no", "false", "off")
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
MOST_BODY = DATA_UPLOAD_MAX_MEMORY_SIZE + 64 * 1024  # larger requests are not even received
METRICS_TOKEN = _read_setting("METRICS_TOKEN")

MAIL_DOMAIN = _read_setting("MAIL_DOMAIN", _base.hostname or "localhost")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if _read_setting('MAIL_HOST') else 'dummy'}.EmailBackend"
EMAIL_HOST = _read_setting("MAIL_HOST")
EMAIL_PORT = int(_read_setting("MAIL_PORT", "25"))
EMAIL_HOST_USER = _read_setting("MAIL_USER")
EMAIL_HOST_PASSWORD = _read_setting("MAIL_PASSWORD")
EMAIL_USE_TLS = _truly("MAIL_TLS")
EMAIL_TIMEOUT = 20
MAILS_PER_PERSON = int(_read_setting("MAILS_PER_PERSON", "200"))  # a day
MAILS_PER_HOUR = int(_read_setting("MAILS_PER_HOUR", "5000"))
DEFAULT_FROM_EMAIL = _read_setting("MAIL_FROM", f"Gamesmaster <gamesmaster@{MAIL_DOMAIN}>")

VARIANTS = _read_setting("VARIANTS")  # a folder of the operator's own variants
UPLOADS = _read_setting("UPLOADS", "members")
if UPLOADS not in ("members", "nobody"):
    raise ImproperlyConfigured(f"GAMESMASTER_UPLOADS is {UPLOADS!r}; it may be members or nobody")
PRESS_HOLD = int(_read_setting("PRESS_HOLD", "20"))  # seconds in which a letter can be taken back

SECURITY_CONTACTS = [one.strip() for one in _read_setting("SECURITY_CONTACT").split(",") if one.strip()]
BACKUP_KEYS = [key.strip() for key in _read_setting("BACKUP_KEY").split(",") if key.strip()]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "gamesmaster.host.site.logs.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
    "root": {"handlers": ["stderr"], "level": _read_setting("LOG_LEVEL", "INFO")},
    "loggers": {"django.request": {"level": "ERROR"}, "uvicorn": {"level": "WARNING"}},
}
