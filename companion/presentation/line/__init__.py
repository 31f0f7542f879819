"""The games with a line of play: High Five, Five Up, All Fives, and Fives and Threes."""
