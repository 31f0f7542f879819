"""MicroPython's unix port, and the firmware on it. What is in `on_device` runs on MicroPython."""
