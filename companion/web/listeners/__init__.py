"""Programs that receive the table's events: an MQTT broker, and hooks."""
