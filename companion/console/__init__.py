"""The screens: key presses in, rows to record and a 1-bit frame out."""
