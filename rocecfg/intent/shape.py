"""How the shape of an intent is written down: parts with fields, each field with its reader, schema and description.

A `Part` is a mapping of the file with a closed set of keys; it is read once and never changes. Readers are the
functions of `rocecfg.intent.fields`. What is declared here pydantic's engine checks (`rocecfg.intent.validation`) and
`rocecfg.intent.schema` publishes as JSON Schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Self, TypeVar, overload

from rocecfg.intent.fields import Auto, auto_or

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")
P = TypeVar("P", bound="Part")
Schema = dict[str, Any]


class Field(Generic[T]):
    """One key of a part. On a part it gives the value in base units, or None where the file does not say.

    `read` turns what the file says into the value; for a field that stands for a part (`stands_for`), or for parts by
    name (`by_name`), it only turns short forms into the long one. None: nothing is to be turned.
    """

    __slots__ = ("by_name", "description", "example", "name", "read", "schema", "stands_for", "unless")

    def __init__(
        self,
        read: Callable[[Any], Any] | None,
        schema: Callable[[], Schema],
        description: str,
        *,
        example: str = "",
        stands_for: type[Part] | None = None,
        by_name: bool = False,
        unless: str = "",
    ) -> None:
        self.read = read
        self.schema = schema
        self.description = description
        self.example = example
        self.stands_for = stands_for
        self.by_name = by_name
        self.unless = unless
        self.name = ""

    @property
    def required(self) -> bool:
        """Whether the key must be there; a required key shows how to write it.

        A key that another one makes unnecessary (`unless`) is none of these.
        """
        return bool(self.example) and not self.unless

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


def value(reader: Callable[[Any], T], schema: Schema, description: str, *, example: str = "") -> Field[T]:
    """Return a field that has to be explicit."""
    return Field(reader, lambda: schema, description, example=example)


def setting(reader: Callable[[Any], T], schema: Schema, description: str) -> Field[T | Auto]:
    """Return a field that also takes `auto`."""
    return Field(auto_or(reader), lambda: with_auto(schema), description)


def group(
    shape: type[P], *, short: Callable[[Any], Any] | None = None, schema: Callable[[], Schema] | None = None
) -> Field[P]:
    """Return a field that holds a part; `short` turns short forms (`ecn: false`) into the long one."""
    description = (shape.__doc__ or "").split("\n", 1)[0]
    return Field(short, schema or (lambda: reference(shape)), description, stands_for=shape)


def table(shape: type[P], description: str, *, example: str = "", unless: str = "") -> Field[dict[str, P]]:
    """Return a field that holds parts by name; required with an example, `unless` another key is there."""

    def schema() -> Schema:
        return {"type": "object", "additionalProperties": reference(shape)}

    return Field(None, schema, description, example=example, stands_for=shape, by_name=True, unless=unless)


def later(schema: Schema, description: str) -> Field[Any]:
    """Return a field whose value is kept as it is: somebody else reads it."""
    return Field(None, lambda: schema, description)


def reference(shape: type[Part]) -> Schema:
    """Return the JSON Schema reference to a part."""
    return {"$ref": f"#/$defs/{shape.__name__}"}


def with_auto(schema: Schema) -> Schema:
    """Return a schema that takes `auto` as well; its examples stay outside."""
    inner = {key: item for key, item in schema.items() if key != "examples"}
    examples = {"examples": ["auto", *schema["examples"]]} if "examples" in schema else {}
    return {"anyOf": [{"const": "auto"}, inner], **examples}
