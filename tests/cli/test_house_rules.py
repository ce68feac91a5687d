"""House rules from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from gamesmaster.game import load
from gamesmaster.variant.house_rules import house_rule_settings

from .conftest import SEED, Run


def test_they_are_listed(run: Run) -> None:
    """`house-rules` lists every setting with its answers, the one in force in brackets, and the presets."""
    output = run("house-rules").stdout
    assert all(f" {name} " in output for name in house_rule_settings())
    assert "[until_adjudicated] strict" in output
    assert "[0] from 0 to 20" in output
    assert "Presets: standard, postal-1972" in output
    assert "until_adjudicated [strict]" in run("house-rules", "postal-1972, late_orders = strict").stdout


def test_what_holds_in_a_game(run: Run, game: Path) -> None:
    """`--game` tells each setting as a question and a sentence."""
    run("new", "post.json", "--seed", SEED, "--house-rules", "postal-1972,deadline_days=14")
    assert str(load("post.json").house_rules) == "postal-1972, deadline_days = 14"
    output = run("house-rules", "--game", "post.json").stdout
    assert output.startswith("House rules: postal-1972, deadline_days = 14\n")
    assert "How many days are there for a season's orders? [CLN-H.a]\n  14 days.\n" in output
    assert run("house-rules", "--game", game).stdout.startswith("House rules: standard\n")


def test_as_json(run: Run) -> None:
    """`--json` tells every setting with its question, its answers, and whose it is to carry out."""
    data = json.loads(run("house-rules", "postal-1972", "--json").stdout)
    assert data["house_rules"] == "postal-1972"
    told = {setting["name"]: setting for setting in data["settings"]}
    assert told.keys() == house_rule_settings().keys()
    assert told["missed_before_standby"]["chosen"] == 2
    assert (told["late_orders"]["host"], told["press"]["host"]) == (False, True)


def test_a_game_shows_them(run: Run, game: Path) -> None:
    """`new` and `status` tell house rules that are not the usual ones, `show` those of a variant."""
    assert "House rules" not in run("status", game).stdout
    assert "House rules: postal-1972" in run("new", "post.json", "--house-rules", "postal-1972").stdout
    assert "House rules: postal-1972" in run("status", "post.json").stdout
    assert json.loads(run("status", "post.json", "--json").stdout)["house_rules"] == "postal-1972"
    assert "house rules: postal-1972" in run("show", "cline9").stdout
    assert json.loads(run("show", "cline9", "--json").stdout)["house_rules"]["deadline_days"] == 21
    assert "house rules" not in run("show", "standard").stdout


def test_bad_house_rules(run: Run) -> None:
    """A setting or an answer that nobody knows is refused with the nearest."""
    result = run("new", "w.json", "--house-rules", "late_order=strict")
    assert (result.exit_code, "did you mean late_orders?" in result.stderr) == (3, True)
    assert "did you mean strict?" in run("house-rules", "late_orders=strickt").stderr
    assert not Path("w.json").exists()


def test_late_orders(run: Run, game: Path) -> None:
    """`order --late` is refused where the deadline decides, and stores nothing."""
    assert run("order", game, "france", "A Par H", "--late").exit_code == 0
    run("new", "strict.json", "--house-rules", "late_orders=strict")
    result = run("order", "strict.json", "france", "A Par H", "--late")
    assert (result.exit_code, "orders are late" in result.stderr) == (3, True)
    assert load("strict.json").orders == {}


def test_misses(run: Run) -> None:
    """`status` tells who missed how often in a row, `process` whose player is gone."""
    run("new", "post.json", "--house-rules", "missed_before_standby=2")
    for power in ("austria", "england", "france", "germany", "russia", "turkey"):
        run("order", "post.json", power, "A Par H")
    assert "civil disorder" not in run("process", "post.json").stderr
    assert "nothing, missed 1 in a row" in run("status", "post.json").stdout
    powers = json.loads(run("status", "post.json", "--json").stdout)["powers"]
    assert {p["power"] for p in powers if p["missed"]} == {"Italy"}
    assert "in civil disorder from now on: Italy [CLN-H.e]" in run("process", "post.json").stderr
    run("absent", "post.json", "italy", "--back")
    assert load("post.json").misses["Italy"] == 0


def test_a_draw_among_some(run: Run, game: Path) -> None:
    """`draw --among` proposes who shares it, where house rules allow that, and can be withdrawn."""
    among = ("--among", "france", "--among", "italy")
    result = run("draw", game, "france", *among)
    assert (result.exit_code, "all survivors share a draw" in result.stderr) == (3, True)
    run("new", "post.json", "--house-rules", "postal-1972")
    told = run("draw", "post.json", "turkey", "france", *among).stdout
    assert told.startswith("Agreed that France and Italy share a draw: France, Turkey. Still to agree: Austria")
    assert "France and Italy share a draw" in run("status", "post.json").stdout
    told = run("draw", "post.json", "turkey", "--withdraw", *among).stdout
    assert told.startswith("Agreed that France and Italy share a draw: France.")
    others = ("turkey", "austria", "england", "germany", "italy", "russia")
    assert "France and Italy share a draw." in run("draw", "post.json", *others, *among).stdout


def test_the_winner_agrees_too(run: Run) -> None:
    """Under the postal preset a concession waits for the winner's consent."""
    run("new", "post.json", "--house-rules", "postal-1972")
    others = ("turkey", "austria", "england", "germany", "italy", "russia")
    assert "Still to agree: France." in run("concede", "post.json", *others, "--to", "france").stdout
    assert "France won by concession." in run("concede", "post.json", "france", "--to", "france").stdout
