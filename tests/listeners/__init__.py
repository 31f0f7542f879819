"""The programs that hear the table."""
