"""Calls of bogus play: the evidence, the deals that agree with it, and the verdicts."""
