"""The commands that soon come to an end: they print, and return the exit status."""
