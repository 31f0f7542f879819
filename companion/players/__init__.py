"""Statistics and history of the people behind the seats, evening by evening, from the record's
entries."""
