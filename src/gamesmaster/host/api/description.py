"""The API described: an example of every body and answer, made of those of its fields; and the calls in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]
PLAIN = {
    "date-time": "2027-01-05T20:00:00Z", "date": "2027-01-05", "string": "", "integer": 0, "number": 0.0,
    "boolean": True, "null": None,
}  # fmt: skip
"""What stands where a field has no example: by format, else by type."""
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Parameter:
    """What stands in the address of a call, or after its question mark."""

    name: str
    kind: str
    required: bool
    says: str


@dataclass(frozen=True, slots=True)
class Part:
    """A field of a body or an answer."""

    name: str
    kind: str
    required: bool
    says: str


@dataclass(frozen=True, slots=True)
class Body:
    """What is sent, or what is answered: in words, field by field, and as an example in JSON."""

    says: str
    fields: tuple[Part, ...]
    example: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the API."""

    mark: str
    room: str
    method: str
    path: str
    says: str
    parameters: tuple[Parameter, ...]
    sent: Body | None
    answered: Body | None


def with_examples(described: dict[str, Any]) -> dict[str, Any]:
    """The description with an example of every body in JSON and of every answer to what went well."""
    parts = described["components"]["schemas"]
    for _, _, call in _calls(described):
        for content in (_sent(call), _answered(call)):
            if content is not None:
                content["example"] = example(content["schema"], parts)
    return described


def example(schema: Schema, parts: Mapping[str, Schema]) -> Any:
    """A value of this shape: its own example, its default, or made of those of its parts."""
    if "$ref" in schema:
        return example(parts[schema["$ref"].rpartition("/")[2]], parts)
    if schema.get("examples"):
        return schema["examples"][0]
    if "default" in schema:
        return schema["default"]
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return example(schema[several][0], parts)
    if "enum" in schema or "const" in schema:
        return schema.get("const", next(iter(schema.get("enum", [None]))))
    if "properties" in schema:
        return {name: example(field, parts) for name, field in schema["properties"].items()}
    if schema.get("type") == "array":
        return [example(schema.get("items", {}), parts)]
    if schema.get("type") == "object":
        return {}
    if schema.get("type") == "integer":
        return schema.get("minimum", 0)
    return PLAIN.get(schema.get("format", ""), PLAIN.get(schema.get("type", "null")))


def calls(described: Mapping[str, Any]) -> list[Call]:
    """All calls, in the order of the description."""
    parts = described["components"]["schemas"]
    return [
        Call(
            mark=call["operationId"].rpartition("_")[2] + f"-{number}",
            room=call["tags"][0],
            method=method.upper(),
            path=path,
            says=call.get("description", call.get("summary", "")),
            parameters=tuple(_parameter(one, parts) for one in call.get("parameters", ())),
            sent=_body(_sent(call), parts),
            answered=_body(_answered(call), parts),
        )
        for number, (method, path, call) in enumerate(_calls(described))
    ]


def _calls(described: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in described["paths"].items():
        for method in METHODS:
            if method in methods:
                yield method, path, methods[method]


def _sent(call: Schema) -> dict[str, Any] | None:
    return _json(call.get("requestBody", {}))


def _answered(call: Schema) -> dict[str, Any] | None:
    """The answer to what went well; its code is a number here, and text in files."""
    return next((_json(one) for code, one in call["responses"].items() if str(code) in ("200", "201")), None)


def _json(told: Mapping[str, Any]) -> dict[str, Any] | None:
    content: dict[str, Any] | None = told.get("content", {}).get("application/json")
    return content if content and content.get("schema") else None


def _body(content: Schema | None, parts: Mapping[str, Schema]) -> Body | None:
    if content is None:
        return None
    schema = content["schema"]
    shape = _shape(schema["items"] if schema.get("type") == "array" else schema, parts)
    wanted = shape.get("required", ())
    fields = [
        Part(name, kind_of(field), name in wanted, _says(field, parts))
        for name, field in shape.get("properties", {}).items()
    ]
    text = json.dumps(example(schema, parts), indent=2, ensure_ascii=False)
    return Body(shape.get("description", ""), tuple(fields), text)


def _shape(schema: Schema, parts: Mapping[str, Schema]) -> Schema:
    return parts[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _says(field: Schema, parts: Mapping[str, Schema]) -> str:
    """What a field is, in its own words, or in those of its shape."""
    inner = field.get("items", field)
    return str(field.get("description") or _shape(inner, parts).get("description") or "")


def kind_of(schema: Schema) -> str:
    """The kind of a value in words: `text`, `list of PowerOut`, `number or nothing`."""
    words = {
        "string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "object": "object",
        "null": "null",
    }  # fmt: skip
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(kind_of(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(json.dumps(one) for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {kind_of(schema.get('items', {}))}"
    if schema.get("format") in ("date", "date-time"):
        return {"date": "day", "date-time": "time"}[schema["format"]]
    return words.get(schema.get("type", ""), "any")


def _parameter(told: Schema, parts: Mapping[str, Schema]) -> Parameter:
    schema = told.get("schema", {})
    says = told.get("description") or schema.get("description") or ""
    return Parameter(told["name"], kind_of(_shape(schema, parts)), bool(told.get("required")), says)
