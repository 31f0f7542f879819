"""A stub of MicroPython's module `micropython`, with the names that the firmware imports."""


def const(value: int) -> int:
    """The value itself; on the Pico the compiler puts the number wherever the name is used."""
    return value
