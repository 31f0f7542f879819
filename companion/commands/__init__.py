"""The commands: most only print something and return the exit status."""
