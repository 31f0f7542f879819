"""Keys and buzzer on GPIO pins."""
