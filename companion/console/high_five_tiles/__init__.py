"""High Five! with tiles at the box: the family's card, the turns, and the words of its history."""
