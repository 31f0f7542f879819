"""High Fives: captures from a tableau, with a double-fifteen set."""
