"""The screens, words and menu items of games with a line of play."""
