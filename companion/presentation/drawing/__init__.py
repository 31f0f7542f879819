"""SVG parts that the drawings of all games share: tile faces, the paper, the race."""
