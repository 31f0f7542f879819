"""Firmware of a Wi-Fi chip that Debian lacks. People who have its files put them into a folder
`firmware` on the card's FAT partition, such as `firmware/brcm/brcmfmac43430b0-sdio.bin`: that is
the name that the kernel's driver asks for on some Zero 2 W, with chip 43436 (BCM43430/2).

Sources: Linux, Documentation/driver-api/firmware/fw_search_path.rst, and the names in
drivers/net/wireless/broadcom/brcm80211/brcmfmac/sdio.c.
"""

import subprocess
from collections.abc import Callable
from pathlib import Path

FOLDER = "firmware"
SEARCHED = Path("/sys/module/firmware_class/parameters/path")
"""The file that names one more folder to the kernel; firmware in that folder goes first."""
DEVICES = Path("/sys/class/net")
DRIVER = "brcmfmac"


def use_firmware(
    fat: Path,
    searched: Path = SEARCHED,
    devices: Path = DEVICES,
    run: Callable[[list[str]], object] = lambda command: subprocess.run(command, check=False),
) -> bool:
    """Makes the kernel look for firmware on the card as well, if somebody has put some there; gives
    whether it does. If there is no Wi-Fi yet, the driver is loaded again. Raises OSError."""
    folder = fat / FOLDER
    if not folder.is_dir():
        return False
    searched.write_text(str(folder), encoding="ascii")
    if not any(path.name.startswith("wl") for path in devices.iterdir()):
        run(["modprobe", "-r", f"{DRIVER}-wcc", DRIVER])
        run(["modprobe", DRIVER])
    return True
