"""Highrise: tiles laid on tiles, level by level, with wild halves and spacers."""
