"""The kiosk rig: the table on a real screen, drawn without a browser and by Chromium, by the units
as they are packed.

The tests run in order: each continues where the one before left the machine. Like a box, it has
neither keyboard nor mouse; its network comes late. Its kernel copies to the screen only those parts
of the framebuffer that, as it believes, a write has changed. Unlike a Raspberry Pi it has no
graphics processor, so the processor paints the picture, and the browser takes minutes to start.
"""

import time
from collections.abc import Callable, Iterator
from itertools import product

import pytest
import zxingcpp
from PIL import Image, ImageChops

from companion.web.address import qr_text
from companion.web.tv.drawing import palette
from tests.rigs.kernel.build import TOOLS
from tests.rigs.kernel.guest import GuestError
from tests.rigs.kiosk import SIZE, KioskGuest, build
from tests.rigs.roots import need

UNIT, DRAWN = "companion-kiosk.service", "companion-tv.service"
ADDRESS = "192.168.7.20"
NETWORK = f"ip address add {ADDRESS}/24 dev ens2 && ip link set ens2 up && \
ip route add default via 192.168.7.1"
TOLD = "The TV froze: its browser is restarting"
STARTS_S = 600.0
"""Seconds that a browser may take to start, in emulation on a busy machine. A Raspberry Pi 4 takes
seconds."""
IN_EMULATION = (
    "[Service]\nEnvironment=WLR_RENDERER=pixman\n"
    f"TimeoutStartSec={STARTS_S:.0f}\nTimeoutStopSec=100\nWatchdogSec=120\n"
)
SLOW_CHROMIUM = 'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --disable-gpu --ipc-connection-timeout=600"'
"""Without the timeout, parts of the browser give each other up after fifteen seconds."""
HANGS_S = 600.0
"""Seconds within which a browser that hangs is ended: WatchdogSec=, TimeoutStopSec= and more."""
PIPS = (178, 38, 30)
"""The red of the tile that the page shows while there is no game."""
ASKS_WORD = "import urllib.request as r, json; \
told = dict(line.strip().split('=', 1) for line in open('/run/companion/page')); \
shown = {'Authorization': 'Bearer ' + told['TABLE_SECRET']}; \
print(json.load(r.urlopen(r.Request('http://127.0.0.1/token', headers=shown)))['token'])"
MODE = "import array, fcntl; mode = array.array('i', [9]); \
fcntl.ioctl(open('/dev/tty1'), 0x4B3B, mode); print(mode[0])"
"""Prints the console's mode (KDGETMODE): 0 if it shows its text, 1 if a picture is over it."""


@pytest.fixture(scope="module")
def kiosk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KioskGuest]:
    """The machine, with the table open and drawn without a browser, as the package leaves it."""
    need(*TOOLS)
    folder = tmp_path_factory.mktemp("kiosk")
    (folder / "guest").mkdir()
    with KioskGuest(build(folder), folder / "guest") as guest:
        (folder / "disk.img").unlink()
        guest.boot()
        guest.run(f"echo '{SLOW_CHROMIUM}' > /etc/chromium.d/rig")
        folder_in = f"/etc/systemd/system/{UNIT}.d"
        guest.run(f"mkdir {folder_in}; cat > {folder_in}/rig.conf", text=IN_EMULATION)
        guest.run("systemctl daemon-reload")
        until(lambda: state(guest, DRAWN) == "active", guest)
        yield guest


def until(true: Callable[[], object], guest: KioskGuest, within_s: float = STARTS_S) -> None:
    """Waits until `true()` holds. Raises GuestError after `within_s` seconds."""
    end = time.monotonic() + within_s
    while not true():
        if time.monotonic() > end:
            raise GuestError(f"still not so after {within_s:g} s\n{journal(guest, UNIT)}")
        time.sleep(2)


def state(guest: KioskGuest, unit: str = UNIT) -> str:
    return property_of(guest, "ActiveState", unit)


def property_of(guest: KioskGuest, name: str, unit: str = UNIT) -> str:
    return guest.run(f"systemctl show -P {name} {unit}").strip()


