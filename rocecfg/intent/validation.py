"""The whole intent through pydantic's engine in one call, and its errors as problems with line and column.

The engine (`pydantic_core`) takes one schema, made from the declarations of `rocecfg.intent.model`. It is used without
the models around it: importing and building those would make linting one file 1.7 times as long.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic_core import SchemaValidator, ValidationError, core_schema

from rocecfg.errors import Problem, did_you_mean
from rocecfg.intent.shape import Part
from rocecfg.units import shown
from rocecfg.yamlevents import MAX_PROBLEMS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic_core import CoreSchema, ErrorDetails
    from pydantic_core.core_schema import ValidationInfo, ValidatorFunctionWrapHandler

    from rocecfg.intent.shape import Field
    from rocecfg.yamlfile import Document

    Path = tuple[int | str, ...]

P = TypeVar("P", bound=Part)

_made: dict[type[Part], SchemaValidator] = {}
_MOST_KEYS = 500
"""A part with more keys than this has more unknown ones than anybody reads; the rest of them is not looked at."""


@dataclass(slots=True)
class _Met:
    """How many problems were met; a part counts those of the parts in it again."""

    problems: int = 0


def read_file(document: Document, shape: type[P], problems: list[Problem]) -> P:
    """Return the model of a document whose data is a mapping; problems are added to the list, an empty model returned.

    `shape` is what the file holds. What `links` holds is not looked at: links come in bulk (`rocecfg.intent.links`).
    """
    try:
        model: P = _validator(shape).validate_python(document.data, context=_Met())
    except ValidationError as error:
        details = error.errors(include_url=False)
        problems += (_problem(detail, document, shape) for detail in islice(details, 2 * MAX_PROBLEMS))
        return shape()
    problems += (
        Problem(*document.place(()), f'"{key}" is missing', f"add {field.example}, or name a {field.unless}")
        for key, field in shape.FIELDS.items()
        if field.unless and key not in model.stated and field.unless not in model.stated
    )
    return model


def _validator(shape: type[Part]) -> SchemaValidator:
    """Return the engine for one kind of file, made once."""
    known = _made.get(shape)
    if known is None:
        definitions: dict[str, CoreSchema] = {}
        root = _part(shape, definitions)
        known = SchemaValidator(core_schema.definitions_schema(root, list(definitions.values())))
        _made[shape] = known
    return known


def _part(shape: type[Part], definitions: dict[str, CoreSchema]) -> CoreSchema:
    """Return the engine's schema of a part: a reference to its definition, which is made once."""
    name = shape.__name__
    if name not in definitions:
        definitions[name] = core_schema.any_schema()  # keeps the place: no part holds itself
        keys = core_schema.typed_dict_schema(
            {
                key: core_schema.typed_dict_field(_field(field, definitions), required=field.required)
                for key, field in shape.FIELDS.items()
            },
            extra_behavior="forbid",
        )
        definitions[name] = core_schema.with_info_wrap_validator_function(_maker(shape), keys, ref=name)
    return core_schema.definition_reference_schema(name)


def _field(field: Field[Any], definitions: dict[str, CoreSchema]) -> CoreSchema:
    if field.stands_for is None:
        reader = field.read
        return core_schema.any_schema() if reader is None else core_schema.no_info_plain_validator_function(reader)
    part = _part(field.stands_for, definitions)
    if field.by_name:
        return core_schema.dict_schema(values_schema=part)
    return part if field.read is None else core_schema.no_info_before_validator_function(field.read, part)


def _maker(shape: type[Part]) -> Any:
    """Return the function that makes a part of checked keys, and that keeps a broken file from costing without end."""
    empty = shape()

    def make(raw: Any, check: ValidatorFunctionWrapHandler, info: ValidationInfo[_Met]) -> Part:
        met: _Met = info.context
        if met.problems > 10 * MAX_PROBLEMS:
            return empty  # enough is known: the file is refused anyway
        if isinstance(raw, dict) and len(raw) > _MOST_KEYS:
            raw = {key: raw[key] for key in (*shape.FIELDS, *islice(raw, _MOST_KEYS)) if key in raw}
        try:
            return shape(check(raw))
        except ValidationError as error:
            met.problems += error.error_count()
            raise

    return make


def _problem(detail: ErrorDetails, document: Document, shape: type[Part]) -> Problem:
    """Return one of the engine's errors as a problem: where it stands, what stands there, what is accepted."""
    path, kind, raw = detail["loc"], detail["type"], detail["input"]
    if kind == "value_error":
        error = detail["ctx"]["error"]
        return Problem(*document.place(path), f"{_name(path)}{error.message}", error.help)
    if kind == "missing":
        fields, _ = _declared(path[:-1], shape)
        return Problem(
            *document.place(path[:-1]),
            f'{_name(path[:-1])}"{path[-1]}" is missing',
            f"add {fields[str(path[-1])].example}",
        )
    if kind in ("extra_forbidden", "invalid_key"):
        known = list(_declared(path[:-1], shape)[0])
        where = f" in {'.'.join(map(str, path[:-1]))}" if path[:-1] else ""
        message = f"unknown key {shown(path[-1])}{where}{did_you_mean(str(path[-1]), known)}"
        return Problem(*document.key_place(path), message, f"accepted: {', '.join(known)}")
    # What is left is a mapping that is none: of a part's keys, or of parts by name.
    fields, table = _declared(path, shape)
    said = f"{shown(raw)} is no mapping" if raw is not None else "nothing is written here"
    if table is None:
        accepted = f"accepted keys: {', '.join(fields)}"
    else:
        accepted = f"write {table.example or '`name: {...}` lines under it'}"
    return Problem(*document.place(path), f"{_name(path)}{said}", accepted)


def _name(path: Path) -> str:
    return f"{'.'.join(map(str, path))}: " if path else ""


def _declared(path: Path, shape: type[Part]) -> tuple[Mapping[str, Field[Any]], Field[Any] | None]:
    """Return the fields of the part at a path of a file, and the field when there is a table of such parts."""
    fields: Mapping[str, Field[Any]] = shape.FIELDS
    table: Field[Any] | None = None
    for step in path:
        if table is not None:  # the step is a name of a table's part
            table = None
            continue
        field = fields[str(step)]
        fields = field.stands_for.FIELDS if field.stands_for is not None else {}
        table = field if field.by_name else None
    return fields, table
