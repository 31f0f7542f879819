"""The page listens on the socket that systemd passes to the service, and leaves it listening at the
end."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import F_DUPFD, fcntl
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from companion.app.systemd import passed_socket
from tests.app.notify_socket import Ear
from tests.app.notify_socket import ear as ear  # noqa: PLC0414  # a fixture
from tests.starting import python
from tests.waiting import WAIT_S

ROOT = Path(__file__).parents[2]


def test_a_socket_passed_by_systemd_is_taken_only_once() -> None:
    other, end = socket.socketpair()
    with socket.create_server(("127.0.0.1", 0)) as listening, other, end:
        # High above what this process has open: there the numbers of two are neighbours.
        first = fcntl(other.fileno(), F_DUPFD, 700)
        assert fcntl(listening.fileno(), F_DUPFD, first + 1) == first + 1
        told = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a:b"}
        found = passed_socket(told, first)
        assert found is not None
        assert told == {}, "programs that we start are not told"
        assert found.getsockname() == listening.getsockname()
        assert not os.get_inheritable(found.fileno())
        with pytest.raises(OSError, match="Bad file"):
            os.fstat(first)
        found.close()


@pytest.mark.parametrize(
    "told",
    [{}, {"LISTEN_FDS": "1"}, {"LISTEN_PID": "1", "LISTEN_FDS": "1"}, {"LISTEN_PID": "x"}],
)
def test_a_socket_for_another_process_is_not_taken(told: dict[str, str]) -> None:
    assert passed_socket(dict(told)) is None


@contextmanager
def socket_service(
    ear: Ear, folder: Path, listening: socket.socket, *words: str
) -> Iterator[list[str]]:
    """Runs `companion run` as a service to which that socket is passed. Returns the messages that
    systemd received."""
    code = (
        "import os, sys; os.dup2(int(sys.argv[1]), 3); "
        "os.environ['LISTEN_PID'] = str(os.getpid()); os.environ['LISTEN_FDS'] = '1'; "
        "from companion.__main__ import main; "
        "sys.argv[1:] = ['run', '--virtual', *sys.argv[2:]]; sys.exit(main())"
    )
    told = {"NOTIFY_SOCKET": ear.address, "RUNTIME_DIRECTORY": str(folder)}
    words = (str(listening.fileno()), "--record", str(folder / "r.db"), *words)
    passed = {"env": os.environ | told, "pass_fds": [listening.fileno()]}
    with python(*words, code=code, stdout=None, stderr=None, **passed) as process:
        yield ear.receive_until("READY=1")
        process.terminate()
        process.wait(WAIT_S)


def test_the_page_uses_the_socket_that_systemd_opened(ear: Ear, tmp_path: Path) -> None:
    """The service listens on a socket that was passed to it, for this machine's browser, too."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with socket_service(ear, tmp_path, listening) as heard:
            assert f"http://127.0.0.1:{port}/" in heard[-1]
            told = (tmp_path / "page").read_text().splitlines()
            assert told[0] == f"PAGE=http://127.0.0.1:{port}"
            assert told[1].startswith("TV_SHOWS=")
            assert ((tmp_path / "page").stat().st_mode & 0o777) == 0o600, "it has a secret"
            secret = told[2].removeprefix("TABLE_SECRET=")
            asked = Request(
                f"http://127.0.0.1:{port}/token", headers={"Authorization": f"Bearer {secret}"}
            )
            with urlopen(asked, timeout=WAIT_S) as answer:
                word = json.load(answer)["token"]
            assert secret not in "".join(heard)
            assert word not in "".join(heard), "anybody may read what systemd is told"
        comes_through(listening)


def test_a_page_that_fails_to_open_leaves_systemd_listening(ear: Ear, tmp_path: Path) -> None:
    """If the program shut the socket down, systemd would take that for a failure."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        with socket_service(ear, tmp_path, listening):
            pass
        comes_through(listening)


def test_connections_are_closed_if_the_page_uses_another_port(ear: Ear, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        with socket_service(ear, tmp_path, listening, "--port", "0") as heard:
            assert f":{listening.getsockname()[1]}/" not in heard[-1]
            for _ in range(3):
                with socket.create_connection(listening.getsockname(), WAIT_S) as visitor:
                    visitor.settimeout(WAIT_S)
                    assert visitor.recv(1) == b""
        comes_through(listening)


def comes_through(listening: socket.socket) -> None:
    """Fails unless `listening` accepts a new connection."""
    with socket.create_connection(listening.getsockname(), WAIT_S):
        listening.settimeout(WAIT_S)
        listening.accept()[0].close()
