"""What games with a line of play bring to the console: their screens, words and menu items."""
