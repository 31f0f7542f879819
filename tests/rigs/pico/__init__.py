"""An emulated Raspberry Pi Pico, with MicroPython and the firmware in its flash."""
