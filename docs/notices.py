"""Print the page `notices.md`: every notice of a site, from its registry."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

HOST = Path(__file__).parents[1] / "src" / "gamesmaster" / "host"
HEAD = """# Notices

A site tells people what happens by notices. Each notice is about an event of some kind. Players choose for each kind
how they hear of it: by push on their devices, by e-mail at once, by one e-mail a day, or only in their inbox on the
site (`/me/notices`). A kind that is set to push comes by e-mail as long as a player has no device for push. Kinds
that cannot be chosen are always sent by e-mail.

All notices, with their texts, stand in `src/gamesmaster/host/tables/notifications.toml`. This page is made from that
file by `python docs/notices.py > docs/notices.md`; the tests check that it is current. Words in braces are filled in
for each reader. A notice marked "public" is also posted on the game's page of press. Pushes and inboxes show subjects
only, never orders or press.
"""
USUAL = {"push": "push, else e-mail", "mail": "e-mail at once", "daily": "one e-mail a day", "none": "only the inbox"}
ACCOUNTS = """## Changes of an account

These e-mails are sent at once to the address that they are about.

| notice | subject |
| --- | --- |"""


def main() -> None:
    """Print the page."""
    notices = tomllib.loads((HOST / "tables" / "notifications.toml").read_text(encoding="utf-8"))
    kinds = notices.pop("kinds")
    print(HEAD)
    print("## Kinds\n\n| kind | about | usually sent by | stopped by e-mail with |\n| --- | --- | --- | --- |")
    for name, kind in kinds.items():
        chosen = not kind.get("fixed")
        stop = f"`stop {name}`" if chosen else "nothing"
        print(f"| `{name}` | {kind['title']} | {USUAL[kind['usual']]} | {stop} |")
    for name, kind in kinds.items():
        print(f"\n## {kind['title']}\n\n| notice | to | subject | begins | public |\n| --- | --- | --- | --- | --- |")
        for notice, texts in notices.items():
            if texts["event"] == name:
                subject = _quoted(texts[key] for key in ("own_subject", "subject") if texts.get(key))
                begins = texts["body"][0].partition("\n")[0]
                public = "public" if texts.get("notice") else ""
                print(f"| `{notice}` | {texts['to']} | {subject} | {begins} | {public} |")
    print(f"\n{ACCOUNTS}")
    for file in sorted((HOST / "templates" / "account" / "email").glob("*_subject.txt")):
        subjects = re.findall(r'{% translate "(.+?)" %}', file.read_text(encoding="utf-8"))
        if subjects:
            print(f"| `{file.stem.removesuffix('_subject')}` | {_quoted(subjects)} |")


def _quoted(texts: Iterable[str]) -> str:
    return " or ".join(f'"{text}"' for text in texts)


if __name__ == "__main__":
    main()
