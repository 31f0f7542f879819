"""People's names in the record: hidden, renamed or forgotten."""
