"""Hands with a line of play: the line, every line that is possible, what each move does."""
