"""The line games: High Five and Five Up."""
