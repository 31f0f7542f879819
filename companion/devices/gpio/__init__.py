"""Keys, buzzer and lights on the pins."""
