"""`companion check`: is this box wired, set up and kept as it should be?

A check is a function that takes the bench (bench.py: the box, the person at the terminal, and the
machine around them) and returns findings. `report.py` lists the checks, runs them and prints what
they found.
"""

PARTS = (
    "board", "bus", "display", "keys", "pads", "keypads", "tv", "voice", "pictures", "stick",
    "network", "disk", "clock", "record",
)  # fmt: skip
"""The parts that can be checked, in the order in which this is done."""
