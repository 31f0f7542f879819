"""What the drawings of all games share, as SVG: tiles' faces, the paper, the race."""
