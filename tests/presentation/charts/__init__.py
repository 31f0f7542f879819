"""The race of some games, drawn as the page shows it."""
