"""The box's own voice: clips for the pieces of what is said, and a sound card that plays them."""
