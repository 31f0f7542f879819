"""A tournament evening, computed from its text alone: the seating of the next round, and the
standings.

`reading` parses the text into a `ClubEvent` (docs/events.md), `pairing` draws its next round and
`standings` counts its results. All of this is pure: the same text gives the same tables and the
same standings on every machine and with every version of Python, so an auditor can repeat a draw.
"""
