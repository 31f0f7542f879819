"""Highrise: tiles stacked on tiles, level by level, with wild halves and spacers."""
