"""The record of what happened: each game's journal, and its rows on the disk."""
