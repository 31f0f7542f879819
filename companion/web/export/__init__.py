"""Files for people without a box: replays of games, pictures, and papers of events."""
