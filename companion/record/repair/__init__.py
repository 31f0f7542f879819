"""A damaged record: checking and opening it, and rescuing what is readable."""
