"""What a database's URL says is done or refused: nothing in it is passed over."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from gamesmaster.errors import BadFile
from gamesmaster.host.site.places import database
from tests.patience import PATIENCE


@pytest.mark.parametrize(
    ("asked", "option", "value"),
    [
        ("sslmode=verify-full", "sslmode", "verify-full"), ("connect_timeout=7", "connect_timeout", "7"),
        ("target_session_attrs=read-write", "target_session_attrs", "read-write"),
        ("options=-c%20statement_timeout%3D5s", "options", "-c statement_timeout=5s"),
        ("application_name=games", "application_name", "games"), ("sslrootcert=%2Fca.pem", "sslrootcert", "/ca.pem"),
    ],
)  # fmt: skip
def test_options_are_passed_on(asked: str, option: str, value: str, tmp_path: Path) -> None:
    """Whatever PostgreSQL's library knows reaches it."""
    found = database(f"postgres://ann:p%40ss@db.example.org:5433/games?{asked}", tmp_path)
    assert found["OPTIONS"][option] == value
    assert [found[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")] == [
        "games", "ann", "p@ss", "db.example.org", "5433",
    ]  # fmt: skip


def test_hosts_that_are_folders_or_many(tmp_path: Path) -> None:
    """A socket's folder may be named either way, and several servers may be."""
    for url in ("postgres:///games?host=/run/postgresql", "postgresql://%2Frun%2Fpostgresql/games"):
        assert database(url, tmp_path)["HOST"] == "/run/postgresql"
    found = database("postgres://a:5432,b:5433/games", tmp_path)
    assert (found["HOST"], found["PORT"]) == ("a,b", "5432,5433")


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("postgres://u:secret@h/games?sslmod=require", "sslmode"),
        ("postgres://u:secret@h/games?conect_timeout=3", "connect"),
        ("postgres://u:sec ret@h/games", "%xx"), ("postgres://u:secret@h/", "name"), ("mysql://h/games", "postgres"),
        ("sqlite:///x.sqlite3?mode=ro", "without options"), ("postgres://u:secret@h:port/games?sslmode", ""),
    ],
)  # fmt: skip
def test_what_is_not_known_is_refused(url: str, hint: str, tmp_path: Path) -> None:
    """An option that nobody knows is refused with the nearest that there is; no password is quoted."""
    with pytest.raises(BadFile) as refused:
        database(url, tmp_path)
    assert hint in refused.value.hint
    assert "sec" not in str(refused.value).replace("GAMESMASTER", "")


class NoTls:
    """A server that says it speaks no TLS, and notes what it is sent after that."""

    def __init__(self, listening: socket.socket) -> None:
        self.socket, self.got = listening, b""
        self.socket.listen()
        Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        while True:
            try:
                caller, _ = self.socket.accept()
            except OSError:
                return
            with caller:
                while request := caller.recv(4096):
                    if request[4:8] in (b"\x04\xd2\x16\x2f", b"\x04\xd2\x16\x30"):  # for TLS, for GSS
                        caller.sendall(b"N")
                        continue
                    self.got += request
                    break


IMPATIENT = (
    "from gamesmaster.host.site import places; places.BUSY_SECONDS = 5; from gamesmaster.cli import main; main()"
)
"""The program, which waits for a database for a shorter time than usual: the servers here never let anybody in."""


def asked(url: str, data: Path) -> subprocess.CompletedProcess[str]:
    """What `gamesmaster backup` says with this URL."""
    told = {"GAMESMASTER_DATABASE_URL": url, "GAMESMASTER_SECRET": "s" * 40}
    words = [sys.executable, "-c", IMPATIENT, "backup", str(data / "x.gz"), "--data", str(data)]
    return subprocess.run(
        words, env={**os.environ, **told}, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_nothing_is_sent_in_the_clear_that_was_to_be_hidden(tmp_path: Path) -> None:
    """With `sslmode=require` a server without TLS hears no name and no password; without it, it hears the name."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = NoTls(listening)
        where = f"postgres://ann:password@127.0.0.1:{listening.getsockname()[1]}/games"
        assert asked(f"{where}?sslmode=require&gssencmode=disable", tmp_path).returncode != 0
        assert server.got == b""
        asked(f"{where}?sslmode=prefer&gssencmode=disable", tmp_path)
        assert b"ann" in server.got


def test_the_socket_of_a_folder_is_used(tmp_path: Path) -> None:
    """`host=/folder` leads to the socket in it."""
    folder = tmp_path / "run"
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / ".s.PGSQL.5432"))
        server = NoTls(listening)
        asked(f"postgres://ben@/games?host={folder}&application_name=canary", tmp_path)
        assert b"ben" in server.got
        assert b"canary" in server.got
