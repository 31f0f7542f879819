"""High Five! with tiles."""
