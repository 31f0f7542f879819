"""What happened, kept: the journal and its rows on the disk."""
