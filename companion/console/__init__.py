"""The screens: from key presses to rows for the record and 1-bit frames."""
