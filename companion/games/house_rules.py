"""Describes and reads house rules, and defines those that several games share. Rules of a single
game are in its `OPTIONS`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.core.errors import EntryError, whole_number
from companion.core.values import dataclass
from companion.core.words import OR, counted, listed, phrase

Value = int | str
ValueInSet = Value | Callable[[int], Value]
Options = Mapping[str, Value]
OFF = "off"
"""The value of a house rule that is switched off."""
NO_YES: Mapping[Value, str] = MappingProxyType({"off": phrase("no"), "on": phrase("yes")})
"""The words for off and on in a sentence."""


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule. `default` and `choices` may depend on the number of seats. As a sentence it is
    “LABEL: VALUE”; `value_words` has words for values that need an explanation.
    `chosen_before_game`: the box prompts for the value before each game, and keeps it for the
    next."""

    name: str
    meaning: str
    default: Callable[[int], Value]
    choices: Callable[[int], tuple[Value, ...]]
    read: Callable[[str, int], Value]
    label: str = ""
    value_words: tuple[tuple[Value, str], ...] = ()
    chosen_before_game: bool = False
    in_sets: tuple[tuple[Value, "ValueInSet"], ...] = ()
    """The value in each named set of house rules that doesn't use the default, or a function that
    returns that value for a number of seats."""
    open_in: tuple[Value, ...] = ()
    """The named sets that leave this option to the table, which chooses it before a game. The
    choice doesn't count as a change of the set."""

    def value_in_words(self, value: Value) -> str:
        """The value as it appears in the rule's sentence."""
        return dict(self.value_words).get(value, str(value))

    def sentence(self, value: Value) -> str:
        """The rule with this value: “Tiles that stay: 0”."""
        return phrase(
            "{rule}: {value}", rule=self.label or self.name, value=self.value_in_words(value)
        )

    def usual(self, seats: int, in_set: Value | None = None) -> Value:
        """The value if the table chose none: that of the named set `in_set`, or else the
        default."""
        value = dict(self.in_sets).get(in_set, self.default) if in_set else self.default
        return value(seats) if callable(value) else value

    def sets(self, **values: "ValueInSet") -> "Option":
        """A copy of the option that has these values in the named sets: `sets(R=7)`."""
        return replace(self, in_sets=tuple(values.items()))

    def left_open(self, *sets: Value) -> "Option":
        """A copy of the option, whose value these named sets leave to the table."""
        return replace(self, open_in=sets)

    def with_words(self, label: str, value_words: Mapping[Any, str] | None = None) -> "Option":
        """A copy of the option with the words for its sentence."""
        return replace(self, label=label, value_words=tuple((value_words or {}).items()))

    @classmethod
    def words(cls, name: str, meaning: str, *choices: str) -> "Option":
        """An option whose choices are words, the default first."""

        known = {choice.lower(): choice for choice in choices}

        def read(text: str, _seats: int) -> Value:
            if text.lower() not in known:
                raise EntryError(
                    "option {name} is {choices}, not {text}",
                    name=name,
                    choices=listed(choices, OR),
                    text=text,
                )
            return known[text.lower()]

        return cls(name, meaning, lambda _: choices[0], lambda _: choices, read)

    @classmethod
    def number(
        cls,
        name: str,
        meaning: str,
        default: Callable[[int], int],
        among: Callable[[int], Iterable[int]],
        offered: Callable[[int], Iterable[int]] | None = None,
    ) -> "Option":
        """An option whose choices are whole numbers. `among` returns all numbers that are allowed,
        `offered` those that a screen lists."""

        def read(text: str, seats: int) -> Value:
            value = whole_number(text, phrase("option {name}", name=name))
            allowed = tuple(among(seats))
            if value not in allowed:
                raise EntryError(
                    "option {name} is {allowed} for {seats} players, not {value}",
                    name=name,
                    allowed=numbers_in_words(allowed),
                    seats=seats,
                    value=value,
                )
            return value

        listed = offered or among
        return cls(name, meaning, default, lambda seats: tuple(listed(seats)), read)


