"""Our fast value classes behave like those of the standard library."""

import copy
import dataclasses
import inspect
import pickle
import sys
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from companion.core import values

T = TypeVar("T")
Maker = Callable[[type], type]
LIBRARYS: Maker = dataclasses.dataclass(frozen=True, slots=True)
OURS: Maker = values.dataclass(frozen=True, slots=True)


def plain(make: Maker) -> Any:
    class Plain:
        """Two fields, one with a default."""

        kind: ClassVar[str] = "tile"
        one: int
        two: str = "two"

        @property
        def both(self) -> str:
            return f"{self.one}{self.two}"

    return make(Plain)


def single(make: Maker) -> Any:
    class Single:
        """One field."""

        only: object

    return make(Single)


def empty(make: Maker) -> Any:
    class Empty:
        """No field."""

    return make(Empty)


def with_all_settings(make: Maker) -> Any:
    class More:
        """Every setting that a field can have."""

        seen: int
        unseen: int = dataclasses.field(default=1, repr=False)
        beside: int = dataclasses.field(default=2, compare=False)
        made: list[int] = dataclasses.field(default_factory=list, hash=False)

        def __post_init__(self) -> None:
            if self.seen < 0:
                raise ValueError("less than nothing")

    return make(More)


def with_own(make: Maker) -> Any:
    class Own:
        """A class whose own methods stay."""

        one: int
        two: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self)) and self.one == other.one

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    return make(Own)


def derived(make: Maker) -> Any:
    """A class that adds a field, overrides the default of another, and inherits a check."""

    class Derived(with_all_settings(make)):  # type: ignore[misc]
        unseen: int = 5
        further: int = 6

    return make(Derived)


def of_a_kind(make: Maker) -> Any:
    class Of(Generic[T]):
        """A generic class."""

        one: T

    return make(Of)


def computed(make: Maker) -> Any:
    class Computed:
        """Fields that are no arguments: with a value, a default, a factory, and nothing."""

        one: int
        double: int = dataclasses.field(init=False)
        three: int = dataclasses.field(default=3, init=False)
        four: list[int] = dataclasses.field(default_factory=list, init=False)
        never: int = dataclasses.field(init=False, repr=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "double", 2 * self.one)
            object.__setattr__(self, "four", self.one)  # a list has no hash

    return make(Computed)


def by_name(make: Maker) -> Any:
    class ByName:
        """Arguments by name only, in the middle."""

        one: int
        two: int = dataclasses.field(kw_only=True, default=2)
        three: int = 3

    return make(ByName)


@pytest.fixture(
    params=[
        plain,
        single,
        empty,
        with_all_settings,
        with_own,
        derived,
        of_a_kind,
        computed,
        by_name,
    ]
)
def kinds(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """One class made twice: by the standard library and by our module."""
    return request.param(LIBRARYS), request.param(OURS)


def arguments(kind: Any) -> list[tuple[int, ...]]:
    count = sum(
        one.init and one.default is one.default_factory is dataclasses.MISSING
        for one in dataclasses.fields(kind)
    )
    return [tuple(numbers[:count]) for numbers in ((1, 2), (1, 3), (2, 2), (1, 2))]


def test_equality_hash_and_repr_are_those_of_the_library(kinds: tuple[Any, Any]) -> None:
    told = []
    for kind in kinds:
        made = [kind(*one) for one in arguments(kind)]
        pairs = [(one == other, hash(one) == hash(other)) for one in made for other in made]
        told.append((list(map(repr, made)), pairs, made[0] == 5, made[0] != made[1]))
    assert told[0] == [*told][1]


def test_values_are_frozen(kinds: tuple[Any, Any]) -> None:
    for kind in kinds:
        value = kind(*arguments(kind)[0])
        for name in (*(field.name for field in dataclasses.fields(kind)), "another"):
            with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
                setattr(value, name, 5)
            with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
                delattr(value, name)
        assert not hasattr(value, "__dict__")
        assert kind.__dataclass_params__.frozen


def test_signature_replacing_and_matching_are_those_of_the_library(kinds: tuple[Any, Any]) -> None:
    librarys, ours = kinds
    assert ours.__match_args__ == librarys.__match_args__
    told = [
        [(one.name, one.kind) for one in inspect.signature(kind).parameters.values()]
        for kind in kinds
    ]
    assert told[0] == told[1]
    for name in ours.__match_args__:
        for kind in kinds:
            value = kind(*arguments(kind)[0])
            assert getattr(dataclasses.replace(value, **{name: 9}), name) == 9
    with pytest.raises(TypeError):
        ours(*range(9))


def test_defaults_are_used_and_post_init_checks_are_made() -> None:
    for make in (LIBRARYS, OURS):
        kind = with_all_settings(make)
        assert kind(1).made == []
        assert kind(1).made is not kind(1).made
        assert kind(1, made=[5]).made == [5]
        with pytest.raises(ValueError, match="less"):
            kind(-1)
        assert plain(make)(1).both == "1two"


def test_values_can_be_copied_and_pickled(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = plain(OURS)
    monkeypatch.setattr(sys.modules[__name__], "Plain", kind, raising=False)
    kind.__qualname__ = "Plain"
    value = kind(1, "x")
    for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert again == value


def test_classes_with_other_options_use_the_library() -> None:
    class Ordered:
        one: int

    ordered: Any = values.dataclass(order=True)(Ordered)
    assert ordered(1) < ordered(2)


@pytest.mark.parametrize("option", ["kw_only", "eq", "repr"])
def test_options_have_the_same_effect_as_in_the_library(option: str) -> None:
    told: list[tuple[object, ...]] = []
    for make in (dataclasses.dataclass, values.dataclass):
        options = {option: option == "kw_only"}

        class One:
            """One field."""

            one: int

        made: Any = make(frozen=True, slots=True, **options)(One)
        told.append((made(one=1) == made(one=1), repr(made(one=1)).partition(" object")[0]))
        told[-1] += (str(inspect.signature(made).parameters["one"].kind),)
    assert told[0] == told[1]


def test_a_subclass_that_is_no_dataclass_inherits_all() -> None:
    class Child(single(OURS)):  # type: ignore[misc]
        pass

    assert Child(5) == Child(5) != Child(6)
    assert Child(5).only == 5


def test_a_class_compiles_its_init_once() -> None:
    kind = single(OURS)
    kind(1)
    assert kind.__init__ is kind.__init__
    assert inspect.isfunction(vars(kind)["__init__"])
