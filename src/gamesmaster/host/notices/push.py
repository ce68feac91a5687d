"""Web Push: devices that people have registered, and messages encrypted for them (RFC 8030, 8188, 8291, 8292).

A message holds what the subject of a mail says, never orders or press. `gm.hooks` sends it like a call of a webhook.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from urllib.parse import urlsplit

import http_ece
import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from gamesmaster.host.notices import inbox
from gamesmaster.host.site import clock, names
from gamesmaster.host.site.outgoing import check_address
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.models import Device, HookCall

MOST_DEVICES = 10
VALID = timedelta(hours=12)
"""Validity of the token that names this site to a push service."""
KEPT_BY_SERVICE = timedelta(days=1)
"""Time for which a push service keeps a message for a device that is offline."""
URGENT = ("deadline", "phase")
_CURVE = ec.SECP256R1()
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@cache
def site_key() -> ec.EllipticCurvePrivateKey:
    """Return the key of this site (VAPID). It follows from the site's secret, so that a backup holds it as well."""
    seed = HKDF(SHA256(), 48, None, b"gamesmaster web push").derive(settings.SECRET_KEY.encode())
    return ec.derive_private_key(int.from_bytes(seed, "big") % (_ORDER - 1) + 1, _CURVE)


def public_key() -> str:
    """Return the site's public key, as browsers want it when a device is registered."""
    point = site_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def add(user: User, endpoint: str, key: str, auth: str, name: str, *, now: datetime | None = None) -> Device:
    """Register a device; one that is known becomes this person's. Raise `Refused` for bad addresses or keys."""
    if check_address(endpoint).scheme != "https":
        raise Refused("bad-url", _("The address of a device must begin with https://."))
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, _bytes(key))
        sized = len(_bytes(auth)) == 16
    except (ValueError, binascii.Error):
        sized = False
    if not sized:
        raise Refused("bad-url", _("The keys of the device are not valid."))
    fields = {"user": user, "key": key, "auth": auth, "name": names.visible(name)[:60], "failures": 0}
    made, _new = Device.objects.update_or_create(
        endpoint=endpoint, defaults=fields, create_defaults={**fields, "made": now or clock.now()}
    )
    kept = user.devices.order_by("-pk").values_list("pk", flat=True)[:MOST_DEVICES]
    user.devices.exclude(pk__in=list(kept)).delete()
    return made


def drop(user: User, number: int) -> None:
    """Remove a device of this person."""
    user.devices.filter(pk=number).delete()


def prepared(call: HookCall, device: Device, now: datetime) -> tuple[str, bytes, Mapping[str, str]]:
    """Return address, body and headers of a message to a device, encrypted for it alone."""
    text = json.dumps({**json.loads(call.body), "calls": inbox.calls(device.user).total})
    body = http_ece.encrypt(
        text.encode(), private_key=ec.generate_private_key(_CURVE), dh=_bytes(device.key),
        auth_secret=_bytes(device.auth), version="aes128gcm",
    )  # fmt: skip
    parts = urlsplit(device.endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int((now + VALID).timestamp()), "sub": _contact()}
    token = jwt.encode(claims, site_key(), "ES256")
    headers = {
        "Authorization": f"vapid t={token}, k={public_key()}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(KEPT_BY_SERVICE.total_seconds())),
        "Urgency": "high" if call.event in URGENT else "normal",
    }
    return device.endpoint, body, headers


def _contact() -> str:
    """Return an address at which a push service reaches those who run the site."""
    for one in (*settings.SECURITY_CONTACTS, settings.BASE_URL):
        if one.startswith(("mailto:", "https:")):
            return str(one)
    return f"mailto:gamesmaster@{settings.MAIL_DOMAIN}"


def _bytes(text: str) -> bytes:
    """Return the bytes of unpadded base64 for addresses."""
    if len(text) > 200 or not text.isascii():
        raise ValueError("too long")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
