"""Starts the seat keypad: the firmware that came with this file, or a newer one that the box has
put beside it. A fault is written to fault.txt, and then the keypad starts anew."""

import os
import sys
import time

import machine

BASE = "1.1.0"
"""The version of the firmware that came with this file, as seat_keypad/messages.py has it."""
_RESTARTED = "After a restart:\n"


def keep(fault: Exception) -> None:
    """Writes a fault to fault.txt, once for each reason to boot: a keypad that meets the same fault
    every two seconds would wear its flash out. After the power came the file begins anew; after a
    restart the fault is added, but only the first."""
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


def choose() -> str:
    """Gives the folder of the firmware to start: that of a newer one, or ".frozen" for the one that
    came with this file. Firmware that the box has just put there is started once, and stays if it
    hears the box (seat_keypad/trial.py); otherwise the one before is started again."""
    here = os.listdir()
    if "tried" in here:
        os.remove("tried")
    if "trial" not in here:
        return _folder("current")
    os.rename("trial", "tried")
    return _folder("tried")


def _folder(name: str) -> str:
    """The folder that a file names; ".frozen" if there is no such file, or if it was put beside
    another version of this file: people who copy new firmware by hand want that to start."""
    try:
        with open(name) as file:
            told = file.read().split()
    except OSError:
        return ".frozen"
    return told[0] if len(told) == 2 and told[1] == BASE else ".frozen"


def start() -> None:
    """Runs the keypad until the power goes; restarts it after a fault."""
    try:
        sys.path.insert(0, choose())
        from seat_keypad.board import run

        run()
    except KeyboardInterrupt:
        print("The keypad stopped; machine.reset() starts it again.")
    except Exception as fault:
        sys.print_exception(fault)
        keep(fault)
        time.sleep(2)
        machine.reset()


if __name__ == "__main__":
    start()
