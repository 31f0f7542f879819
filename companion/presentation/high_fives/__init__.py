"""High Fives."""
