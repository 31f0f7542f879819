"""Simulated photos of dominoes on a table. The reader of photos is tuned and measured with them
(README.md); real photos are measured separately."""
