"""The programs that listen to the table."""
