"""The table itself: one loop owns everything that changes."""
