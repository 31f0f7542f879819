"""How a moment of a game is presented to people, in one place: its words, its data and its
drawing."""
