"""High Five! with card tiles: rows of five, scored by their combination."""
