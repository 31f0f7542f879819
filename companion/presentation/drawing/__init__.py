"""SVG: tiles, faces, the race."""
