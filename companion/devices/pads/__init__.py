"""Number pads and keyboards."""
