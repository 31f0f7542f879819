"""What is said of a row that was entered elsewhere."""

from companion.console.screen import View
from companion.console.words import shown
from companion.games.game import B
from companion.record.rows import Kept, Step


def entered_by(kept: Kept, view: View[B]) -> str:
    """“Anna's phone: 6-3.”, “A phone: Blue 6-3.”: who made a row of entries, and the last of them,
    `view` being after it. A surface is named by what its name begins with: phone-3 is a phone."""
    kind = (kept.surface or "box").partition("-")[0]
    name = shown(kept.keyed_by) if kept.keyed_by else ""
    whose = f"{name}'s {kind}" if name else f"A {kind}"
    entries = kept.row.entries if isinstance(kept.row, Step) else ()
    was = view.play.in_words(entries[-1], view.state) if entries else "a change"
    return f"{whose}: {was.removeprefix(f'{name} ')}."
