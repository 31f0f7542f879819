"""Starts the seat keypad. A fault is written to fault.txt, and the keypad starts anew."""

import sys
import time

import machine

try:
    from seat_keypad.board import run

    run()
except KeyboardInterrupt:
    print("The keypad stopped; machine.reset() starts it again.")
except Exception as fault:
    sys.print_exception(fault)
    try:
        with open("fault.txt", "w") as file:
            sys.print_exception(fault, file)
    except OSError:
        pass
    time.sleep(2)
    machine.reset()
