"""The record of a table: each game's journal, and its rows on the disk."""
