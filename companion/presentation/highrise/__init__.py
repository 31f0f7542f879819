"""The presentation of Highrise."""
