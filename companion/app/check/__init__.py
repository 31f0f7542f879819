"""`companion check`: checks whether this box is wired, set up and maintained correctly.

A check is a function that yields findings about the bench that it is given (bench.py: the box, the
person at the terminal, and the machine around them). `report.py` lists the checks, runs them and
prints their findings."""

PARTS = (
    "board", "bus", "display", "keys", "pads", "keypads", "tv", "voice", "pictures", "stick",
    "network", "disk", "clock", "record",
)  # fmt: skip
"""The parts that can be checked, in this order."""
