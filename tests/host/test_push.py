"""Push: who gets one, what it holds, that only the device can read it, and where it is never sent."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit

import jwt
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.gm import hooks
from gamesmaster.host.models import Device, HookCall, OutMail
from gamesmaster.host.notices import inbox, push
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.site import outgoing
from gamesmaster.host.tables import outbox
from tests.host.conftest import NOW, people, power_of, running
from tests.host.listening import listen
from tests.host.test_people import signed_in
from tests.host.test_tables import refused

pytestmark = pytest.mark.django_db
ENDPOINT = "https://push.example.org/send/"
AUTH = b"sixteen byte key"


def text(data: bytes) -> str:
    """Return bytes as browsers write them."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as browsers send it."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Receiver:
    """A browser on a device, with keys of its own, that reads what is sent to it (RFC 8188, RFC 8291)."""

    def __init__(self, user: User, name: str = "one") -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        own = text(point(self.key.public_key()))
        self.device = push.add(user, ENDPOINT + name, own, text(AUTH), "A phone", now=NOW)

    def read(self, body: bytes) -> dict[str, object]:
        """Decrypt a message."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, data = body[21 : 21 + length], body[21 + length :]
        assert len(data) <= size
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        info = b"WebPush: info\0" + point(self.key.public_key()) + sender
        secret = HKDF(SHA256(), 32, AUTH, info).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        plain = AESGCM(key).decrypt(nonce, data, None).rstrip(b"\0")
        assert plain.endswith(b"\2")
        told: dict[str, object] = json.loads(plain[:-1])
        return told


def test_a_push_is_read_by_the_device_alone() -> None:
    """What arrives at a push service names this site by its key, and only the device's key opens it."""
    user, other = people(2)
    receiver, stranger = Receiver(user), Receiver(other, "two")
    table = running([user, other])
    sender = power_of(table, other)
    correspondence.send(table, sender, Press("A secret word.", [power_of(table, user)]), user=other, now=NOW)
    got: list[tuple[Mapping[str, str], bytes]] = []

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(201)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with listen(Service) as here:

        def send(url: str, body: bytes, headers: Mapping[str, str]) -> str:
            return outgoing.send(urlsplit(url.replace("https://push.example.org", here)), body, headers, lambda _: True)

        assert hooks.deliver(NOW, send=send) == 1
        assert hooks.deliver(NOW, send=send) == 0
    ((headers, body),) = got
    assert receiver.read(body) == {
        "title": table.name, "body": f"press from {sender}", "url": f"/t/{table.key}/press/",
        "tag": f"{table.key} press", "calls": inbox.calls(user).total,
    }  # fmt: skip
    assert b"secret" not in body
    with pytest.raises(InvalidTag):
        stranger.read(body)
    token, _, key = headers["Authorization"].removeprefix("vapid t=").partition(", k=")
    assert key == push.public_key()
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), base64.urlsafe_b64decode(key + "="))
    claims = jwt.decode(token, public, ["ES256"], audience="https://push.example.org", options={"verify_exp": False})
    assert claims["exp"] == int((NOW + push.VALID).timestamp())
    assert (headers["Content-Encoding"], headers["TTL"]) == ("aes128gcm", "86400")


def test_push_takes_the_place_of_mail() -> None:
    """Kinds set to push come by mail without a device, and by push with one; what is fixed comes by both."""
    user, other = people(2)
    table = running([user, other])
    power, sender = power_of(table, user), power_of(table, other)
    correspondence.send(table, sender, Press("By mail.", [power]), user=other, now=NOW)
    receiver = Receiver(user)
    correspondence.send(table, sender, Press("By push.", [power]), user=other, now=NOW)
    assert [("By mail." in mail.body) for mail in OutMail.objects.filter(user=user, event="press")] == [True]
    assert HookCall.objects.filter(device=receiver.device).count() == 1
    Device.objects.update(failures=outbox.MOST_FAILURES)
    correspondence.send(table, sender, Press("By mail again.", [power]), user=other, now=NOW)
    assert OutMail.objects.filter(user=user, event="press").count() == 2
    assert HookCall.objects.count() == 1


@pytest.mark.parametrize("status", hooks.GONE)
def test_a_device_that_is_gone_is_removed(status: str) -> None:
    """After 404 or 410 the device is deleted with what was to be sent to it; after 403 its failures are counted."""
    user, other = people(2)
    Receiver(user)
    kept = Receiver(user, "kept").device
    table = running([user, other])
    correspondence.send(table, power_of(table, other), Press("Hello.", [power_of(table, user)]), user=other, now=NOW)
    answers = {ENDPOINT + "one": status, ENDPOINT + "kept": "status 403"}
    assert hooks.deliver(NOW, send=lambda url, body, headers: answers[url]) == 2
    assert [(one.pk, one.failures) for one in Device.objects.all()] == [(kept.pk, 1)]
    assert [call.state for call in HookCall.objects.all()] == [HookCall.FAILED]


@pytest.mark.parametrize("url", ["http://push.example.org/x", "https://10.0.0.1/x", "https://localhost/x", "x" * 600])
def test_endpoints_that_are_refused(url: str) -> None:
    """A device's address is an https address of the open Internet, and its keys are keys."""
    (user,) = people(1)
    key = text(point(ec.generate_private_key(ec.SECP256R1()).public_key()))
    with refused("bad-url"):
        push.add(user, url, key, text(AUTH), "")
    for wrong, auth in ((text(b"\4" + bytes(64)), text(AUTH)), (key, text(b"short")), ("\u00e9", text(AUTH))):
        with refused("bad-url"):
            push.add(user, ENDPOINT, wrong, auth, "")


def test_devices_on_the_page() -> None:
    """A script registers a device, whoever signs in there next takes it over, and its owner removes it."""
    first, second = people(2)
    key = text(point(ec.generate_private_key(ec.SECP256R1()).public_key()))
    fields = {"endpoint": ENDPOINT, "key": key, "auth": text(AUTH), "name": "Firefox on Linux"}
    assert signed_in(first).post("/me/notices/devices", {**fields, "auth": "x"}).status_code == 409
    for user in (first, second):
        client = signed_in(user)
        assert client.post("/me/notices/devices", fields).status_code == 201
        assert Device.objects.get().user == user
        assert "Firefox on Linux" in client.get("/me/notices").content.decode()
    number = Device.objects.get().pk
    signed_in(first).post("/me/notices/devices", {"out": number})
    assert Device.objects.exists()
    client.post("/me/notices/devices", {"out": number})
    assert not Device.objects.exists()
    for n in range(push.MOST_DEVICES + 2):
        push.add(first, f"{ENDPOINT}{n}", key, text(AUTH), "", now=NOW)
    assert first.devices.count() == push.MOST_DEVICES


def test_the_app_can_be_installed() -> None:
    """The manifest names icons that are there, and the service worker is served from the top of the site."""
    client = Client()
    manifest = client.get("/manifest.webmanifest")
    assert manifest["Content-Type"] == "application/manifest+json"
    for icon in manifest.json()["icons"]:
        found = client.get(icon["src"])
        assert found.status_code == 200
        assert found["Content-Type"] == "image/png"
    worker = client.get("/worker.js")
    assert worker["Content-Type"].startswith("text/javascript")
    assert 'addEventListener("push"' in worker.content.decode()
