"""Options that belong together: a command takes them as one value, and people see them one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Any, get_type_hints


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with the fields of its dataclass parameters as single options."""
    shape = signature(command, eval_str=True)
    groups: dict[str, Any] = {p.name: p.annotation for p in shape.parameters.values() if is_dataclass(p.annotation)}

    @wraps(command)
    def run(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        command(**given)

    plain: list[Parameter] = []
    for parameter in shape.parameters.values():
        own = [parameter.replace(kind=Parameter.KEYWORD_ONLY)]
        plain += _parameters(parameter.annotation) if parameter.name in groups else own
    run.__signature__ = shape.replace(parameters=plain)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in plain}
    return run


def _parameters(kind: Any) -> list[Parameter]:
    """Return a parameter for each field of an options class."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=_default(field), annotation=hints[field.name])
        for field in fields(kind)
    ]


def _default(field: Field[Any]) -> Any:
    return Parameter.empty if field.default is MISSING else field.default
