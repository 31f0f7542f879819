"""Hands with a line of play: the line, all possible lines, and the effect of each move."""
