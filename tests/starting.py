"""Starts programs for tests, each in a separate process: a program in Python, a table, a hub,
nginx. All of them have ended when the context is left. (A browser: tests/browser.py.)

A table in the test's own process is tests/web/live.py (with a display and keys:
tests/web/in_browser.py), its page alone tests/web/site.py.
"""

import multiprocessing
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from ipaddress import ip_address
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion.commands import cli
from tests.waiting import WAIT_S, wait_until

ROOT = Path(__file__).parents[1]


@contextmanager
def python(*words: str | Path, code: str = "", **more: Any) -> Iterator[subprocess.Popen[str]]:
    """Runs Python code in the project's folder, with these arguments after `code`. `more` is passed
    to Popen; the output is read unless `more` changes that."""
    command = [sys.executable, *(["-c", code] if code else []), *map(str, words)]
    said: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, **{"cwd": ROOT, "text": True, **said, **more})
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def companion(*words: str | Path, **more: Any) -> Iterator[subprocess.Popen[str]]:
    """Runs `companion run` with these arguments. `more` is passed to Popen."""
    with python("-m", "companion", "run", *words, **more) as process:
        yield process


def open_link(link: str) -> tuple[str, str | None]:
    """Opens a link that the program printed, as a browser does; returns the page's address and the
    cookie that lets this browser in (None if it gets none)."""
    parts = urlsplit(link)
    asked = HTTPConnection(parts.netloc, timeout=WAIT_S)
    asked.request("GET", parts.path)
    answer = asked.getresponse()
    asked.close()
    assert answer.status == 303 and answer.headers["Location"] == "/"
    given = answer.headers["Set-Cookie"]
    return f"{parts.scheme}://{parts.netloc}", given and given.partition(";")[0]


def nothing() -> None: ...


def _run(first: Callable[[], None], words: list[str], said: Connection) -> None:
    """Calls `first`, then runs `companion` with these words; `said` gets what it prints."""
    first()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for target, descriptor in ((said.fileno(), 1), (nowhere, 2)):
        os.dup2(target, descriptor)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
    sys.exit(cli.main(words))


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline()


FORKED = multiprocessing.get_context("forkserver")
"""Starts processes from one that has the hub's modules already: a hub then takes 0.1 s of processor
time instead of 0.7. test_running starts one by its command."""
FORKED.set_forkserver_preload(
    ["companion.app.catalog", "companion.club.hub.pages", "companion.club.hub.run"]
)


class HubProcess:
    """`companion hub run`, which may be killed and started again on its port."""

    def __init__(
        self, data: Path, *more: str, announces: bool = False, first: Callable[[], None] = nothing
    ) -> None:
        self.data, self._more = data, more if announces else (*more, "--quiet")
        self.first = first
        """What its process does before the command."""
        self.port = 0
        self._process: BaseProcess | None = None

    def start(self) -> None:
        """Starts the hub and waits until it prints its address."""
        words = ["hub", "run", "--data", str(self.data), "--port", str(self.port), *self._more]
        heard, said = FORKED.Pipe(duplex=False)
        self._process = FORKED.Process(target=_run, args=(self.first, words, said))
        self._process.start()
        said.close()
        with open(heard.fileno(), closefd=False) as told:
            line = told.readline()
        self._told = heard
        found = re.search(r":(\d+)/$", line.strip())
        assert found, line
        self.port = int(found[1])

    def kill(self) -> None:
        """Kills the hub, as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.join(WAIT_S)
        self._told.close()

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process and self._process.pid
        return self._process.pid

    @property
    def address(self) -> str:
        """The address at which boxes join."""
        return f"127.0.0.1:{self.port}"


@contextmanager
def running_hub(
    data: Path, *more: str, announces: bool = False, first: Callable[[], None] = nothing
) -> Iterator[HubProcess]:
    """Runs a hub with its folder in `data` until the end. `more`: further arguments of its
    command; `first`: what its process does before."""
    hub = HubProcess(data, *more, announces=announces, first=first)
    hub.start()
    try:
        yield hub
    finally:
        hub.kill()


# ---------------------------------------------------------------- nginx


DOCS = Path(__file__).parents[1] / "docs" / "hub-proxy.md"


def nginx() -> str:
    """The path of nginx. Without it the test is skipped; in CI it fails."""
    import pytest

    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None and os.environ.get("CI"):
        pytest.fail("nginx is missing: sudo apt install nginx-light")
    if found is None:
        pytest.skip("nginx is not installed")
    return found


def documented(place: int, ours: Mapping[str, str], server: str = "nginx") -> str:
    """The configuration of that server at that place of the documentation, with our names, ports
    and files."""
    text: str = re.findall(rf"```{server}\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)[place]
    for there, here in ours.items():
        assert there in text, there
        text = text.replace(there, here)
    return text


def free_port() -> int:
    """A free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def proxy(place: Path, text: str, port: int) -> Iterator[None]:
    """Runs nginx with that configuration of `http`, its files in the folder `place`, until it
    answers at `port`, and until the end of the context."""
    program = nginx()
    place.chmod(0o755)
    temps = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    there = "\n".join(f"{name}_temp_path {place}/{name};" for name in temps)
    file = place / "nginx.conf"
    file.write_text(
        f"daemon off; pid {place}/pid; error_log {place}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{there}\n{text}\n}}\n"
    )
    with subprocess.Popen([program, "-e", f"{place}/error.log", "-c", str(file)]) as running:
        try:
            wait_until(lambda: answers(port))
            yield
        finally:
            running.terminate()


def answers(port: int) -> bool:
    """Whether this port accepts connections."""
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


def certificate(place: Path) -> tuple[Path, Path]:
    """The files of a certificate of our own for localhost and names below it, and of its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = [
        *(x509.DNSName(name) for name in ("localhost", "*.localhost")),
        x509.IPAddress(ip_address("127.0.0.1")),
    ]
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    pem = serialization.Encoding.PEM
    own, private = place / "own.pem", place / "key.pem"
    own.write_bytes(made.public_bytes(pem))
    plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    private.write_bytes(key.private_bytes(pem, *plain))
    return own, private
