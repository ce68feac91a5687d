"""The shell round the core, as real processes: what stops, what is left behind, who may read what lies on the disk."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import signal
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.host.site import places
from gamesmaster.host.web.middleware import with_refusals
from tests.host.processes import Program, Server, children, lives
from tests.lengths import mark_long
from tests.patience import PATIENCE, await_that

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and rights")


def modes(folder: Path) -> dict[str, int]:
    """The rights of a folder and of the files in it; the database's journal may go while one looks."""
    rights = {}
    for path in (folder, *folder.iterdir()):
        with contextlib.suppress(FileNotFoundError):
            rights[path.name] = path.stat().st_mode & 0o777
    return {name: mode for name, mode in rights.items() if name != "static"}


@pytest.mark.needs("procps")
@pytest.mark.parametrize("how", mark_long([signal.SIGTERM, signal.SIGINT, signal.SIGKILL], but=(signal.SIGKILL,)))
def test_the_worker_ends_with_its_site(tmp_path: Path, how: signal.Signals) -> None:
    """However `serve` ends, its worker does too: else deadlines would run while nobody can send (H6)."""
    with Server(tmp_path / "data").ready() as site:
        await_that(lambda: children(site.process.pid))
        (worker,) = children(site.process.pid)
        site.end(how)
        await_that(lambda: not lives(worker))


def test_a_stop_waits_for_no_stream(tmp_path: Path) -> None:
    """With a stream open the site stops within seconds, in order, and the stream is told `gone` (H6)."""
    with Server(tmp_path / "data", "--demo", "--no-worker").ready() as site:
        await_that(lambda: "A board to try" in site.said)
        key = site.said.partition("/t/")[2].partition("/")[0]
        with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as call:
            call.request("GET", f"/t/{key}/live")
            stream = call.getresponse()
            assert stream.readline().startswith(b"event: changed")
            begun = time.monotonic()
            site.process.send_signal(signal.SIGTERM)
            assert b"event: gone" in stream.read()
        assert site.process.wait(PATIENCE) == 0
        assert time.monotonic() - begun < PATIENCE / 2
        assert "Cancel" not in site.said


def test_a_data_folder_that_somebody_made(tmp_path: Path) -> None:
    """In a folder that all may read nothing is left that others may read, the database's own files included (H5)."""
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    data.chmod(0o755)
    (data / "before-x.sqlite3").touch(0o644)
    old = os.umask(0o022)
    try:
        with Server(data).ready():
            await_that(lambda: (data / "host.sqlite3-wal").exists() and (data / "host.sqlite3-shm").exists())
            assert {name: mode for name, mode in modes(data).items() if mode & 0o077} == {}
            data.chmod(0o755)
            for file in data.glob("host.*"):
                file.chmod(0o644)
        with Server(data, "--no-worker").ready():
            assert {name: mode for name, mode in modes(data).items() if mode & 0o077} == {}
    finally:
        os.umask(old)


def health(site: Server) -> dict[str, Any]:
    """What the health page of a site tells."""
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as call:
        call.request("GET", "/healthz")
        return dict(json.load(call.getresponse()))


def test_processes_whose_clock_leaps(tmp_path: Path) -> None:
    """A day ahead and back: site and worker say so, process nothing, and go on; the day is not given back (H4)."""
    wrong = tmp_path / "clock"
    wrong.write_text("0", encoding="ascii")
    data = tmp_path / "data"
    with Server(data, "--no-worker", clock=wrong).ready() as site, Program("worker", data=data, clock=wrong) as worker:
        await_that(lambda: health(site)["well"])
        wrong.write_text("86400", encoding="ascii")
        await_that(lambda: "leapt ahead by 864" in " ".join(health(site)["reasons"]))
        assert not health(site)["well"]
        wrong.write_text("0", encoding="ascii")
        await_that(lambda: health(site)["well"])
        assert "leapt ahead" in site.said + worker.said
        # at most the seconds of doubt were given back, on a machine that was busy meanwhile
        lines = [json.loads(line) for line in (site.said + worker.said).splitlines() if "deadlines moved" in line]
        assert all(line["seconds"] < 3600 for line in lines)


def test_what_cannot_be_closed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of another account, and files that cannot be closed, are named in the log (H5)."""
    (tmp_path / "host.sqlite3").touch(0o644)
    (tmp_path / "host.sqlite3").chmod(0o644)
    monkeypatch.setattr("os.geteuid", lambda: 4711)

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refuse)
    told = places.close_to_others(tmp_path)
    assert "another account" in told[0]
    assert "host.sqlite3" in told[-1]


@pytest.mark.parametrize("path", ["/api/tables/k/orders/France", "/t/k/"])
def test_a_stop_answers_what_it_cannot_finish(path: str) -> None:
    """A request that is cancelled by a stop is answered 503, and says when to come again; nothing is sent twice."""
    sent: list[Any] = []

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        if scope["begun"]:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(PATIENCE)

    async def send(message: Any) -> None:
        sent.append(message)

    async def stop(*, begun: bool) -> None:
        scope = {"type": "http", "path": path, "headers": [], "begun": begun}
        task = asyncio.ensure_future(with_refusals(slow, 1)(scope, None, send))  # type: ignore[arg-type]
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled() is begun

    asyncio.run(stop(begun=False))
    headers = dict(sent[0]["headers"])
    assert (sent[0]["status"], headers[b"retry-after"]) == (503, b"10")
    assert b"The site restarts" in sent[1]["body"]
    sent.clear()
    asyncio.run(stop(begun=True))
    assert [message["status"] for message in sent] == [200]
