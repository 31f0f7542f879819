"""The person at the terminal, who reads lines and answers questions."""

import select
import sys
from typing import Protocol


class Terminal(Protocol):
    """The terminal on which a check says and asks things."""

    @property
    def asks(self) -> bool:
        """Whether questions may be asked: False if nobody is there to answer."""

    def tell(self, line: str, /) -> None:
        """Shows a line."""

    def ask(self, question: str, /) -> str:
        """Shows a question and waits for a line; empty if none will come."""

    def entered(self, patience_s: float, /) -> bool:
        """Waits at most `patience_s` for Enter; gives whether it came."""


class Silent:
    """The terminal if nobody is there: nothing is said, nothing asked."""

    asks = False

    def tell(self, _line: str, /) -> None:
        """Says nothing."""

    def ask(self, _question: str, /) -> str:
        """Gets no answer."""
        return ""

    def entered(self, _patience_s: float, /) -> bool:
        """Nobody enters anything."""
        return False


class StandardTerminal:
    """Standard input and output. `asks`: whether questions may be asked, if there is a terminal."""

    def __init__(self, asks: bool) -> None:
        self.asks = asks and sys.stdin.isatty() and sys.stdout.isatty()

    def tell(self, line: str) -> None:
        """Prints a line at once."""
        print(line, flush=True)

    def ask(self, question: str) -> str:
        """Reads a line."""
        print(question, end=" ", flush=True)
        return sys.stdin.readline().strip()

    def entered(self, patience_s: float) -> bool:
        """Waits at most `patience_s` for a line, which is thrown away; gives whether it came."""
        if not select.select([sys.stdin], [], [], patience_s)[0]:
            return False
        sys.stdin.readline()
        return True
