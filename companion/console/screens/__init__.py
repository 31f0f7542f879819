"""The screens that are not tied to one game, one topic per module."""