SET = "set"
"""The option for choosing a named set of house rules as a whole."""


def values_in_set(
    options: Sequence[Option], seats: int, named: Value, values: Options
) -> dict[str, Value]:
    """The value of every option if the table chooses the set `named`. Options that a set leaves to
    the table keep their value from `values`."""
    usual = {option.name: option.usual(seats, named) for option in options} | {SET: named}
    stay = {option.name: values[option.name] for option in options if option.open_in}
    return usual | stay


def options_left_open(options: Sequence[Option], seats: int, values: Options) -> Iterator[Option]:
    """The options that the chosen set leaves to the table, if they still have their default value
    and more than one choice."""
    for option in options:
        chosen = values[option.name] != option.default(seats)
        if values.get(SET) in option.open_in and len(option.choices(seats)) > 1 and not chosen:
            yield option


class AgreedRule(NamedTuple):
    """An agreed house rule."""

    option: Option
    sentence: str
    """The rule in words, as in “Tiles that stay: 0”; for a named set, also how many of its rules
    were changed."""
    usual: bool
    """Whether the rule has its usual value: the default, or that of the named set."""
    changes: int = 0
    """For a named set: how many of its rules were changed."""


def agreed_rules(options: Sequence[Option], seats: int, values: Options) -> Iterator[AgreedRule]:
    """All agreed house rules of a game, in the order of its options."""
    named = values.get(SET)
    changed = [
        option
        for option in options
        if option.name != SET
        and named not in option.open_in
        and values[option.name] != option.usual(seats, named)
    ]
    for option in options:
        value, usual = values[option.name], option not in changed
        sentence = option.sentence(value)
        if option.name != SET:
            yield AgreedRule(option, sentence, usual)
            continue
        if changed:
            sentence = counted(
                "{rule}, with 1 change",
                "{rule}, with {number} changes",
                len(changed),
                rule=sentence,
            )
        yield AgreedRule(option, sentence, value == option.default(seats), len(changed))


def numbers_in_words(numbers: tuple[int, ...]) -> str:
    """A short list of the numbers: “0, 10 or 50”, “3 to 9”, “100 to 500 in steps of 5”."""
    steps = {b - a for a, b in pairwise(numbers)}
    if len(numbers) > 3 and len(steps) == 1:
        step = steps.pop()
        first, last = numbers[0], numbers[-1]
        if step == 1:
            return phrase("{first} to {last}", first=first, last=last)
        return phrase("{first} to {last} in steps of {step}", first=first, last=last, step=step)
    return listed(map(str, numbers), last=OR)


# ---------------------------------------------------------------- house rules of several games


PARTNERS = replace(
    Option.words("partners", phrase("Seats 1 and 3 play together against 2 and 4"), OFF, "on")
    .with_words(phrase("Partners"), NO_YES)
    .left_open("home"),
    choices=lambda seats: (OFF, "on") if seats == 4 else (OFF,),
)
MATCH = Option.number(
    "match", phrase("Most games win the match; if level, you play on"), lambda _: 1,
    lambda _: (1, 3, 5),
).with_words(
    phrase("Match"), {1: phrase("one game"), 3: phrase("best of 3"), 5: phrase("best of 5")}
)  # fmt: skip
LEAVE = Option.number(
    "leave", phrase("Tiles that stay in the boneyard"), lambda _: 0, lambda _: range(3)
).with_words(phrase("Tiles that stay"))
ROUNDING = Option.words(
    "rounding", phrase("Pips left are rounded to the nearest five, or up"), "nearest", "up"
).with_words(phrase("Pips"), {"nearest": phrase("to the nearest five"), "up": phrase("rounded up")})
FIRST_SCORE = Option.number(
    "first-score",
    phrase("Lowest first score that counts"),
    lambda _: 0,
    lambda _: (0, 10),
).with_words(phrase("First score"), {0: phrase("any"), 10: phrase("10 or more")})


FINISH_HAND = Option.words(
    "finish-hand", phrase("The target counts only at a hand's end"), "off", "on"
).with_words(phrase("Hand is finished first"), NO_YES)
