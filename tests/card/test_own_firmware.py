"""The kernel finds firmware on the card."""

from pathlib import Path

from companion.card.settings import use_firmware


def test_without_firmware_nothing_is_done(tmp_path: Path) -> None:
    done: list[list[str]] = []
    assert not use_firmware(tmp_path, tmp_path / "path", tmp_path, done.append)
    assert not (tmp_path / "path").exists() and done == []


def test_the_driver_of_a_chip_without_firmware_is_reloaded(tmp_path: Path) -> None:
    fat, devices, done = tmp_path / "fat", tmp_path / "net", list[list[str]]()
    (fat / "firmware" / "brcm").mkdir(parents=True)
    (devices / "lo").mkdir(parents=True)
    assert use_firmware(fat, tmp_path / "path", devices, done.append)
    assert (tmp_path / "path").read_text() == str(fat / "firmware")
    assert done == [["modprobe", "-r", "brcmfmac-wcc", "brcmfmac"], ["modprobe", "brcmfmac"]]


def test_the_driver_of_a_running_chip_is_not_reloaded(tmp_path: Path) -> None:
    fat, devices, done = tmp_path / "fat", tmp_path / "net", list[list[str]]()
    (fat / "firmware").mkdir(parents=True)
    (devices / "wlan0").mkdir(parents=True)
    assert use_firmware(fat, tmp_path / "path", devices, done.append) and done == []