def journal(guest: KioskGuest, unit: str) -> str:
    return guest.run(f"journalctl --no-pager -o cat -n 60 -u {unit}")


def processes(guest: KioskGuest, words: str) -> list[str]:
    """The kiosk's processes whose command line has these words."""
    listed = f"cat /sys/fs/cgroup/system.slice/{UNIT}/cgroup.procs"
    has = f"tr '\\0' ' ' </proc/$p/cmdline | grep -qe '{words}'"
    return guest.run(f"for p in $({listed}); do {has} && echo $p; done; true").split()


def codes(picture: Image.Image) -> list[str]:
    """The texts of the codes on the screen, as a phone reads them."""
    return [code.text for code in zxingcpp.read_barcodes(picture.convert("L"))]


def shows_page(picture: Image.Image) -> bool:
    """Whether the page is on the screen, by its red tile."""
    away = ImageChops.difference(picture, Image.new("RGB", picture.size, PIPS))
    near = [band.point(lambda value: 255 if value < 16 else 0) for band in away.split()]
    of_pips = ImageChops.multiply(ImageChops.multiply(near[0], near[1]), near[2])
    return of_pips.histogram()[255] > 500


def shows_paper(picture: Image.Image) -> bool:
    """Whether our picture, and not the console's, is on the screen from edge to edge."""
    return {picture.getpixel(at) for at in product((0, SIZE[0] - 1), (0, SIZE[1] - 1))} == {
        palette()["paper"]
    }


def test_without_a_browser_the_table_is_drawn_into_the_framebuffer(kiosk: KioskGuest) -> None:
    """The picture has the code as soon as there is a network, and not once the network is gone.
    Meanwhile the console shows none of its text."""
    assert (state(kiosk, DRAWN), state(kiosk)) == ("active", "inactive")
    until(lambda: shows_paper(kiosk.picture()), kiosk)
    assert codes(kiosk.picture()) == []
    kiosk.run("udevadm settle")
    kiosk.run(NETWORK)
    word = kiosk.run(f'python3 -c "{ASKS_WORD}"').strip()
    until(lambda: codes(kiosk.picture()) == [qr_text(f"http://{ADDRESS}", word)], kiosk)
    assert kiosk.run(f'python3 -c "{MODE}"') == "1\n"
    before = kiosk.picture()
    kiosk.run("echo a line of the kernel > /dev/kmsg; echo a word > /dev/tty1; sleep 5")
    assert not ImageChops.difference(kiosk.picture(), before).getbbox(), "nothing lies over it"
    kiosk.run("ip address flush dev ens2 && ip link set ens2 down")
    until(lambda: codes(kiosk.picture()) == [], kiosk)
    assert shows_paper(kiosk.picture())


def test_the_tv_shows_the_page_without_keys_or_network(kiosk: KioskGuest, tell: list[str]) -> None:
    assert kiosk.run("cat /proc/bus/input/devices") == "", "a box has no keyboard"
    off = kiosk.run(f"systemctl is-enabled {UNIT}", status=1).strip()
    assert (off, state(kiosk)) == ("disabled", "inactive"), "on a system's first boot, too"
    assert not shows_page(kiosk.picture())
    started = time.monotonic()
    kiosk.run(f"systemctl enable --now {UNIT}", STARTS_S)
    tell.append(f"from the start to the page: {time.monotonic() - started:.0f} s in emulation")
    assert (state(kiosk), state(kiosk, DRAWN)) == ("active", "inactive")
    until(lambda: shows_page(kiosk.picture()), kiosk)
    assert codes(kiosk.picture()) == []


def test_the_tv_shows_a_readable_qr_code_once_there_is_a_network(kiosk: KioskGuest) -> None:
    kiosk.run(NETWORK)
    word = kiosk.run(f'python3 -c "{ASKS_WORD}"').strip()
    until(lambda: codes(kiosk.picture()), kiosk)
    assert codes(kiosk.picture()) == [qr_text(f"http://{ADDRESS}", word)]


