"""What is in `deploy/` works: the units' commands run as they stand, behind TLS, with mail, and the doctor is asked.

No init system is needed: a small supervisor reads the units, runs their commands as processes of their own, and begins
them again when they end, as systemd does.  `deploy/rehearse` does the same on a fresh Debian with its own systemd.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import signal
import smtplib
import ssl
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.request import HTTPSHandler, build_opener

import pytest
from aiosmtpd.controller import Controller
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.host.processes import free_port
from tests.patience import PATIENCE, await_that

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service")) if DEPLOY.is_dir() else []
PROGRAM = "/opt/gamesmaster/current/bin/gamesmaster"
DOMAIN = "gm.example.org"

pytestmark = [
    pytest.mark.host,
    pytest.mark.together,
    pytest.mark.skipif(not DEPLOY.is_dir(), reason="the kit is not at hand"),
    pytest.mark.skipif(sys.platform == "win32", reason="systemd"),
]


def _unit(file: Path) -> dict[str, list[str]]:
    """The lines of a unit's [Service]: a name may be there more than once."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line
        elif "=" in line and section == "[Service]":
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


class Supervisor:
    """Runs the commands of units, and begins those again that end and should not."""

    def __init__(self, environment: dict[str, str], replaced: dict[str, str]) -> None:
        self.environment, self.replaced = environment, replaced
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.stop = Event()
        self.log = Path(environment["GAMESMASTER_DATA"]).parent / "log"
        self.thread = Thread(target=self._watch, daemon=True)

    def command(self, unit: dict[str, list[str]]) -> list[str]:
        """The command of a unit, in this place."""
        text = unit["ExecStart"][0]
        for there, here in self.replaced.items():
            text = text.replace(there, here)
        program, *words = shlex.split(text)
        assert program == PROGRAM
        return [sys.executable, "-m", "gamesmaster", *words]

    def begin(self, name: str) -> None:
        """Begin a unit."""
        command = self.command(_unit(DEPLOY / "systemd" / f"gamesmaster-{name}.service"))
        with self.log.open("ab") as log:
            self.running[name] = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)

    def once(self, name: str) -> None:
        """Run a unit that ends by itself."""
        unit = _unit(DEPLOY / "systemd" / f"gamesmaster-{name}.service")
        assert unit["Type"] == ["oneshot"]
        with self.log.open("ab") as log:
            subprocess.run(self.command(unit), env=self.environment, check=True, stdout=log, stderr=log)

    def restart(self, name: str) -> None:
        """End a unit's process as systemd does; it is begun again because it ended."""
        process = self.running[name]
        process.send_signal(signal.SIGTERM)
        await_that(lambda: self.running[name] is not process)

    def _watch(self) -> None:
        while not self.stop.wait(0.2):
            for name, process in list(self.running.items()):
                if process.poll() is not None and not self.stop.is_set():
                    self.begin(name)

    def __enter__(self) -> Supervisor:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join()
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            try:
                process.wait(40)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class MailServer:
    """What a mail server does between the world and the mail room: hands on what comes for the domain."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.elsewhere: list[Any] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Hand it on, or keep it."""
        if not envelope.rcpt_tos[0].endswith(f"@{DOMAIN}"):
            self.elsewhere.append(envelope)
            return "250 OK"
        import asyncio

        await asyncio.get_running_loop().run_in_executor(None, self._hand_on, envelope)
        return "250 OK"

    def _hand_on(self, envelope: Any) -> None:
        with smtplib.SMTP("127.0.0.1", self.room) as room:
            room.sendmail(envelope.mail_from, envelope.rcpt_tos, envelope.content)


