"""How the shape of an intent is written down: parts with fields, each field with its reader, schema and description.

A `Part` is a mapping of the file with a closed set of keys; it is read once and never changes. Readers are the
functions of `rocecfg.intent.fields`. Every field already needs a reader of its own (units, `auto`, DSCP lists), so a
validation library would add only nesting and unknown keys, and its import alone costs more than linting one file
with yamllint; this module is that remainder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Self, TypeVar, overload

from rocecfg.errors import Problem, did_you_mean
from rocecfg.intent.fields import Auto, auto_or
from rocecfg.units import UnitError, shown
from rocecfg.yamlevents import MAX_PROBLEMS, too_many

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocecfg.yamlfile import Document, Place

T = TypeVar("T")
P = TypeVar("P", bound="Part")
Schema = dict[str, Any]


class Field(Generic[T]):
    """One key of a part. On a part it gives the value in base units, or None where the file does not say."""

    __slots__ = ("description", "example", "name", "read", "required", "schema", "stands_for")

    def __init__(
        self,
        read: Callable[[Any, Reading], T],
        schema: Callable[[], Schema],
        description: str,
        *,
        example: str = "",
        stands_for: type[Part] | None = None,
    ) -> None:
        self.read = read
        self.schema = schema
        self.description = description
        self.required = bool(example)  # a required key shows how to write it
        self.example = example
        self.stands_for = stands_for
        self.name = ""

    def __set_name__(self, _owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, part: None, _owner: type) -> Self: ...
    @overload
    def __get__(self, part: Part, _owner: type) -> T | None: ...
    def __get__(self, part: Part | None, _owner: type) -> Self | T | None:
        return self if part is None else part.stated.get(self.name)

    def __set__(self, _part: Part, _value: Any) -> NoReturn:
        raise AttributeError(self.name)


class Part:
    """A piece of an intent. `stated` holds what the file says, by key; a class's fields are in `FIELDS`."""

    __slots__ = ("stated",)
    FIELDS: ClassVar[Mapping[str, Field[Any]]] = {}

    def __init__(self, stated: Mapping[str, Any] | None = None) -> None:
        self.stated: Mapping[str, Any] = stated or {}

    def __init_subclass__(cls) -> None:
        cls.FIELDS = {**cls.FIELDS, **{name: item for name, item in vars(cls).items() if isinstance(item, Field)}}


class Reading:
    """Where the reader stands in the document, and the problems it has met so far."""

    def __init__(self, document: Document, problems: list[Problem]) -> None:
        self.document = document
        self.problems = problems
        self.path: tuple[Any, ...] = ()  # keys of a broken file need not be words

    def part(self, shape: type[P], data: Any, place: Place, *, besides: tuple[str, ...] = ()) -> P:
        """Read a mapping; `besides` = keys that somebody else reads. Problems are noted, never raised."""
        known = [*shape.FIELDS, *besides]
        if not isinstance(data, dict):
            said = f"{shown(data)} is no mapping" if data is not None else "nothing is written here"
            self.note(place, said, f"accepted keys: {', '.join(known)}")
            return shape()
        stated: dict[str, Any] = {}
        outer = self.path
        for key, raw in data.items():
            field = shape.FIELDS.get(key)
            if field is not None:
                self.path = (*outer, key)
                try:
                    stated[key] = field.read(raw, self)
                except UnitError as error:
                    self.note(self.document.child_place(data, key), error.message, error.help)
            elif key not in besides:
                where = f" in {'.'.join(outer)}" if outer else ""
                message = f"unknown key {shown(key)}{where}{did_you_mean(str(key), known)}"
                self.path = ()
                self.note(self.document.child_place(data, key, key=True), message, f"accepted: {', '.join(known)}")
        self.path = outer
        for field in shape.FIELDS.values():
            if field.required and field.name not in data:
                self.note(place, f'"{field.name}" is missing', f"add {field.example}")
        return shape(stated)

    def here(self) -> Place:
        """Return the place of the value that is being read."""
        return self.document.place(self.path)

    def note(self, place: Place, message: str, help_text: str) -> None:
        """Note a problem under the name of the key it is about."""
        name = f"{'.'.join(map(str, self.path))}: " if self.path else ""
        self.problems.append(Problem(*place, f"{name}{message}", help_text))
        if len(self.problems) > 2 * MAX_PROBLEMS:  # a hundred may come from the links
            raise too_many(self.problems)


def value(reader: Callable[[Any], T], schema: Schema, description: str, *, example: str = "") -> Field[T]:
    """Return a field that has to be explicit."""

    def read(raw: Any, _reading: Reading) -> T:
        return reader(raw)

    return Field(read, lambda: schema, description, example=example)


def setting(reader: Callable[[Any], T], schema: Schema, description: str) -> Field[T | Auto]:
    """Return a field that also takes `auto`."""
    wide = auto_or(reader)

    def read(raw: Any, _reading: Reading) -> T | Auto:
        found: T | Auto = wide(raw)
        return found

    return Field(read, lambda: with_auto(schema), description)


def group(
    shape: type[P], *, short: Callable[[Any], Any] | None = None, schema: Callable[[], Schema] | None = None
) -> Field[P]:
    """Return a field that holds a part; `short` turns short forms (`ecn: false`) into the long one."""

    def read(raw: Any, reading: Reading) -> P:
        return reading.part(shape, raw if short is None else short(raw), reading.here())

    description = (shape.__doc__ or "").split("\n", 1)[0]
    return Field(read, schema or (lambda: reference(shape)), description, stands_for=shape)


def table(shape: type[P], description: str, *, example: str = "") -> Field[dict[str, P]]:
    """Return a field that holds parts by name."""

    def read(raw: Any, reading: Reading) -> dict[str, P]:
        if not isinstance(raw, dict):
            said = f"{shown(raw)} is no mapping" if raw is not None else "nothing is written here"
            raise UnitError(said, f"write {example}" if example else "write `name: {...}` lines under it")
        outer = reading.path
        parts = {}
        for name, item in raw.items():
            reading.path = (*outer, name)
            parts[name] = reading.part(shape, item, reading.document.child_place(raw, name))
        reading.path = outer
        return parts

    def schema() -> Schema:
        return {"type": "object", "additionalProperties": reference(shape)}

    return Field(read, schema, description, example=example, stands_for=shape)


def reference(shape: type[Part]) -> Schema:
    """Return the JSON Schema reference to a part."""
    return {"$ref": f"#/$defs/{shape.__name__}"}


def with_auto(schema: Schema) -> Schema:
    """Return a schema that takes `auto` as well; its examples stay outside."""
    inner = {key: item for key, item in schema.items() if key != "examples"}
    examples = {"examples": ["auto", *schema["examples"]]} if "examples" in schema else {}
    return {"anyOf": [{"const": "auto"}, inner], **examples}
