"""The games with a line of play: High Five, Five Up and All Fives."""
