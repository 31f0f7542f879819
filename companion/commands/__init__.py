"""The commands that run briefly: they print something and return the exit status."""
