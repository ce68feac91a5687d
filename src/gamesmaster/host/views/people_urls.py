"""Addresses of the pages about people, games, variants and order."""

from __future__ import annotations

from django.urls import URLPattern, path

from gamesmaster.host.views import (
    front,
    front_receipts,
    games,
    games_new,
    gm,
    gm_remarks,
    moderation,
    people,
    security,
    tutorial,
    variants,
)

urlpatterns: list[URLPattern] = [
    path("sandbox/new", front.new_sandbox, name="new-sandbox"),
    path("tutorial/", tutorial.tutorial, name="tutorial"),
    path("receipts/verify", front_receipts.verify, name="verify-receipt"),
    path("games", games.games, name="games"),
    path("games/new", games_new.new, name="new-game"),
    path("games/alone", games_new.alone, name="new-alone"),
    path("join/<slug:key>/<slug:invitation>/", games.invited, name="invited"),
    path("t/<slug:key>/lobby/", games.lobby, name="lobby"),
    path("t/<slug:key>/join", games.join, name="join"),
    path("t/<slug:key>/leave", games.leave, name="leave"),
    path("t/<slug:key>/resume", games.resume, name="resume"),
    path("t/<slug:key>/host", games.host, name="host-table"),
    path("t/<slug:key>/gm/", gm.desk, name="gm"),
    path("t/<slug:key>/gm/preview", gm.preview, name="gm-preview"),
    path("t/<slug:key>/gm/do", gm.do, name="gm-do"),
    path("t/<slug:key>/remarks/", gm_remarks.remarks, name="remarks"),
    path("t/<slug:key>/remarks/ask", gm_remarks.ask, name="remarks-ask"),
    path("t/<slug:key>/remarks/all.json", gm_remarks.export, name="remarks-export"),
    path("variants/", variants.shelf, name="variants"),
    path("variants/<slug:name>/", variants.variant, name="variant"),
    path("variants/<slug:name>/map.svg", variants.map_svg, name="variant-map"),
    path("variants/<slug:name>/rules/", variants.rules, name="variant-rules"),
    path("me", people.me, name="me"),
    path("me/absences", people.absences, name="absences"),
    path("me/data", people.data, name="my-data"),
    path("me/data.json", people.export, name="my-data-export"),
    path("me/security/", security.page, name="security"),
    path("me/security/end", security.end, name="end-sessions"),
    path("ratings", people.ratings_list, name="ratings"),
    path("people/<str:name>/", people.person, name="person"),
    path("report", moderation.report, name="report"),
    path("moderation/", moderation.desk, name="moderation"),
    path("moderation/alike", moderation.same_address, name="alike"),
    path("moderation/log", moderation.log, name="audit-log"),
    path("moderation/close/<int:number>", moderation.close, name="close-complaint"),
    path("moderation/people", moderation.roles, name="roles"),
]
