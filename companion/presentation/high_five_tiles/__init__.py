"""The presentation of High Five! with tiles."""
