"""The order in which people look for names in a list."""

import re
from typing import Final
from unicodedata import combining, normalize

NUMBER: Final = re.compile(r"([0-9]{1,15})")


def as_looked_up(name: str) -> tuple[tuple[str | int, ...], str]:
    """The key by which a list of names is sorted: Óscar stands under O, Table 2 before Table 10."""
    letters = "".join(one for one in normalize("NFKD", name) if not combining(one))
    parts = NUMBER.split(letters.casefold())
    return tuple(int(one) if at % 2 else one for at, one in enumerate(parts)), name
