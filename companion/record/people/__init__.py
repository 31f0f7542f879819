"""Names in the record: hidden, renamed, forgotten."""
