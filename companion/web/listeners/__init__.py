"""Programs that are told what happens at the table: an MQTT broker, and hooks."""
