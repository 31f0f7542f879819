"""A damaged record: checked, opened, and what is readable saved."""
