"""What a moment means for people, told once: what lies on the table, as data and drawn."""
