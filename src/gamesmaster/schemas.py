"""Schemas of files from strangers: pydantic's models, and their faults as errors that a person can correct.

Imported only when a file is read: importing pydantic takes far longer than reading a board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

from gamesmaster.errors import BadFile, nearest
from gamesmaster.strictjson import path_text

Model = TypeVar("Model", bound=BaseModel)

MOST_PROVINCES = 1_000
MOST_EDGES = 20_000  # counting a two-way pair once, over all ways of travel


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("control characters and invisible marks are not allowed")
    return text


_TRIMMED = r"^\S(.*\S)?$"
Name = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=_TRIMMED), AfterValidator(_printable)]
Short = Annotated[str, StringConstraints(min_length=1, max_length=16, pattern=_TRIMMED), AfterValidator(_printable)]
Reason = Annotated[str, StringConstraints(max_length=400), AfterValidator(_printable)]
ProvinceId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{1,16}$")]
Coast = Annotated[str, StringConstraints(pattern=r"^[A-Z]{1,4}$")]
Place = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{1,16}(/[A-Z]{1,4})?$")]
Way = Annotated[str, StringConstraints(pattern=r"^[a-z]{1,16}$")]
Kind = Annotated[str, StringConstraints(pattern=r"^[A-Z]{1,3}$")]
UnitText = Annotated[str, StringConstraints(pattern=r"^[A-Z]{1,3}(/[A-Z]{1,3})? [A-Za-z0-9]{1,16}(/[A-Z]{1,4})?$")]
"""A unit as files write it: `F STP/NC`."""


class Entry(BaseModel):
    """An object of a file from a stranger: no unknown keys, nothing read as another type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Facts(BaseModel):
    """An object of another program's file, of which some keys are read; the others are passed over."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


def validate(model: type[Model], data: object, error: type[BadFile], where: str = "") -> Model:
    """Return `data` as an instance of `model`; raise `error` with the path of a fault and the nearest valid value.

    `where` names the file in complaints.
    """
    try:
        return model.model_validate(data)
    except ValidationError as found:
        faults = found.errors(include_url=False)
    fault = min(faults, key=lambda fault: fault["type"] == "missing")  # a key that is missing is mostly misspelt
    path = _path(data, fault)
    inner = [one for one in faults if _path(data, one)[: len(path)] == path]  # of a union, what fits best goes deepest
    fault = max(inner, key=lambda one: len(_path(data, one)))
    path = _path(data, fault)
    raise error(_what(fault), where=place(where, path), hint=_hint(model, fault, path))


def place(where: str, path: Sequence[str | int]) -> str:
    """Return the place of a value in a file: `board.json, $.provinces[3].id`."""
    return f"{where}, {path_text(path)}" if where else path_text(path)


def _path(data: object, fault: Mapping[str, Any]) -> list[str | int]:
    """Return the fault's place in the data, without pydantic's own marks (for a key, or for a branch of a union)."""
    path: list[str | int] = []
    for part in fault["loc"]:
        if (isinstance(data, Mapping) and part in data) or (isinstance(data, Sequence) and isinstance(part, int)):
            path.append(part)
            data = data[part]
    return [*path, fault["loc"][-1]] if fault["type"] == "missing" else path


def _what(fault: Mapping[str, Any]) -> str:
    match fault["type"]:
        case "extra_forbidden":
            return "this key is not known here"
        case "missing":
            return "this key is missing"
        case "value_error":
            return str(fault["ctx"]["error"])
        case "model_type" | "dict_type":
            return "expected an object here"
        case "string_unicode":
            return "this text is not valid Unicode"
    said = str(fault["msg"]).removesuffix(" after validation")
    given = fault["input"]
    seen = f", not {given[:40]!r}" if isinstance(given, str) else ""
    return said[0].lower() + said[1:] + seen


def _hint(model: type[BaseModel], fault: Mapping[str, Any], path: Sequence[str | int]) -> str:
    if fault["type"] == "extra_forbidden" and isinstance(path[-1], str):
        return nearest(path[-1], _keys(model.model_json_schema(), path[:-1]))
    if fault["type"] == "enum" and isinstance(fault["input"], str):
        return nearest(fault["input"], str(fault["ctx"]["expected"]).replace("'", "").replace(" or ", ", ").split(", "))
    return ""


def _value(node: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the schema of the value of a key: of a named key, or of any key of a table."""
    named: Mapping[str, Any] | None = node.get("properties", {}).get(key)
    any_key = [*node.get("patternProperties", {}).values(), node.get("additionalProperties")]
    return named or next(value for value in any_key if isinstance(value, Mapping))


def _keys(schema: Mapping[str, Any], path: Sequence[str | int]) -> list[str]:
    """Return the keys that the schema knows at this path."""
    node = schema
    for step in (*path, None):
        while "$ref" in node:
            node = schema["$defs"][node["$ref"].rpartition("/")[2]]
        if step is None:
            break
        node = node["items"] if isinstance(step, int) else _value(node, step)
    return list(node.get("properties", ()))
