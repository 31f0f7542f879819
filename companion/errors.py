"""The two ways in which an entry can fail, told apart because their remedies differ."""


class EntryError(ValueError):
    """It can't be read: what was written is no entry."""


class RuleError(ValueError):
    """It is not allowed: the rules or the record refuse it; the message says what to do."""
