"""The play of High Fives: turns by tiles or by points, captures, the tableau, what is left."""
