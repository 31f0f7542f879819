"""The FAT partition: the firmware, the settings, and, in a folder for each system, its kernel and
the boards' device trees."""

import re
import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path

from companion.app.updates.systems import COMMAND_LINE
from image.inputs import HERE

FIRMWARE = ("bootcode.bin", "start.elf", "start4.elf", "fixup.dat", "fixup4.dat")
TREES = re.compile(r"(?:bcm2837-rpi-(?:3|zero-2)|bcm2711-rpi-4).*\.dtb")
"""Device trees of the boards that are supported. A Raspberry Pi 5 finds none, and says so."""
OF_A = "a/"
"""The folder of system A's files; a new card starts with system A."""
I2C, SPI, GPIO = "/soc/i2c@7e804000", "/soc/spi@7e204000", "/soc/gpio@7e200000"
POWER_KEY = 7
"""The GPIO of the circuit board's power key (hw/board)."""
KEY_POWER, ACTIVE_LOW = 116, 1
SELECTS = ((8, ACTIVE_LOW),)
"""(GPIO, its active level) of each select line. SPI has one device: the pin of the other select
line is the power key's."""


def name_on_partition(name: str) -> str | None:
    """Returns the name that a file of the system (`usr/lib/…`) has on the FAT partition; None if it
    doesn't belong there. A file of which each system has its own copy goes into system A's
    folder."""
    name = name.removeprefix("./")
    folder, _, last = name.rpartition("/")
    if folder == "usr/lib/raspi-firmware" and last in FIRMWARE:
        return last
    if re.fullmatch("usr/lib/linux-image-[^/]+/broadcom", folder) and TREES.fullmatch(last):
        return OF_A + last
    if folder == "boot" and last.startswith("vmlinuz-"):
        return OF_A + "vmlinuz"
    if folder == "boot" and last.startswith("initrd.img-"):
        return OF_A + "initrd.img"
    if name == "usr/share/doc/raspi-firmware/copyright":
        return "LICENCE.txt"
    return None


def boot_files(system: Path, folder: Path) -> dict[str, Path]:
    """Copies the FAT partition's files into a folder; returns their paths by their names on the
    partition. Raises ValueError if the system lacks one."""
    folder.mkdir(parents=True)
    (folder / OF_A).mkdir()
    found = {path.name: path for path in (HERE / "fat").iterdir()}
    found[OF_A + COMMAND_LINE] = HERE / COMMAND_LINE
    with tarfile.open(system) as tar:
        for member in tar:
            if member.isfile() and (name := name_on_partition(member.name)) is not None:
                data = tar.extractfile(member)
                assert data is not None
                (folder / name).write_bytes(data.read())
                found[name] = folder / name
    if lacks := {*FIRMWARE, OF_A + "vmlinuz", OF_A + "initrd.img"} - found.keys():
        raise ValueError(f"the system has no {', '.join(sorted(lacks))}")
    for name, path in found.items():
        if name.endswith(".dtb"):
            add_box_hardware(path)
    return dict(sorted(found.items()))


def boards_of(files: Iterable[Path]) -> tuple[str, ...]:
    """Returns the names of the boards whose device trees are among these files."""
    trees = sorted(path for path in files if path.suffix == ".dtb")
    told = (_run("fdtget", "-t", "s", str(tree), "/", "compatible").split() for tree in trees)
    return tuple(sorted({names[0] for names in told}))


def add_box_hardware(tree: Path) -> None:
    """Adds the box's hardware to a board's device tree, as Debian has no overlays for it."""
    handle = _phandle(tree, GPIO)
    _set_text(tree, "/aliases", "i2c1", I2C)  # the display is on bus 1, whatever is found first
    _set_text(tree, I2C, "status", "okay")
    _set_text(tree, SPI, "status", "okay")
    selects = [number for pin, level in SELECTS for number in (handle, pin, level)]
    _set_numbers(tree, SPI, "cs-gpios", selects)
    pins = next((one for one in _child_nodes(tree, GPIO) if one.startswith("spi0-gpio7")), None)
    if pins is not None:
        _set_text(tree, SPI, "pinctrl-names", "default")
        _set_numbers(tree, SPI, "pinctrl-0", [_phandle(tree, f"{GPIO}/{pins}", new=0x5350)])
        # Only these three of its pins are used: data out and in, and the clock.
        _set_numbers(tree, f"{GPIO}/{pins}", "brcm,pins", [9, 10, 11])
    display = f"{SPI}/display@0"
    _add_node(tree, display)
    _set_text(tree, display, "compatible", "rohm,dh2228fv")
    _set_numbers(tree, display, "reg", [0])
    _set_numbers(tree, display, "spi-max-frequency", [10_000_000])
    key = "/power-key"
    _add_node(tree, key)
    _add_node(tree, f"{GPIO}/power-key-pin")
    _set_numbers(tree, f"{GPIO}/power-key-pin", "brcm,pins", [POWER_KEY])
    _set_numbers(tree, f"{GPIO}/power-key-pin", "brcm,function", [0])
    _set_numbers(tree, f"{GPIO}/power-key-pin", "brcm,pull", [2])
    _set_text(tree, key, "compatible", "gpio-keys")
    _set_text(tree, key, "pinctrl-names", "default")
    _set_numbers(tree, key, "pinctrl-0", [_phandle(tree, f"{GPIO}/power-key-pin", new=0x504B)])
    _add_node(tree, f"{key}/key")
    _set_text(tree, f"{key}/key", "label", "power")
    _set_numbers(tree, f"{key}/key", "linux,code", [KEY_POWER])
    _set_numbers(tree, f"{key}/key", "gpios", [handle, POWER_KEY, ACTIVE_LOW])
    _set_numbers(tree, f"{key}/key", "debounce-interval", [100])


def _set_text(tree: Path, node: str, name: str, text: str) -> None:
    _run("fdtput", "-t", "s", str(tree), node, name, text)


def _set_numbers(tree: Path, node: str, name: str, numbers: list[int]) -> None:
    _run("fdtput", "-t", "i", str(tree), node, name, *map(str, numbers))


def _add_node(tree: Path, node: str) -> None:
    _run("fdtput", "-c", "-p", str(tree), node)


def _child_nodes(tree: Path, node: str) -> list[str]:
    return _run("fdtget", "-l", str(tree), node).split()


def _phandle(tree: Path, node: str, new: int | None = None) -> int:
    """Returns the number by which other nodes refer to this node. `new`: the number that the node
    gets if it has none."""
    if new is not None and "phandle" not in _run("fdtget", "-p", str(tree), node).split():
        _set_numbers(tree, node, "phandle", [new])
    return int(_run("fdtget", "-t", "i", str(tree), node, "phandle"))


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
