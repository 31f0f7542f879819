"""Files that replay a game from its moments, also for people without a box."""
