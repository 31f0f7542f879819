"""The person at the terminal, who reads lines and answers questions."""

import select
import sys
from typing import Protocol


class Terminal(Protocol):
    """The terminal on which a check says and asks things. `asks` is false where nobody is there to
    answer."""

    @property
    def asks(self) -> bool:
        """Whether questions may be asked."""

    def tell(self, line: str, /) -> None:
        """Shows a line."""

    def ask(self, question: str, /) -> str:
        """Shows a question and waits for a line; empty where there will be none."""

    def entered(self, patience_s: float, /) -> bool:
        """Waits at most that long for Enter; whether it came."""


class Silent:
    """Nobody is there: nothing is said, nothing asked."""

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
    """Standard input and output. `asks`: questions are wanted, and there is a terminal."""

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
        """Waits for a line and throws it away."""
        if not select.select([sys.stdin], [], [], patience_s)[0]:
            return False
        sys.stdin.readline()
        return True
