"""Calls to addresses that people have given: only to the public Internet, never into the site's own network.

The name is resolved once, all its addresses must be public, and the connection uses one of those checked. Redirects are
not followed, and only the status of the answer is read.
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
"""Seconds for a whole call, from resolving the name to the status; then it is aborted."""
GIVEN_OUT = ipaddress.ip_network("2000::/3")
SPECIAL = [
    ipaddress.ip_network(network)
    for network in (
        "192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24",
        "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
    )
]  # fmt: skip
"""IANA's special-purpose ranges, to which no call goes."""
Allowed: TypeAlias = Callable[[str], bool]
Post: TypeAlias = Callable[[str, bytes, Mapping[str, str]], str]
"""A function that sends a body to an address; it returns why that failed, or ""."""


def public(address: str) -> bool:
    """Return whether an address is on the public Internet.

    IPv6 addresses must be global unicast without an embedded IPv4 address. The special ranges are listed here because
    Python's own list depends on its version.
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address) and found not in GIVEN_OUT:
        return False
    special = any(found.version == network.version and found in network for network in SPECIAL)
    return not special and found.is_global and not found.is_multicast and not found.is_reserved


def check_address(url: str) -> SplitResult:
    """Return the parts of a URL that may be called; raise `Refused` for others, without resolving the name."""
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
            "The URL must begin with http:// or https://, and must not contain a password.",
            "https://example.org/hook",
        )
    if port is not None and port not in PORTS[parts.scheme]:
        raise Refused("bad-url", "The URL must use one of the usual ports.", ", ".join(map(str, PORTS[parts.scheme])))
    try:
        literal = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        if "." not in host or host.endswith((".localhost", ".local", ".internal")):
            raise Refused("bad-url", "The URL must be a public address.") from None
    else:
        if not public(str(literal)):
            raise Refused("bad-url", "The URL must be a public address.")
    return parts


def post(url: str, body: bytes, headers: Mapping[str, str]) -> str:
    """Send a body to a public address; return why that failed, or ""."""
    try:
        return send(check_address(url), body, headers, public)
    except Refused:
        return "address not allowed"


def send(parts: SplitResult, body: bytes, headers: Mapping[str, str], allowed: Allowed) -> str:
    """Send a body to these parts of a URL if all addresses of its host are allowed; return why that failed, or ""."""
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
    connection = _Pinned(host, port, addresses[0], secure=secure)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    # a server that answers byte by byte never exceeds the timeout of a single read, so a timer aborts the call
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
    """A connection to a fixed address, independent of later name resolution."""

    def __init__(self, host: str, port: int, address: str, *, secure: bool) -> None:
        super().__init__(host, port, timeout=SECONDS)
        self._address, self._secure = address, secure
        self.was_cut = False

    def connect(self) -> None:
        """Connect to the checked address."""
        self.sock = socket.create_connection((self._address, self.port), self.timeout)
        if self._secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)
        if self.was_cut:
            raise TimeoutError

    def cut(self) -> None:
        """Abort the call from another thread; a pending read then fails."""
        self.was_cut = True
        with suppress(OSError, AttributeError):  # not connected yet, or closed
            self.sock.shutdown(socket.SHUT_RDWR)
