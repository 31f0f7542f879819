"""Starts the seat keypad's firmware: the one that came with this file, or a newer one that the box
has installed. Writes faults to fault.txt, then restarts the keypad."""

import os
import sys
import time

import machine

BASE = "1.1.0"
"""The version of the firmware that came with this file, as in seat_keypad/messages.py."""
_RESTARTED = "After a restart:\n"


def log_fault(fault: Exception) -> None:
    """Writes a fault to fault.txt. A power-on starts a new file; after a restart only the first
    fault is added. Writing a recurring fault every two seconds would wear out the flash."""
    powered = machine.reset_cause() == machine.PWRON_RESET
    try:
        with open("fault.txt") as file:
            kept = file.read()
    except OSError:
        kept = ""
    if not powered and _RESTARTED in kept:
        return
    try:
        with open("fault.txt", "w" if powered else "a") as file:
            file.write("After the power came:\n" if powered else _RESTARTED)
            sys.print_exception(fault, file)
    except OSError:
        pass


def firmware_folder() -> str:
    """Returns the folder of the firmware to start; ".frozen" is the one that came with this file.
    New firmware from the box is started once, and kept if it hears the box (seat_keypad/trial.py);
    otherwise the previous one is started again."""
    here = os.listdir()
    if "tried" in here:
        os.remove("tried")
    if "trial" not in here:
        return _read_folder("current")
    os.rename("trial", "tried")
    return _read_folder("tried")


def _read_folder(name: str) -> str:
    """Returns the folder named in the file `name`; ".frozen" if there is no such file, or if it was
    written for another BASE: then people have since copied firmware here by hand, and that has to
    start."""
    try:
        with open(name) as file:
            told = file.read().split()
    except OSError:
        return ".frozen"
    return told[0] if len(told) == 2 and told[1] == BASE else ".frozen"


def start() -> None:
    """Runs the keypad until it loses power; restarts it after a fault."""
    try:
        sys.path.insert(0, firmware_folder())
        from seat_keypad.board import run

        run()
    except KeyboardInterrupt:
        print("The keypad stopped; machine.reset() starts it again.")
    except Exception as fault:
        sys.print_exception(fault)
        log_fault(fault)
        time.sleep(2)
        machine.reset()


if __name__ == "__main__":
    start()
