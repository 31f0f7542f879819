"""Runs the box's Wi-Fi: wpa_supplicant, and addresses for devices in the box's own network."""

import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.card.own_wifi import Wireless, learned, own_network
from companion.card.supplicant import Supplicant, wait_for
from companion.card.wifi import Wifi, supplicant_text
from companion.card.wifi_socket import WifiSocket

PROGRAM = "/usr/sbin/wpa_supplicant"
NETWORKS = Path("/run/systemd/network")
HOME = "192.168.44.1"
"""The box's address in its own Wi-Fi."""
LOOKS_S = 1.0
STARTS_S = 60.0
"""Seconds that wpa_supplicant may take to start, on a processor that has much else to do."""


def run_wireless(
    interface: str, wifi: Wifi, running: Path, kept: Path, tell: Callable[[str], None]
) -> int:
    """Runs the Wi-Fi until wpa_supplicant ends; gives its exit status. `running`: the folder for
    files that are needed while it runs; `kept`: the folder for those that stay. Raises OSError."""
    known = Wifi((*wifi.networks, *learned(kept)), wifi.country)
    control, conf = running / "wpa", running / "wpa-known.conf"
    conf.touch(0o600)
    conf.write_text(supplicant_text(known, str(control)), encoding="utf-8")
    (control / interface).unlink(missing_ok=True)
    hardware = Path("/sys/class/net", interface, "address").read_text(encoding="ascii").strip()

    def addresses(wanted: bool) -> None:
        give_addresses(interface, wanted)

    with subprocess.Popen([PROGRAM, f"-c{conf}", f"-i{interface}"]) as program:
        try:
            wait_for(control / interface, STARTS_S)
            with Supplicant(control / interface, running / "wpa-ours") as supplicant:
                own = own_network(kept, hardware)
                wireless = Wireless(supplicant, known, own, kept, tell=tell, addresses=addresses)
                _keep_turning(wireless, WifiSocket(running), program)
        finally:
            addresses(False)
            program.terminate()
    return program.returncode


def _keep_turning(
    wireless: Wireless, visits: WifiSocket, program: "subprocess.Popen[bytes]"
) -> None:
    try:
        while program.poll() is None:
            with suppress(BlockingIOError):
                wireless.turn(LOOKS_S)
                visits.turn(wireless)
    finally:
        visits.close()


def give_addresses(interface: str, wanted: bool, folder: Path = NETWORKS) -> None:
    """Makes systemd-networkd give addresses to devices in the box's own Wi-Fi (`wanted`), or ask
    for an address as in any other network."""
    file = folder / f"10-own-{interface}.network"
    if not wanted and not file.exists():
        return
    if wanted:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f"[Match]\nName={interface}\n\n[Link]\nRequiredForOnline=no\n\n"
            f"[Network]\nAddress={HOME}/24\nDHCPServer=yes\nConfigureWithoutCarrier=yes\n\n"
            f"[DHCPServer]\nEmitDNS=no\nEmitRouter=no\n",
            encoding="utf-8",
        )
    else:
        file.unlink()
    for command in (["reload"], ["reconfigure", interface]):
        subprocess.run(["networkctl", *command], check=False)
        time.sleep(0.1)
