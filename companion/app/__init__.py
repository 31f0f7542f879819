"""What is built once, when the table starts: hardware, page, background work."""
