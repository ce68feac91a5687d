"""The addresses of a table's pages, and of the maps that tables share."""

from __future__ import annotations

from django.urls import URLPattern, path

from gamesmaster.host.views import (
    table,
    table_ballots,
    table_choices,
    table_desk,
    table_exports,
    table_finished,
    table_key,
    table_maps,
    table_past,
    table_plans,
    table_sandbox,
    table_standby,
    table_typing,
)

urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/", table.table, name="table"),
    path("t/<slug:key>/p/<int:ordinal>/", table_past.past, name="table-past"),
    path("t/<slug:key>/p/<int:ordinal>/why/<int:number>/", table_past.why, name="table-why"),
    path("t/<slug:key>/p/<int:ordinal>/claim", table_past.claim, name="table-claim"),
    path("t/<slug:key>/standby", table_standby.standby, name="table-standby"),
    path("t/<slug:key>/p/<int:ordinal>/report.txt", table_exports.report_text, name="table-report"),
    path("t/<slug:key>/layer.svg", table_maps.table_layer, name="table-layer"),
    path("t/<slug:key>/map.svg", table_exports.table_map, {"kind": "svg"}, name="table-map"),
    path("t/<slug:key>/map.<slug:kind>", table_exports.table_map, name="table-map-file"),
    path("t/<slug:key>/flip.svg", table_exports.flip, name="table-flip"),
    path("t/<slug:key>/record.json", table_exports.record, name="table-record"),
    path("t/<slug:key>/history.txt", table_exports.history_text, name="table-history"),
    path("t/<slug:key>/board.txt", table_exports.board_text, name="table-board"),
    path("t/<slug:key>/completions.json", table_typing.table_completions, name="table-completions"),
    path("t/<slug:key>/choices.json", table_choices.table_choices, name="table-choices"),
    path("t/<slug:key>/desk", table_desk.table_desk, name="table-desk"),
    path("t/<slug:key>/preview", table_desk.table_preview, name="table-preview"),
    path("t/<slug:key>/orders", table_desk.table_orders, name="table-orders"),
    path("t/<slug:key>/receipt.txt", table_desk.table_receipt, name="table-receipt"),
    path("t/<slug:key>/hold", table_desk.table_hold, name="table-hold"),
    path("t/<slug:key>/vote", table_ballots.vote, name="table-vote"),
    path("t/<slug:key>/statement", table_finished.statement, name="table-statement"),
    path("t/<slug:key>/plans", table_plans.make, name="table-plan"),
    path("t/<slug:key>/plan/guess", table_plans.guess, name="table-plan-guess"),
    path("t/<slug:key>/plan/use", table_plans.use, name="table-plan-use"),
    path("t/<slug:key>/plan/delete", table_plans.delete, name="table-plan-delete"),
    path("t/<slug:key>/process", table_sandbox.process, name="table-process"),
    path("t/<slug:key>/back/<int:ordinal>", table_sandbox.back, name="table-back"),
    path("t/<slug:key>/fork/<int:ordinal>", table_sandbox.fork, name="table-fork"),
    path("maps/<str:variant>/key-<slug:style>.<slug:digest>.svg", table_key.map_key, name="map-key"),
    path("maps/orders.<slug:digest>.css", table_maps.map_orders, name="map-orders"),
    path(
        "maps/<str:variant>/<slug:style>-<slug:layout>.<slug:digest>.svg", table_maps.map_sheet, name="map-sheet"
    ),
]  # fmt: skip
