"""Frozen dataclasses that are quick to define at startup, and JSON objects.

The library's `@dataclass(frozen=True, slots=True)` compiles six methods for each class at every
start. Here only `__init__` is compiled, when the first value of a class is created, and the other
methods are shared. A press of OK is handled as fast as with the library's classes. Also, before
Python 3.11.9 and 3.12.3, a generic class made by the library fails if it is called with its
parameters, as in `ConfirmEntry[LineBoard](...)`: `typing` then sets an attribute that the slots
refuse with TypeError. A class with options other than OPTIONS is left to the library."""

import dataclasses
import inspect
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

V = TypeVar("V")
Json = dict[str, Any]
"""A JSON object as a dictionary."""

OPTIONS = {"frozen", "slots", "kw_only", "eq", "repr"}
"""The options that a class made here may have. The first two have to be True."""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414  # for modules that import it from here
else:

    def dataclass(cls=None, /, **options):
        """Decorates a class as dataclasses.dataclass does, but builds frozen classes with slots
        itself, as the module's docstring describes."""
        known = options.get("frozen") and options.get("slots") and not options.keys() - OPTIONS
        if cls is not None or not known:
            return dataclasses.dataclass(cls, **options)
        return partial(_make_value_class, options=options)


def _make_value_class(cls: type, options: dict[str, bool]) -> type:
    """Returns the class with slots and the methods of a frozen dataclass. Methods that the class
    defines itself are kept."""
    described = _with_own_fields_only(cls, kw_only=options.get("kw_only", False))
    inherited: dict[str, Any] = {}
    for base in cls.__mro__[:0:-1]:
        inherited |= getattr(base, "__dataclass_fields__", {})
    by_name = inherited | described.__dataclass_fields__
    described.__dataclass_fields__ = by_name
    fields = dataclasses.fields(described)
    names = [field.name for field in fields]
    own = dict(vars(cls))
    for name in (*names, "__dict__", "__weakref__"):
        own.pop(name, None)
    init = _LateInit(fields)
    methods: dict[str, Any] = {
        "__init__": init,
        "__setattr__": _refuse_change,
        "__delattr__": _refuse_change,
        "__getstate__": lambda self: [getattr(self, name) for name in names],
        "__setstate__": lambda self, state: _set_fields(self, fields, state),
        "__match_args__": tuple(field.name for field in fields if field.init and not field.kw_only),
    }
    if options.get("repr", True):
        shown = tuple(field.name for field in fields if field.repr)
        methods["__repr__"] = lambda self: _repr(self, shown)
    if options.get("eq", True):
        methods["__eq__"], quick_hash = _comparison_methods(fields)
        own["__hash__"] = own.get("__hash__") or quick_hash
    content = methods | own
    content["__slots__"] = tuple(name for name in names if name not in inherited)
    content["__dataclass_fields__"] = by_name
    content["__dataclass_params__"] = described.__dataclass_params__
    init.made = made = type(cls)(cls.__name__, cls.__bases__, content)
    made.__qualname__ = cls.__qualname__
    return made


def _with_own_fields_only(cls: type, *, kw_only: bool) -> Any:
    """Returns a class with only the fields of `cls` itself, described by the library."""
    annotations, own = inspect.get_annotations(cls), vars(cls)
    content = {name: own[name] for name in annotations if name in own}
    content |= {"__annotations__": annotations, "__module__": cls.__module__}
    content["__doc__"] = cls.__name__  # otherwise the library composes one
    bare = type(cls.__name__, (), content)
    described: Any = dataclasses.dataclass(
        bare, init=False, repr=False, eq=False, match_args=False, kw_only=kw_only
    )
    described.__dataclass_params__.frozen = True
    return described


def _comparison_methods(fields: tuple[Any, ...]) -> tuple[Any, Any]:
    """Returns `__eq__` and `__hash__` for these fields."""
    compared = _fields_getter([field.name for field in fields if field.compare])
    hashed = _fields_getter(
        [field.name for field in fields if (field.compare if field.hash is None else field.hash)]
    )

    def equals(self: object, other: object) -> Any:
        same_kind = other.__class__ is self.__class__
        return compared(self) == compared(other) if same_kind else NotImplemented

    return equals, lambda self: hash(hashed(self))


class _LateInit:
    """Compiles the `__init__` of the class `made` on first use, and replaces itself with it."""

    made: Any

    def __init__(self, fields: tuple[Any, ...]) -> None:
        self._fields = fields

    def __get__(self, value: object, kind: type | None = None) -> Any:
        self.made.__init__ = init = _make_init(self.made, self._fields)
        return init.__get__(value, kind)


def _fields_getter(names: list[str]) -> Any:
    """A function that returns these attributes of a value as a tuple."""
    if len(names) == 1:
        only = attrgetter(names[0])
        return lambda one: (only(one),)
    return attrgetter(*names) if names else lambda _: ()


def _make_init(made: type, fields: tuple[Any, ...]) -> Any:
    """An `__init__` for these fields, equal to that of the library's dataclass."""
    known: dict[str, Any] = {"_new": dataclasses.MISSING}
    words, words_by_name, lines = ["self"], list[str](), list[str]()
    for field in fields:
        name = given = word = unasked = field.name
        if field.default is not dataclasses.MISSING:
            unasked = f"_is_{name}"
            known[unasked] = field.default
            word = f"{name}={unasked}"
        elif field.default_factory is not dataclasses.MISSING:
            unasked = f"_make_{name}()"
            known[f"_make_{name}"] = field.default_factory
            word, given = f"{name}=_new", f"{unasked} if {name} is _new else {name}"
        elif not field.init:
            continue
        if field.init:
            (words_by_name if field.kw_only else words).append(word)
        known[f"_set_{name}"] = getattr(made, name).__set__  # of the slot: quicker than setattr
        lines.append(f" _set_{name}(self, {given if field.init else unasked})")
    if words_by_name:
        words += ["*", *words_by_name]
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


def _set_fields(value: object, fields: tuple[Any, ...], state: list[Any]) -> None:
    for field, one in zip(fields, state, strict=True):
        object.__setattr__(value, field.name, one)


def changed(value: V, **fields: object) -> V:
    """A copy of the value with these fields changed. Unlike `dataclasses.replace`, it lets mypy
    accept a value whose declared type is not a dataclass. Raises TypeError if the value is not a
    dataclass or has no such field."""
    made: V = dataclasses.replace(cast(Any, value), **fields)
    return made


def quick_to_replace(cls: type[V]) -> type[V]:
    """Decorates a named tuple whose fields are replaced at each entry: its `_replace` takes half as
    long as the library's. It raises KeyError for a name that is not a field."""
    made: Any = cls
    places = {name: place for place, name in enumerate(made._fields)}

    def _replace(self: Any, /, **fields: object) -> Any:
        values = [*self]
        for name, value in fields.items():
            values[places[name]] = value
        return tuple.__new__(self.__class__, values)

    made._replace = _replace
    return cls


def _refuse_change(value: object, name: str, *_: object) -> None:
    raise dataclasses.FrozenInstanceError(f"{value.__class__.__name__}.{name} stays as it is")