class Site:
    """A site from nothing, in a folder: its parts as the units have them, TLS by Caddy, a mail server."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.web, self.room, self.tls, self.http = (free_port() for _ in range(4))
        self.data, self.backups = folder / "data", folder / "backups"
        self.url = f"https://localhost:{self.tls}"
        for made in (self.data, self.backups):
            made.mkdir(mode=0o700)
        mail = stack.enter_context(_mail(MailServer(self.room)))
        (self.data / "settings.env").write_text(
            f"GAMESMASTER_BASE_URL={self.url}\nGAMESMASTER_BEHIND_PROXY=yes\nGAMESMASTER_MAIL_DOMAIN={DOMAIN}\n"
            f"GAMESMASTER_MAIL_HOST=127.0.0.1\nGAMESMASTER_MAIL_PORT={mail}\n"
        )
        (self.data / "settings.env").chmod(0o600)
        bare = {name: value for name, value in os.environ.items() if not name.startswith(("GAMESMASTER_", "DJANGO_"))}
        self.environment = {**bare, "GAMESMASTER_DATA": str(self.data)}
        self.root = stack.enter_context(_caddy(folder / "caddy", self.tls, self.http, self.web))
        self.environment["SSL_CERT_FILE"] = str(self.root)
        places = {"--port 8000": f"--port {self.web}", "127.0.0.1:8025": f"127.0.0.1:{self.room}"}
        places["/var/lib/gamesmaster-backups"] = str(self.backups)
        self.parts = stack.enter_context(Supervisor(self.environment, places))

    def asked(self, path: str, seconds: float = 60.0) -> tuple[int, bytes]:
        """What a browser gets that trusts this machine's own authority."""
        opener = build_opener(HTTPSHandler(context=ssl.create_default_context(cafile=str(self.root))))
        with opener.open(self.url + path, timeout=seconds) as answer:
            return answer.status, answer.read()

    def well(self) -> bool:
        """Does it answer, and say that it is well?"""
        try:
            return bool(json.loads(self.asked("/healthz")[1])["well"])
        except OSError:
            return False

    def doctor(self, **more: str) -> subprocess.CompletedProcess[str]:
        """The doctor's page."""
        command = [sys.executable, "-m", "gamesmaster", "doctor", "--json", "--patience", str(PATIENCE)]
        return subprocess.run(
            command, env=self.environment | more, capture_output=True, text=True, check=False, timeout=2 * PATIENCE
        )


@contextmanager
def _mail(handler: MailServer) -> Iterator[int]:
    """Run a mail server, and yield its port."""
    controller = Controller(handler, hostname="127.0.0.1", port=free_port())
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


