"""The screens: key presses and the time in, rows to record and a 1-bit frame out."""