def test_memory_and_processes_stay_within_their_limits(kiosk: KioskGuest) -> None:
    """The kiosk's memory counts as its own unit's; none of its processes is root or sees the record
    or a home."""
    limit = f"/sys/fs/cgroup/system.slice/{UNIT}/memory.max"
    assert int(kiosk.run(f"cat {limit}")) == 1200 << 20
    for words in ("cage -d", "chromium --type=renderer", "chromium --type=gpu-process"):
        assert processes(kiosk, words), words
    named = "grep -alE '^/usr/(lib/chromium|bin/cage)' /proc/[0-9]*/cmdline"
    groups = kiosk.run(f"{named} | sed s/cmdline/cgroup/ | xargs cat; true").split()
    assert set(groups) == {f"0::/system.slice/{UNIT}"}
    users = kiosk.run(f"cat /sys/fs/cgroup/system.slice/{UNIT}/cgroup.procs | "
                      "while read p; do stat -c %U /proc/$p; done | sort -u")  # fmt: skip
    assert users.split() == ["companion-tv"]
    pid = property_of(kiosk, "MainPID")
    seen = kiosk.run(f"nsenter -m -t {pid} ls -A /home /root /run/user /run/companion-tv")
    assert "/root:\n\n" in seen and "wayland-0" in seen
    asks = f"nsenter -m -t {pid} setpriv --reuid=companion-tv --regid=companion-tv --clear-groups"
    kiosk.run(f"{asks} cat /var/lib/companion/record.db", status=1)


def test_a_restarting_table_does_not_take_the_screen_from_the_tv(kiosk: KioskGuest) -> None:
    pid = property_of(kiosk, "MainPID")
    kiosk.run("systemctl restart companion", STARTS_S)
    time.sleep(10)
    assert (state(kiosk), property_of(kiosk, "MainPID")) == ("active", pid)
    assert state(kiosk, DRAWN) == "inactive"
    until(lambda: codes(kiosk.picture()), kiosk)


@pytest.mark.parametrize("hangs", ["chromium --type=renderer", "cage -d"])
def test_a_frozen_browser_is_restarted_and_the_table_reports_it(
    kiosk: KioskGuest, hangs: str
) -> None:
    told, restarts = journal(kiosk, "companion").count(TOLD), property_of(kiosk, "NRestarts")
    kiosk.run(f"kill -STOP {' '.join(processes(kiosk, hangs))}")
    until(lambda: property_of(kiosk, "NRestarts") != restarts, kiosk, HANGS_S)
    assert "Watchdog timeout" in journal(kiosk, UNIT)
    assert journal(kiosk, "companion").count(TOLD) == told + 1
    until(lambda: state(kiosk) == "active", kiosk)
    until(lambda: codes(kiosk.picture()), kiosk)


def test_a_stopped_tv_restores_the_console(kiosk: KioskGuest) -> None:
    assert kiosk.run(f'python3 -c "{MODE}"') == "1\n"
    kiosk.run(f"systemctl stop {UNIT}", STARTS_S)
    assert property_of(kiosk, "Result") == "success"
    assert kiosk.run(f'python3 -c "{MODE}"') == "0\n"
    assert kiosk.run("fgconsole") == "1\n"
    assert not shows_page(kiosk.picture()) and codes(kiosk.picture()) == []
    kiosk.run("systemctl start getty@tty1")
    until(lambda: "login:" in kiosk.run("cat /dev/vcs1"), kiosk)
    assert kiosk.picture().getextrema() != ((0, 0),) * 3, "a prompt can be seen"


def test_the_tv_starts_by_itself_after_power_on(kiosk: KioskGuest) -> None:
    """The browser comes alone: neither a login prompt nor the table without a browser takes the
    screen."""
    kiosk.run("sync")
    kiosk.cut()
    kiosk.boot()
    until(lambda: state(kiosk) == "active", kiosk)
    until(lambda: shows_page(kiosk.picture()), kiosk)
    for other in (DRAWN, "getty@tty1.service"):
        assert state(kiosk, other) == "inactive", other
