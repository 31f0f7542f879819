"""Starts the seat keypad. A fault is written to fault.txt, and the keypad starts anew."""

import sys
import time

import machine

_RESTARTED = "After a restart:\n"


def keep(fault: Exception) -> None:
    """Writes a fault to fault.txt, once for each reason to boot: a keypad that meets the same fault
    every two seconds would wear its flash out. When the power came the file begins anew; one fault
    after a restart is added to it."""
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


try:
    from seat_keypad.board import run

    run()
except KeyboardInterrupt:
    print("The keypad stopped; machine.reset() starts it again.")
except Exception as fault:
    sys.print_exception(fault)
    keep(fault)
    time.sleep(2)
    machine.reset()
