"""nginx as a reverse proxy on this machine, with the configurations that docs/hub-proxy.md has."""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.waiting import wait_until

DOCS = Path(__file__).parents[1] / "docs" / "hub-proxy.md"


def nginx() -> str:
    """The path of nginx. Without it the test is skipped; in CI it fails."""
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
    """A port on which nobody listens now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def proxy(place: Path, text: str, port: int) -> Iterator[None]:
    """Runs nginx with that configuration of `http`, its files in the folder `place`, until it
    answers at `port`, and then as long as somebody needs it."""
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
    """Whether somebody listens on this port."""
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0
