"""MicroPython's unix port, and the firmware on it. The files in `on_device` run on MicroPython."""
