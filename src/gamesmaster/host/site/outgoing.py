"""Calls to addresses that people have given: to the open Internet alone, never into the house's own network.

The name is looked up once, every address it has must be public, and the connection goes to the address that was looked
at: a name that points elsewhere a moment later does no harm.  No redirection is followed, and of the answer only its
status is read.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

from gamesmaster.host.site.refusals import Refused

SECONDS = 10.0
PORTS = {"http": (80, 8080), "https": (443, 8443)}
LONGEST = 500
WHOLE_CALL = 15.0
"""Seconds that a call may take from the look-up of its name to the status; then it is cut off."""
GIVEN_OUT = ipaddress.ip_network("2000::/3")
SPECIAL = [
    ipaddress.ip_network(network)
    for network in (
        "192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24",
        "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
    )
]  # fmt: skip
"""Ranges of the register of special addresses (IANA) in which no hook has any business."""
Allowed: TypeAlias = Callable[[str], bool]
Post: TypeAlias = Callable[[str, bytes, Mapping[str, str]], str]
"""Sends a body to an address; why it failed in a word or two, empty if it did not."""


def public(address: str) -> bool:
    """Is this an address of the open Internet?

    Of IPv6 only what is given out to networks counts, and nothing that carries an IPv4 address inside.  What Python
    says of the special ranges depends on its edition, so they stand here.
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address) and found not in GIVEN_OUT:
        return False
    special = any(found.version == network.version and found in network for network in SPECIAL)
    return not special and found.is_global and not found.is_multicast and not found.is_reserved


def check_address(url: str) -> SplitResult:
    """The parts of an address that may be called; raises `Refused` for one that may not, whatever it leads to."""
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
        host.encode("idna")
    except (ValueError, UnicodeError):
        raise Refused("bad-url", "That is not a valid URL.") from None
    if len(url) > LONGEST or not url.isascii() or any(c.isspace() for c in url) or not url.isprintable():
        raise Refused("bad-url", "That is not a valid URL.", f"plain characters, at most {LONGEST}")
    if parts.scheme not in PORTS or not host or parts.username is not None or parts.password is not None:
        raise Refused(
            "bad-url",
            "The webhook URL must begin with http:// or https://, and must not contain a password.",
            "https://example.org/hook",
        )
    if port is not None and port not in PORTS[parts.scheme]:
        raise Refused(
            "bad-url", "The webhook URL must use one of the usual ports.", ", ".join(map(str, PORTS[parts.scheme]))
        )
    try:
        literal = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        if "." not in host or host.endswith((".localhost", ".local", ".internal")):
            raise Refused("bad-url", "The webhook URL must be a public address.") from None
    else:
        if not public(str(literal)):
            raise Refused("bad-url", "The webhook URL must be a public address.")
    return parts


def post(url: str, body: bytes, headers: Mapping[str, str]) -> str:
    """Send a body to a public address; why it failed, empty if it did not."""
    try:
        return send(check_address(url), body, headers, public)
    except Refused:
        return "address not allowed"


def send(parts: SplitResult, body: bytes, headers: Mapping[str, str], allowed: Allowed) -> str:
    """Send a body to the address with these parts, if all that its name leads to is allowed."""
    begun = time.monotonic()
    host, secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return "name not found"
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses or not all(map(allowed, addresses)):
        return "address not allowed"
    left = WHOLE_CALL - (time.monotonic() - begun)
    if left <= 0:
        return "too slow"
    connection = _Pinned(host, port, addresses[0], secure)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    # whoever answers byte by byte never keeps one read waiting for long, so the whole is cut off from outside
    end = threading.Timer(left, connection.cut)
    end.start()
    try:
        connection.request("POST", path, body, dict(headers))
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException, ValueError) as error:
        return "too slow" if connection.was_cut else f"no answer ({type(error).__name__})"
    finally:
        end.cancel()
        connection.close()
    return "" if 200 <= status < 300 else f"status {status}"


class _Pinned(http.client.HTTPConnection):
    """A connection to one address, whatever the name leads to by now."""

    def __init__(self, host: str, port: int, address: str, secure: bool) -> None:
        super().__init__(host, port, timeout=SECONDS)
        self._address, self._secure = address, secure
        self.was_cut = False

    def connect(self) -> None:
        """Connect to the address that was looked at."""
        self.sock = socket.create_connection((self._address, self.port), self.timeout)
        if self._secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)
        if self.was_cut:
            raise TimeoutError

    def cut(self) -> None:
        """End the call from another thread: whoever waits for an answer hears that there is none."""
        self.was_cut = True
        with suppress(OSError, AttributeError):  # there is no connection yet, or none any more
            self.sock.shutdown(socket.SHUT_RDWR)
