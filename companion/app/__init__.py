"""Sets up everything once, when the table starts: hardware, page, background work."""

from pathlib import Path

SERVICE_RECORD = Path("/var/lib/companion/record.db")
"""The path of the record when the table runs as a service."""