@contextmanager
def _caddy(folder: Path, port: int, http: int, web: int) -> Iterator[Path]:
    """Run Caddy by the Caddyfile of the kit, with an authority of its own, and yield that authority's certificate."""
    root = folder / "caddy/pki/authorities/local/root.crt"
    environment = {
        **os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder),
        "GAMESMASTER_SITE": f"localhost:{port}", "GAMESMASTER_TLS": "tls internal",
        "GAMESMASTER_UPSTREAM": f"127.0.0.1:{web}",
        "GAMESMASTER_WAIT_FOR_SITE": f"{PATIENCE}s",  # a busy machine may take longer to begin than people wait
        "GAMESMASTER_CADDY_OPTIONS": f"skip_install_trust\nhttp_port {http}",
    }  # fmt: skip
    command = ["caddy", "run", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
    folder.mkdir()
    with (folder / "log").open("wb") as log, subprocess.Popen(command, env=environment, stdout=log, stderr=log) as run:
        try:
            await_that(lambda: root.is_file() or run.poll() is not None)
            assert run.poll() is None, Path(log.name).read_text()
            yield root
        finally:
            run.terminate()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that was begun, and says that it is well."""
    with ExitStack() as stack:
        made = Site(tmp_path_factory.mktemp("deployed"), stack)
        made.parts.begin("web")
        await_that(lambda: (made.data / "host.sqlite3").exists())
        for part in ("worker", "mailroom"):
            made.parts.begin(part)  # they begin again until the database is there, as by `Restart=always`
        await_that(made.well)
        made.parts.once("backup")
        yield made


@pytest.mark.needs("caddy")
def test_from_nothing_to_a_green_page(site: Site) -> None:
    """From an empty folder to a site with TLS and mail, green in every line; without trust in its certificate red."""
    found = site.doctor()
    told = json.loads(found.stdout)
    assert [one for one in told["found"] if one["colour"] != "green"] == []
    assert (found.returncode, told["colour"]) == (0, "green")
    words = {one["check"]: one["told"] for one in told["found"]}
    assert re.fullmatch(r"[\d.]+ s there and back", words["mail out and in"])
    assert words["address"].startswith("the certificate holds until")
    status, page = site.asked("/")
    assert (status, b"Gamesmaster" in page) == (200, True)
    with pytest.raises(OSError, match="404"):
        site.asked("/metrics")
    distrusted = json.loads(site.doctor(SSL_CERT_FILE=os.devnull).stdout)
    reds = [one["told"] for one in distrusted["found"] if one["colour"] == "red"]
    assert len(reds) == 1
    assert reds[0].startswith(f"browsers refuse the certificate of localhost:{site.tls}")


@pytest.mark.needs("caddy")
def test_the_way_to_https(site: Site) -> None:
    """By http people are sent to https, and programs refused: a redirect would hide that a token was seen."""
    found = {}
    for path in ("/games?of=all", "/api/tables"):
        with closing(http.client.HTTPConnection("localhost", site.http, timeout=PATIENCE)) as link:
            link.request("GET", path)
            answer = link.getresponse()
            found[path] = (answer.status, answer.headers.get("Location"))
    assert found == {"/games?of=all": (308, f"{site.url}/games?of=all"), "/api/tables": (403, None)}


@pytest.mark.needs("caddy")
def test_nobody_notices_a_restart(site: Site) -> None:
    """While site, worker and mail room are begun anew, every request is answered: some wait, none fails."""
    seen: Counter[str] = Counter()
    enough = Event()

    def ask() -> None:
        while not enough.is_set():
            try:
                seen[str(site.asked("/", PATIENCE)[0])] += 1
            except OSError as error:
                seen[repr(error)] += 1
            time.sleep(0.02)

    asking = [Thread(target=ask) for _ in range(3)]
    for one in asking:
        one.start()
    try:
        await_that(lambda: seen.total() > 10)
        for part in ("web", "worker", "mailroom"):
            site.parts.restart(part)
        before = seen.total()
        await_that(lambda: seen.total() > before + 10)
    finally:
        enough.set()
        for one in asking:
            one.join()
    assert set(seen) == {"200"}, seen
    await_that(site.well)


# -- the files -------------------------------------------------------------------------------------------------------


@pytest.mark.needs("systemd")
@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.stem)
def test_units_are_tight(file: Path) -> None:
    """By systemd there is nothing wrong with a unit, and its exposure is small."""
    found = subprocess.run(["systemd-analyze", "verify", str(file)], capture_output=True, text=True, check=False)
    wrong = [line for line in found.stderr.splitlines() if file.name in line and PROGRAM not in line]
    assert wrong == []
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=20", str(file)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout[-200:]


@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.stem)
def test_units_run_commands_that_there_are(file: Path) -> None:
    """The command of a unit is one of the program's, with options that it has."""
    program, command, *words = shlex.split(_unit(file)["ExecStart"][0])
    assert program == PROGRAM
    told = subprocess.run(
        [sys.executable, "-m", "gamesmaster", command, "--help"], capture_output=True, text=True, check=True,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
    ).stdout  # fmt: skip
    assert all(word in told for word in words if word.startswith("--"))


def _pins(file: Path) -> dict[str, tuple[str, int]]:
    """What a lock file names: the version of each library, and how many hashes it has."""
    found: dict[str, tuple[str, int]] = {}
    for entry in re.split(r"\n(?=\S)", file.read_text(encoding="utf-8")):
        if match := re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", entry):
            found[canonicalize_name(match[1])] = (match[2], entry.count("--hash=sha256:"))
    return found


def test_locks_are_not_stale() -> None:
    """Each extra has a lock file with all that it asks for, in a version that it allows, with hashes (`make locks`)."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {"core": [], **project["optional-dependencies"]}
    extras["site"] = extras["host"] + extras["pictures"]
    assert {file.stem for file in (DEPLOY / "locks").glob("*.txt")} == {*extras, "build"}
    for extra, wanted in extras.items():
        pins = _pins(DEPLOY / "locks" / f"{extra}.txt")
        assert all(hashes for _, hashes in pins.values()), extra
        for one in map(Requirement, project["dependencies"] + wanted):
            version, _ = pins[canonicalize_name(one.name)]
            assert one.specifier.contains(version), f"{extra}: {one}, locked to {version}; make locks"


def test_the_composition() -> None:
    """The composition has every part, none with more rights than it needs; its commands are those of the units."""
    import yaml

    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    assert set(services) == {"database", "web", "worker", "mailroom", "backup", "tls", "mail"}
    for name in ("web", "worker", "mailroom", "backup"):
        one = services[name]
        assert one["read_only"] is True
        assert one["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in one["security_opt"]
        assert "socket:/run/postgresql" in one["volumes"]
        awaited = [other for other, how in one["depends_on"].items() if how["condition"] == "service_healthy"]
        assert awaited
        assert all("healthcheck" in services[other] for other in awaited), "images of podman have none of their own"
    program = services["web"]["healthcheck"]["test"][1]
    image = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    place = re.search(rf"^COPY deploy/{program} (\S+)/{program}$", image, re.MULTILINE)
    path = re.search(r"^ENV PATH=(\S+)", image, re.MULTILINE)
    assert place
    assert path
    assert place[1] in path[1].split(":")
    assert services["database"]["network_mode"] == "none"
    for name in ("web", "worker", "mailroom"):
        command = _unit(DEPLOY / "systemd" / f"gamesmaster-{name}.service")["ExecStart"][0].split()[1:]
        assert services[name]["command"].split()[0] == command[0]


def test_the_rehearsal_of_containers() -> None:
    """What is rehearsed in containers is the composition, but for images and what they are built from."""
    import yaml

    composed, rehearsed = (
        yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))["services"]
        for name in ("compose.yaml", "rehearsal/compose.yaml")
    )
    assert set(rehearsed) == set(composed)
    for name, one in rehearsed.items():
        assert set(one) <= {"image", "build"}, name
        if "build" in composed[name]:
            assert {**one["build"], "args": None} == {**composed[name]["build"], "args": None}
