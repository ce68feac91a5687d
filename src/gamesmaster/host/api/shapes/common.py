"""What the shapes of the API have in common."""

from __future__ import annotations

from typing import Annotated

from ninja import Schema
from pydantic import ConfigDict, Field

Ordinal = Annotated[int, Field(ge=0, le=1_000_000, description="the number of the phase, from 0", examples=[0])]
Name = Annotated[str, Field(max_length=80)]
Text = Annotated[str, Field(max_length=40_000)]
Line = Annotated[str, Field(max_length=400)]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]
Power = Annotated[str, Field(examples=["France"])]
Code = Annotated[str, Field(examples=["S1901M"])]
Key = Annotated[str, Field(examples=["kmqdtrwvzx"])]
OrderText = Annotated[str, Field(examples=["A Par - Bur"])]
Clause = Annotated[str, Field(examples=["STD-6.a"])]
Units = Annotated[dict[str, list[str]], Field(examples=[{"France": ["A Par", "F Bre"]}])]


class Given(Schema):
    """What a call takes: only the fields named here."""

    model_config = ConfigDict(extra="forbid")


class Done(Schema):
    """Done."""

    done: bool = True


class TextOut(Schema):
    """A text."""

    text: str = Field(examples=["Spring 1901, orders..."])
