"""The commands of the command line: most only print something and return the exit status."""
