"""The firmware of a seat keypad, for MicroPython on a Raspberry Pi Pico.

One loop turns six hundred times a second: `matrix` reads the contacts, `keys` finds presses in
them, `presses` keeps these until the host has taken them, `link` talks to the host (PROTOCOL.md),
`light` and `buzzer` show what the host says. `board` joins these to real pins. Only `board` knows
the hardware, and time comes in as an argument: milliseconds by `time.ticks_ms`, see `ticks`.
"""
