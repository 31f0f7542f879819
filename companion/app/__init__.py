"""What is built once, when the table starts: hardware, page, background work."""

from pathlib import Path

SERVICE_RECORD = Path("/var/lib/companion/record.db")
"""The record of the table that runs as a service."""
