"""The people behind the seats: what the record's entries say of them, evening by evening."""
