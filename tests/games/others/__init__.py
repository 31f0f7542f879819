"""Random players and oracles of the games without a line of play; games are given as lines of a
tally."""
