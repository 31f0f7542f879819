"""Words that several pictures share. Sentences are templates here and in the pictures' own files,
formatted nowhere else."""

NO_TILE, ONE_TILE, TILES = "no tile", "1 tile", "{number} tiles"
NOT_PLACED = "{tiles} whose place is not known."


def tiles_in_words(number: int) -> str:
    """no tile, 1 tile, 12 tiles"""
    return (NO_TILE, ONE_TILE)[number] if number < 2 else TILES.format(number=number)


def not_placed(number: int) -> str:
    """The sentence on tiles that lie there though the record doesn't tell where; none for 0."""
    return NOT_PLACED.format(tiles=tiles_in_words(number)) if number else ""
