"""The table itself: one loop that owns everything that changes."""
