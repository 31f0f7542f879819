"""The race of some games, drawn as the page has it."""
