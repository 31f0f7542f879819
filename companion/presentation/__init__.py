"""Presents a moment of a game to people: its words, its data and its drawing."""
