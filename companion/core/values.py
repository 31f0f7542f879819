"""Frozen dataclasses that are quick to define at startup, and JSON objects.

The library's `@dataclass(frozen=True, slots=True)` compiles six methods a class, at every start.
Here only `__init__` is compiled, and the others are shared. With the library's dataclasses the
start takes 220 ms of processor time up to the first frame instead of 184 (127 classes); handling an
OK takes the same time. Also, before Python 3.11.9 and 3.12.3, a generic class made by the library
fails if it is called with its parameters, as in `ConfirmEntry[LineBoard](...)`: `typing` then sets
an attribute that the slots refuse with TypeError. A class with other options, or one derived from a
dataclass, is left to the library.
"""

import dataclasses
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

V = TypeVar("V")
Json = dict[str, Any]
"""A JSON object as a dictionary."""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414  # for whoever imports it here
else:

    def dataclass(cls=None, /, **options):
        """Decorates a class as dataclasses.dataclass does; frozen classes with slots as described
        above."""
        if options != {"frozen": True, "slots": True} or cls is not None:
            return dataclasses.dataclass(cls, **options)
        return _value


def _value(cls: type) -> type:
    if any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:]):
        return dataclasses.dataclass(frozen=True, slots=True)(cls)
    own = dict(vars(cls))
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    fields = dataclasses.fields(made)
    own_hash = own.get("__hash__") is not None
    shown = tuple(field.name for field in fields if field.repr)
    compared = _getter([field.name for field in fields if field.compare])
    hashed = _getter(
        [field.name for field in fields if (field.compare if field.hash is None else field.hash)]
    )

    def equals(self: object, other: object) -> Any:
        same_kind = other.__class__ is self.__class__
        return compared(self) == compared(other) if same_kind else NotImplemented

    methods = {
        "__init__": _init(made, fields),
        "__repr__": lambda self: _repr(self, shown),
        "__eq__": equals,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__getstate__": lambda self: [getattr(self, field.name) for field in fields],
        "__setstate__": lambda self, state: _set_all(self, fields, state),
    }
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    if not own_hash:
        made.__hash__ = lambda self: hash(hashed(self))
    made.__dataclass_params__.frozen = True
    return made  # type: ignore[no-any-return]


def _getter(names: list[str]) -> Any:
    """A function that returns these attributes of a value as a tuple."""
    if len(names) == 1:
        only = attrgetter(names[0])
        return lambda one: (only(one),)
    return attrgetter(*names) if names else lambda _: ()


def _init(made: type, fields: tuple[Any, ...]) -> Any:
    """An `__init__` for these fields, equal to that of the library's dataclass."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_new": dataclasses.MISSING}
    words, lines = ["self"], []
    for field in fields:
        name = field.name
        if not field.init:
            raise TypeError(f"{made.__name__}.{name}: init=False is not made here")
        given = name
        if field.default is not dataclasses.MISSING:
            known[f"_is_{name}"] = field.default
            words.append(f"{name}=_is_{name}")
        elif field.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = field.default_factory
            words.append(f"{name}=_new")
            given = f"_make_{name}() if {name} is _new else {name}"
        else:
            words.append(name)
        lines.append(f" _set(self, {name!r}, {given})")
    if hasattr(made, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec(f"def __init__({', '.join(words)}):\n" + ("\n".join(lines) or " pass"), known)
    init = known["__init__"]
    init.__qualname__ = f"{made.__qualname__}.__init__"
    init.__annotations__ = {field.name: field.type for field in fields} | {"return": None}
    return init


def _repr(value: object, shown: tuple[str, ...]) -> str:
    told = ", ".join(f"{name}={getattr(value, name)!r}" for name in shown)
    return f"{value.__class__.__qualname__}({told})"


def _set_all(value: object, fields: tuple[Any, ...], state: list[Any]) -> None:
    for field, one in zip(fields, state, strict=True):
        object.__setattr__(value, field.name, one)


def changed(value: V, **fields: object) -> V:
    """A copy of the value with these fields changed. Unlike `dataclasses.replace`, it lets mypy
    accept a value whose declared type is no dataclass. Raises TypeError if the value is no
    dataclass or has no such field."""
    made: V = dataclasses.replace(cast(Any, value), **fields)
    return made


def _refuse(value: object, name: str, *_: object) -> None:
    raise dataclasses.FrozenInstanceError(f"{value.__class__.__name__}.{name} stays as it is")
