"""The rules, pure: apply(state, entry) -> state, or a RuleError that a player understands."""
