"""Every help page is found, belongs to pages that exist, and says what is true of their controls."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from django.test import Client
from django.urls import get_resolver, resolve

from gamesmaster.host.web.home import GROUPS, TOPICS, topic_of
from tests.host.world import addresses

pytestmark = pytest.mark.django_db

SITE = Path(__file__).parents[2] / "src" / "gamesmaster" / "host"


def test_every_name_of_a_page_is_known() -> None:
    """What a topic says that it is for exists: a page that was renamed does not lose its help unseen."""
    names = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    for topic in TOPICS.values():
        for page in topic.pages:
            assert any(topic_of(name) is topic for name in names if name == page or "*" in page), page


@pytest.mark.parametrize("name", TOPICS)
def test_each_topic_has_its_page(name: str, client: Client) -> None:
    """A topic's page has its title, says what the page is for, and leads to all others; the list leads to it."""
    text = client.get(TOPICS[name].address).content.decode()
    assert f"<h1>{TOPICS[name].title}</h1>" in unescape(text)
    assert text.count('<p class="lead">') == 1
    assert 'href="/help/"' in text
    assert f'href="{TOPICS[name].address}"' in client.get("/help/").content.decode()


def test_no_such_topic(client: Client) -> None:
    """A topic that there is not is a page that there is not; all that there are stand in one group each."""
    assert client.get("/help/nowhere/").status_code == 404
    assert len(TOPICS) == sum(len(topics) for _, topics in GROUPS)
    assert resolve("/help/board/").view_name == "help-topic"
    assert any(address.pattern == "help/<slug:topic>/" for address in addresses())


@cache
def _site() -> str:
    """Everything that the site's own pages are made of, but for the help."""
    found = [path for kind in ("html", "js", "py", "toml") for path in SITE.rglob(f"*.{kind}")]
    texts = [path.read_text(encoding="utf-8") for path in found if "help" not in path.parts and path.stem != "help"]
    return unescape("\n".join(texts)).replace("’", "'")


@pytest.mark.parametrize("name", TOPICS)
def test_controls_are_called_what_they_are_called(name: str, client: Client) -> None:
    """Every control that a help page names in bold is on the site under that very name."""
    text = client.get(TOPICS[name].address).content.decode()
    named = {unescape(found) for found in re.findall(r"<b>(.+?)</b>", text)}
    assert not {control for control in named if control not in _site()}
