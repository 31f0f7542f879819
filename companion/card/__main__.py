"""The commands of a flashed card, run by the image's systemd units: `python -m companion.card
settings | tell | board | wifi | trial | update`.

The table starts only after `settings`. So this module imports as little as possible; the other
commands import what they need when they run, which takes seconds on a slow processor."""

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.app import SERVICE_RECORD

FAT_FOLDER = Path("/boot/firmware")
SYSTEM_FOLDER = Path("/run/companion-card")
WIFI_FOLDER = Path("/data/wifi")
PARTITION = Path("/dev/disk/by-partuuid/434f4d50-04")
"""The record's partition. It isn't found by its label, because a power failure may damage the block
of the file system with the label."""
RETRY_S = 2.0
"""Seconds between attempts to send a line to a table that is not open yet."""


def apply_settings() -> int:
    """Grows the record's partition, and writes the card's settings where the system reads them;
    returns the exit status."""
    from companion.card.files import Mistake
    from companion.card.partitions import card_of, grow, resize_in_kernel
    from companion.card.settings import Settings, read_settings, use_firmware, write_settings

    settings, mistakes = read_settings(FAT_FOLDER), list[str]()
    try:
        card = card_of(PARTITION)
        if grow(card):
            resize_in_kernel(card)
    except Mistake as error:
        mistakes.append(str(error))
    try:
        use_firmware(FAT_FOLDER)
    except OSError as error:
        mistakes.append(f"The folder firmware of the card can't be used: {error.strerror}")
    every = (*settings.mistakes, *mistakes)
    write_settings(
        Settings(settings.config, settings.wifi, settings.zone, settings.keys, every), SYSTEM_FOLDER
    )
    for line in every:
        print(line, file=sys.stderr)
    return 0


def show_mistakes() -> int:
    """Sends the mistakes in the card's settings to the table, once it is open; returns the exit
    status."""
    from companion.app.notice_socket import MAX_NOTICE_CHARS
    from companion.card.settings import MISTAKES, in_one_line

    path = SYSTEM_FOLDER / MISTAKES
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    if line := in_one_line(lines, MAX_NOTICE_CHARS):
        _show_at_table(line)
    return 0


def find_board() -> int:
    """Identifies the board by a key press if no display answers and no board is configured. Waits
    for a key that only one board has, stores the board's name on the card, and restarts the table.
    Returns the exit status."""
    from companion.app.config import parse_config
    from companion.app.hardware import kind_of_hardware
    from companion.card.hat import wait_for_board
    from companion.card.settings import CONFIG, names_board, save_board
    from companion.devices.gpio.pins import open_pins

    config = (SYSTEM_FOLDER / CONFIG).read_text(encoding="utf-8")
    if names_board(config) or kind_of_hardware(parse_config(config, CONFIG), CONFIG) != "pads":
        return 0
    factory = open_pins("kernel")
    try:
        name = wait_for_board(factory)
    finally:
        factory.close()
    save_board(name, FAT_FOLDER)
    apply_settings()
    subprocess.run(["systemctl", "restart", "companion"], check=True)
    return 0


def join_wifi() -> int:
    """Keeps the box connected to a known network or runs its own Wi-Fi, and shows at the table
    which of them it uses. Returns the exit status."""
    from companion.card.files import Mistake
    from companion.card.settings import read_wifi
    from companion.card.wifi import Wifi
    from companion.card.wireless import run_wireless

    try:
        wifi = read_wifi(FAT_FOLDER)
    except Mistake:
        wifi = Wifi(())  # reported to the table at the start
    return run_wireless("wlan0", wifi, SYSTEM_FOLDER, WIFI_FOLDER, _show_at_table)


def _show_at_table(line: str) -> None:
    from companion.app.notice_socket import send_notice

    while not send_notice(SERVICE_RECORD, line):
        time.sleep(RETRY_S)


def end_trial() -> int:
    """Ends the trial of an update after a start: keeps the new version, or returns to the previous
    one. Returns the exit status."""
    from companion.app.updates.systems import (
        CARD_STEPS,
        FOLDER,
        end_trial,
        find_systems,
        state_of_table,
        table_is_well,
    )

    systems = find_systems()
    try:
        line = end_trial(FOLDER, systems, CARD_STEPS, lambda: table_is_well(state_of_table))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        if systems.chosen() != systems.running:
            CARD_STEPS.reboot()  # then the previous version is running again
        return 1
    if line:
        _show_at_table(line)
    return 0


def take_updates() -> int:
    """Installs the updates received from a stick or the page, each a file or an address; returns
    the exit status."""
    from companion.app.catalog import CATALOG
    from companion.app.notice_socket import send_notice
    from companion.app.updates.file import UpdateError
    from companion.app.updates.install import ADDRESS, incoming, install_from, reason_for, this_box
    from companion.core.regular_file import read_text

    def tell(line: str) -> None:
        print(line, flush=True)
        send_notice(SERVICE_RECORD, line)

    status = 0
    for path in incoming(SERVICE_RECORD):
        try:
            typed = path.suffix == ADDRESS
            where = read_text(path).strip() if typed else str(path)
            install_from(where, this_box(SERVICE_RECORD, CATALOG.rules), tell, by_phone=typed)
            status = 0
        except (UpdateError, OSError) as error:
            tell(reason_for(error))
            status = 1 if isinstance(error, UpdateError) else 2
        finally:
            path.unlink(missing_ok=True)
    return status


COMMANDS: dict[str, Callable[[], int]] = {
    "settings": apply_settings,
    "tell": show_mistakes,
    "board": find_board,
    "wifi": join_wifi,
    "trial": end_trial,
    "update": take_updates,
}


def main(words: Sequence[str]) -> int:
    """Runs the command in the first argument; returns the exit status."""
    if len(words) != 1 or words[0] not in COMMANDS:
        print(f"write one of: {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    return COMMANDS[words[0]]()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
