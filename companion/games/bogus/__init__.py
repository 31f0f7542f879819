"""A claim of bogus play: evidence, the deals that agree with it, the verdict."""
