"""A damaged record: checking and opening it, and saving what can be read."""
