"""The settings of the Django project; all that may differ comes from environment variables.

| variable | | |
| --- | --- | --- |
| `GAMESMASTER_DATA` | the data folder | `gamesmaster-data` |
| `GAMESMASTER_DATABASE_URL` | `postgres://user:password@host:port/name` | SQLite in the data folder |
| `GAMESMASTER_SECRET` | what everything is signed with | the file `secret` in the data folder |
| `GAMESMASTER_BASE_URL` | how the site is reached from outside | `http://127.0.0.1:8000` |
| `GAMESMASTER_ALLOWED_HOSTS` | names it answers to, joined by commas | that of the base URL and the loopback's |
| `GAMESMASTER_BEHIND_PROXY` | `yes`: a server of the house stands before it, and tells who asks | no |
| `GAMESMASTER_NOTE_ADDRESSES` | `no`: no hashes of addresses are kept for moderators | yes |
| `GAMESMASTER_MAIL_HOST`, `_PORT`, `_USER`, `_PASSWORD`, `_TLS` | where mail goes out | nowhere |
| `GAMESMASTER_MAIL_FROM` | the sender | `gamesmaster@` the base URL's name |
| `GAMESMASTER_MAIL_DOMAIN` | where players write to | the base URL's name |
"""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from gamesmaster.host.database import database
from gamesmaster.host.places import data_folder, read_secret


def _told(name: str, default: str = "") -> str:
    return os.environ.get(f"GAMESMASTER_{name}", default).strip()


def _truly(name: str) -> bool:
    return _told(name).casefold() in ("1", "yes", "true", "on")


DATA = data_folder()
SECRET_KEY = read_secret()
DEBUG = False
BASE_URL = _told("BASE_URL", "http://127.0.0.1:8000").rstrip("/")
_base = urlsplit(BASE_URL)
ALLOWED_HOSTS = [h for h in _told("ALLOWED_HOSTS").split(",") if h] or [
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
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_htmx",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "gamesmaster.host.middleware.whole_files",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "gamesmaster.host.middleware.house_headers",
    "gamesmaster.host.middleware.busy_database",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "gamesmaster.host.noting.note_address",
    "gamesmaster.host.looks.own_time",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
ROOT_URLCONF = "gamesmaster.host.urls"
ASGI_APPLICATION = "gamesmaster.host.asgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,  # those of this app come first, as it stands first
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "gamesmaster.host.looks.house",
            ]
        },
    }
]

DATABASES = {"default": database(_told("DATABASE_URL"), DATA)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "gamesmaster.host.signing_in.OnceBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
ACCOUNT_ADAPTER = "gamesmaster.host.accounts.Accounts"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"  # sign-up, too, answers alike for addresses that are known
LOGIN_REDIRECT_URL = "/games"
LOGIN_URL = "/accounts/login/"

LANGUAGE_CODE = "en-gb"
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "static/"
STATIC_ROOT = DATA / "static"
WHITENOISE_USE_FINDERS = True
FORM_RENDERER = "django.forms.renderers.DjangoTemplates"

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _base.scheme == "https"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _truly("BEHIND_PROXY") else None
X_FRAME_OPTIONS = "DENY"
NOTE_ADDRESSES = _told("NOTE_ADDRESSES", "yes").casefold() not in ("0", "no", "false", "off")
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

MAIL_DOMAIN = _told("MAIL_DOMAIN", _base.hostname or "localhost")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if _told('MAIL_HOST') else 'dummy'}.EmailBackend"
EMAIL_HOST = _told("MAIL_HOST")
EMAIL_PORT = int(_told("MAIL_PORT", "25"))
EMAIL_HOST_USER = _told("MAIL_USER")
EMAIL_HOST_PASSWORD = _told("MAIL_PASSWORD")
EMAIL_USE_TLS = _truly("MAIL_TLS")
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = _told("MAIL_FROM", f"Gamesmaster <gamesmaster@{MAIL_DOMAIN}>")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "gamesmaster.host.logs.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
    "root": {"handlers": ["stderr"], "level": _told("LOG_LEVEL", "INFO")},
    "loggers": {"django.request": {"level": "ERROR"}, "uvicorn": {"level": "WARNING"}},
}
