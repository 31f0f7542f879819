"""The presentation of High Fives."""
