"""Programs that hear what happens at the table: an MQTT broker, and hooks."""
