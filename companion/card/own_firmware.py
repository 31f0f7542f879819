"""Firmware of a Wi-Fi chip that Debian lacks: whoever has its files puts them into a folder
`firmware` of the card's FAT partition, as in `firmware/brcm/brcmfmac43430b0-sdio.bin`: so the
kernel's driver calls what chip 43436 (BCM43430/2) of some Zero 2 W asks for.

Sources: Linux, Documentation/driver-api/firmware/fw_search_path.rst, and the names in
drivers/net/wireless/broadcom/brcm80211/brcmfmac/sdio.c.
"""

import subprocess
from collections.abc import Callable
from pathlib import Path

FOLDER = "firmware"
SEARCHED = Path("/sys/module/firmware_class/parameters/path")
"""Where the kernel is told of one more folder; what is there goes first."""
DEVICES = Path("/sys/class/net")
DRIVER = "brcmfmac"


def use_firmware(
    fat: Path,
    searched: Path = SEARCHED,
    devices: Path = DEVICES,
    run: Callable[[list[str]], object] = lambda command: subprocess.run(command, check=False),
) -> bool:
    """Has the kernel look for firmware on the card, too, where somebody has put some there; whether
    it does. A chip that has found none looks again. Raises OSError."""
    folder = fat / FOLDER
    if not folder.is_dir():
        return False
    searched.write_text(str(folder), encoding="ascii")
    if not any(path.name.startswith("wl") for path in devices.iterdir()):
        run(["modprobe", "-r", f"{DRIVER}-wcc", DRIVER])
        run(["modprobe", DRIVER])
    return True
