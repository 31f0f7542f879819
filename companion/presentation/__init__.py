"""What a moment of a game means for people, said in one place: its words, its data and its
drawing."""
