"""The rules of all games, as pure functions: apply(state, entry) returns the next state, or raises
a RuleError whose message players understand."""
