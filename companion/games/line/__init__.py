"""Hands with a line of play: the line, all that it may be, what each move does."""
