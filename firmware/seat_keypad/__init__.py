"""The firmware of a seat keypad, for MicroPython on a Raspberry Pi Pico.

One loop runs six hundred times a second: `matrix` reads the contacts, `keys` turns them into
presses, `presses` queues these until the host has acknowledged them, `link` exchanges messages with
the host (PROTOCOL.md), `light` and `buzzer` show what the host sends. Only `board` knows the
hardware. Times are passed as arguments, in milliseconds of `time.ticks_ms` (see `ticks`).
"""
