"""What this program would make of a site that another one has kept; nothing is changed in its database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.game import find_variant
from gamesmaster.game.upgrade import Survey, is_former, survey
from gamesmaster.host import edition
from gamesmaster.host.models import KeptEdition, Table
from gamesmaster.host.service import editions


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A table: its key, name and state, and what this program makes of its game."""

    key: str
    name: str
    state: str
    survey: Survey


def waiting() -> int:
    """How many changes of the database wait.

    Raises `OutOfTurn` if a newer program has changed it, `NotFound` if there is no site in it.
    """
    executor = MigrationExecutor(connection)
    edition.refuse_newer(executor)
    if Table._meta.db_table not in connection.introspection.table_names():
        raise NotFound("there is no site in this database", hint="gamesmaster serve makes one")
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def count() -> int:
    """How many tables there are."""
    return Table.objects.count()


def surveyed() -> Iterator[Surveyed]:
    """Every table; only what the databases of all programs have is asked for."""
    kept = KeptEdition._meta.db_table in connection.introspection.table_names()
    columns = ("key", "name", "state", "variant", "digest", "record")
    for key, name, state, variant, digest, record in Table.objects.order_by("pk").values_list(*columns).iterator(50):
        find = editions.finder(digest) if kept else editions.shipped_finder(digest)
        yield Surveyed(
            key, name, state, survey(record, find=find, today=find_variant) if record else _unbegun(variant, find)
        )


def _unbegun(variant: str, find: editions.Find) -> Survey:
    try:
        found = find(variant)
    except GamesmasterError as error:
        return Survey(fault=str(error))
    return Survey(found.address, is_former(found))
