"""A tournament evening from its text alone: who sits where in the next round, and the standings.

`reading` makes a `ClubEvent` of the text (docs/events.md), `pairing` draws its next round and
`standings` counts its results. All of this is pure: the same text gives the same tables and the
same standings on every machine and with every version of Python, so an auditor can repeat a draw.
"""
