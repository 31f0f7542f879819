"""Random players and oracles of the games without a line of play, told as lines of a tally."""
