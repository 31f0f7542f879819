"""The people behind the seats: what the record's entries tell about them, evening by evening."""
