"""A tournament evening from its text alone: who sits where next, and how everybody stands.

`reading` makes a `ClubEvent` of the text (docs/events.md), `pairing` draws the next round of it and
`standings` counts it. All of it is pure: the same text gives the same tables and the same standings
on every machine and every Python, so an auditor can repeat a draw.
"""
