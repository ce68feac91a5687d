"""Members' own variants: uploaded, checked, shown to those who may see them, played, copied, listed and removed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.accounts.people import MODERATORS
from gamesmaster.host.games import hosting
from gamesmaster.host.models import KeptEdition, OutMail, OwnVariant, Table
from gamesmaster.host.phases import processing
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import editions, shelf, store
from gamesmaster.host.tables.shelf import Shown
from gamesmaster.host.variants import checking, uploads
from gamesmaster.host.variants.checking import Question, Report
from gamesmaster.unpacking import pack, unpack
from gamesmaster.variant import rules_text_of
from tests.host.conftest import HOUR, NOW, person
from tests.host.test_editions import begun
from tests.host.test_operator_variants import forget
from tests.host.uploading import check_all, checked, files, pack_files, passed, text, zipped

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks run within the test, and the same upload is checked once: that they run elsewhere is tested apart."""
    monkeypatch.setattr(checking, "ask", checked)


@pytest.fixture
def ann(client: Client) -> User:
    """A member, who is signed in."""
    user = person("ann")
    client.force_login(user)
    return user


def uploaded(user: User, shown: Shown = Shown.PRIVATE, **changes: str) -> OwnVariant:
    """A variant that has passed its check."""
    row = passed(uploads.upload(user, {"stormy.zip": zipped(**changes)}))
    assert row.digest, row.findings
    if shown != Shown.PRIVATE:
        OwnVariant.objects.filter(pk=row.pk).update(shown=shown)
        row.refresh_from_db()
    return row


def processed(table: Table) -> int:
    """The number of phases of a game, after its first is processed."""
    processing.process(table.pk, 0, "asked", now=(table.started or NOW) + HOUR)
    return len(store.load(Table.objects.get(pk=table.pk)).records)


def moderator(name: str = "mod") -> User:
    """A moderator."""
    user = person(name)
    user.groups.add(Group.objects.get_or_create(name=MODERATORS)[0])
    return user


def test_from_a_zip_to_a_game_with_bots(client: Client, ann: User) -> None:
    """A zip is checked, gets a page with its map and its rules, and a game begins on it with bots."""
    sent = SimpleUploadedFile("stormy.zip", zipped())
    waits = client.post("/my-variants/", {"files": sent}, follow=True)
    assert "is being checked" in waits.content.decode()
    assert waits.headers["Refresh"]
    check_all()
    row = OwnVariant.objects.get()
    assert row.name == f"stormy_{row.key}"
    page = client.get(f"/my-variants/{row.key}/").content.decode()
    assert "has passed the check" in page
    assert f'src="/my-variants/{row.key}/map.svg"' in page
    picture = client.get(f"/my-variants/{row.key}/map.svg")
    assert picture.content.startswith(b"<svg")
    assert "sandbox" in picture.headers["Content-Security-Policy"]
    assert client.get(f"/my-variants/{row.key}/other.svg").status_code == 404
    assert "Stormy Isle" in client.get(f"/variants/{row.name}/").content.decode()
    assert "STO-" in client.get(f"/variants/{row.name}/rules/").content.decode()
    drawn = client.get(f"/variants/{row.name}/map.svg")
    assert drawn.status_code == 200
    assert "public" not in drawn.headers["Cache-Control"]
    form = client.get(f"/games/new?variant={row.name}").content.decode()
    assert re.search(rf'value="{row.name}" checked', form)
    client.post("/games/alone", {"variant": row.name})
    table = Table.objects.get(variant=row.name)
    assert table.state == "running"
    assert processed(table) == 1


def test_single_files_make_a_variant_and_so_does_another_programs_map(ann: User) -> None:
    """A folder arrives as its files; a map of another program is imported and drawn."""
    assert passed(uploads.upload(ann, files())).title == "Stormy Isle"


def test_the_variants_of_a_pack_are_chosen(client: Client, ann: User) -> None:
    """The page shows what is in it, refuses by name what cannot be imported, and each choice becomes a variant."""
    row = passed(uploads.upload(ann, {"three.zip": pack(pack_files())}))
    assert [one.text for one in ann.notices.all()] == ["three.zip has several variants"]
    assert "three.zip" in client.get("/my-variants/").content.decode()
    address = f"/my-variants/{row.key}/"
    page = client.get(address).content.decode()
    for words in (
        "three.zip is a pack of 3 variants",
        "Reds, Blues",
        "Provinces: 7. Centres: 5. It begins with Spring",
    ):
        assert words in page
    assert re.search(r'value="void" disabled><span><strong>Void</strong><small>It cannot be imported: .*no power', page)
    for wrong in ([], ["void"], ["elsewhere"]):
        told = client.post(address, {"what": "choose", "only": wrong}, follow=True).content.decode()
        assert "Please choose one of the options shown." in told
    assert [one["drawn"] for one in row.pack] == [True, True, False]
    assert b"Narrows" in client.get(f"{address}narrows.svg").content
    assert client.get(f"{address}void.svg").status_code == 404
    client.post(address, {"what": "choose", "only": ["strait", "narrows"]})
    check_all()
    made = {one.title: one for one in OwnVariant.objects.exclude(pk=row.pk)}
    assert {one.name.rpartition("_")[0] for one in made.values() if one.digest} == {"strait", "narrows"}
    row.refresh_from_db()
    assert (len(row.pack), row.sent, row.digest) == (3, None, "")
    assert client.get(f"/variants/{made['Narrows'].name}/map.svg").status_code == 200


def test_one_variant_of_a_pack_is_the_next_edition(client: Client, ann: User) -> None:
    """Of a pack that is uploaded for a variant one is chosen; its id on the site stays."""
    row = uploaded(ann)
    passed(uploads.upload(ann, {"three.zip": pack(pack_files())}, row))
    assert (row.title, len(row.pack)) == ("Stormy Isle", 3)
    with pytest.raises(Refused, match="Choose 1 variant at a time"):
        uploads.choose(row, ann, ["strait", "narrows"])
    with pytest.raises(Refused, match="no such variant"):
        uploads.choose(row, person("bob"), ["strait"])
    client.post(f"/my-variants/{row.key}/", {"what": "choose", "only": "narrows"})
    assert (passed(row).title, row.pack, row.name) == ("Narrows", [], f"stormy_{row.key}")
    assert not bytes(row.upload)


def test_a_program_names_the_variant_of_a_pack(client: Client, ann: User) -> None:
    """The answer lists the pack; the same files with `only` are that variant, and a wrong name is a finding."""
    given: dict[str, object] = {"files": {name: data.decode() for name, data in pack_files().items()}}
    key = client.post("/api/my-variants", given, "application/json").json()["key"]
    check_all()
    listed = client.get(f"/api/my-variants/{key}").json()["pack"]
    assert [(one["id"], one["powers"], bool(one["fault"])) for one in listed] == [
        ("strait", ["Reds", "Blues"], False), ("narrows", ["Reds", "Blues"], False), ("void", [], True),
    ]  # fmt: skip
    for only, expected in (("strait", ("Strait", [])), ("channel", ("Strait", ["error"]))):
        client.put(f"/api/my-variants/{key}", given | {"only": only}, "application/json")
        check_all()
        found = client.get(f"/api/my-variants/{key}").json()
        levels = [one["level"] for one in found["findings"] if one["level"] == "error"]
        assert (found["title"], levels) == expected, found
    assert found["findings"][0]["text"] == "this variant is not in the pack"


def test_faults_are_shown_where_they_are(client: Client, ann: User) -> None:
    """Each fault is told with its file and its key, and nothing is kept of the upload."""
    broken = text("variant.toml").replace("slow-crossing", "slow-crosing").replace("HOL", "HLO")
    row = passed(uploads.upload(ann, {"stormy.zip": zipped(toml=broken)}))
    assert (row.name, bytes(row.upload), KeptEdition.objects.count()) == ("", b"", 0)
    page = client.get(f"/my-variants/{row.key}/").content.decode()
    assert "variant.toml, mechanics slow-crosing" in page
    assert "did you mean slow-crossing?" in page
    assert "/tmp" not in page
    uploads.upload(ann, {"stormy.zip": zipped()}, row)
    assert passed(row).title == "Stormy Isle"


def test_worked_cases_of_an_upload_are_run(ann: User) -> None:
    """One that comes out differently is a fault, by its name; the file is kept, and a copy is checked with it."""
    case = {"id": "STO-S1", "title": "At rest", "phase": "Spring 1 Movement", "units": {"Ash": ["A DAL"]},
            "orders": {"Ash": ["A DAL H"]}, "expect": {"orders": {"A DAL H": "bounces"}}}  # fmt: skip
    sent = files() | {"scenarios.json": json.dumps([case]).encode()}
    row = passed(uploads.upload(ann, {"stormy.zip": pack(sent)}))
    told = [(one["where"], one["text"]) for one in row.findings if one["level"] == "error"]
    assert told == [("scenarios.json", "STO-S1 At rest: A DAL H: expected bounces, got holds")]
    case["expect"] = {"orders": {"A DAL H": "holds"}}
    uploads.upload(ann, {"stormy.zip": pack(sent | {"scenarios.json": json.dumps([case]).encode()})}, row)
    assert passed(row).title == "Stormy Isle"
    again = unpack(uploads.archive(editions.find_variant(row.name)), "again.zip")
    assert json.loads(again["scenarios.json"]) == [case]


def test_a_new_edition_leaves_games_alone(ann: User) -> None:
    """A game goes on with the edition that it began with; new games begin on the new one; unused editions go."""
    row = uploaded(ann)
    first = row.digest
    table = begun(row.name, [ann])
    uploads.upload(ann, {"b.zip": zipped(toml=text("variant.toml").replace("Stormy Isle", "Stormy Isles"))}, row)
    assert passed(row).title == "Stormy Isles"
    forget()
    assert store.load(table).variant.name == "Stormy Isle"
    assert editions.find_variant(row.name).name == "Stormy Isles"
    assert {kept.digest for kept in KeptEdition.objects.all()} == {first, row.digest}


def test_another_rulebook_is_another_edition(ann: User) -> None:
    """An edition is never changed, even where only the words or the map differ."""
    row = uploaded(ann)
    begun(row.name, [ann])
    uploads.upload(ann, {"b.zip": zipped(rules=text("RULES.md").replace("Stormy Isle", "Stormy Islet"))}, row)
    assert passed(row).edition == f"{row.name}_2"
    assert "Islet" in rules_text_of(editions.find_variant(row.name)).title
    assert KeptEdition.objects.count() == 2
    assert shelf.offered(ann, shelf.present_name(row.name))[-1] == row.edition


def test_a_private_variant_is_hidden(client: Client, ann: User) -> None:
    """Others find neither its page nor its rules nor its files, and can begin no game on it; its players see it."""
    row = uploaded(ann)
    other = person("bob")
    client.force_login(other)
    for address in ("", "rules/", "files.zip"):
        assert client.get(f"/variants/{row.name}/{address}").status_code == 404
    assert client.get(f"/api/variants/{row.name}").status_code == 404
    assert client.get(f"/my-variants/{row.key}/").status_code == 404
    assert client.post("/sandbox/new", {"variant": row.name}).status_code == 404
    for name in (row.name, f"{row.name}@{row.digest[:16]}"):
        with pytest.raises(Refused, match="no such variant"):
            hosting.create(other, name)
    begun(row.name, [ann, other])
    assert client.get(f"/variants/{row.name}/rules/").status_code == 200
    with pytest.raises(Refused):
        hosting.create(other, row.name)


def test_by_link_and_listed(client: Client, ann: User) -> None:
    """Who has the link can begin games; a moderator lists a variant, and a later edition waits for another look."""
    row = uploaded(ann, Shown.LINK)
    hosting.create(person("bob"), row.name)
    assert "Stormy" not in client.get("/variants/").content.decode()
    with pytest.raises(Refused):
        uploads.show(row, ann, Shown.LISTED)
    client.post(f"/my-variants/{row.key}/", {"what": "show", "shown": "asked"})
    client.force_login(moderator())
    assert "Stormy" in client.get("/moderation/variants").content.decode()
    client.post("/moderation/variants", {"name": row.name, "what": "list"})
    assert "Stormy" in client.get("/variants/").content.decode()
    assert row.name in [one["id"] for one in client.get("/api/variants").json()]
    uploads.upload(ann, {"b.zip": zipped(toml=text("variant.toml").replace("Stormy Isle", "Rude Isle"))}, row)
    assert passed(row).shown == Shown.ASKED


def test_moderators_alone_list(client: Client, ann: User) -> None:
    """The page of moderators is hidden from others, and what nobody asked for is not listed."""
    row = uploaded(ann)
    assert client.get("/moderation/variants").status_code == 404
    removing = {"name": row.name, "what": "remove"}
    assert client.post("/moderation/variants", removing).status_code == 404
    with pytest.raises(Refused):
        uploads.remove(row, moderator("other"))  # what nobody else is shown is its owner's
    with pytest.raises(Refused, match="has not asked"):
        uploads.show(row, moderator(), Shown.LISTED)


def test_copies_know_their_parents(client: Client, ann: User) -> None:
    """A copy has files of its own, another id, and the edition that it was copied from."""
    row = uploaded(ann, Shown.LINK)
    bob = person("bob")
    client.force_login(bob)
    client.post(f"/variants/{row.name}/copy")
    made = passed(OwnVariant.objects.get(owner=bob))
    assert made.parent == row
    assert made.parent_address == f"{row.name}@{row.digest[:16]}"
    assert made.name == f"my_stormy_{made.key}"
    assert f"/variants/{row.name}/" in client.get(f"/variants/{made.name}/").content.decode()
    client.post("/variants/standard/copy")
    assert passed(OwnVariant.objects.get(owner=bob, parent=None)).title == "Diplomacy"


def test_removal_harms_no_game(client: Client, ann: User) -> None:
    """A removed variant begins no games; games on it go on, with its page for their players."""
    row = uploaded(ann, Shown.LINK)
    table = begun(row.name, [ann])
    uploads.remove(row, ann)
    forget()
    with pytest.raises(Refused):
        hosting.create(ann, row.name)
    assert processed(table) == 1
    assert "It has been removed" in client.get(f"/variants/{row.name}/").content.decode()
    spare = uploaded(ann)
    uploads.remove(spare, ann)
    assert not OwnVariant.objects.filter(pk=spare.pk).exists()
    with pytest.raises(GamesmasterError):
        editions.find_variant(f"{spare.name}@{spare.digest[:16]}")


def test_members_have_limits(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many variants, and so many uploads that wait at once."""
    for _ in range(uploads.MOST_WAITING):
        uploads.upload(ann, {"stormy.zip": zipped()})
    with pytest.raises(Refused, match="still being checked"):
        uploads.upload(ann, {"stormy.zip": zipped()})
    monkeypatch.setattr(uploads, "MOST_OWN", uploads.MOST_WAITING)
    with pytest.raises(Refused, match="too many variants"):
        uploads.upload(ann, {"stormy.zip": zipped()})
    with pytest.raises(Refused):
        uploads.upload(ann, {"../x.zip": zipped()})


def test_an_operator_can_refuse_uploads(client: Client, ann: User, settings: Any) -> None:
    """Where nobody may upload there is no form for it, and no copy is made."""
    settings.UPLOADS = "nobody"
    assert 'type="file"' not in client.get("/my-variants/").content.decode()
    assert "/my-variants/" not in client.get("/variants/").content.decode()
    with pytest.raises(Refused, match="Nobody can upload"):
        uploads.upload(ann, {"stormy.zip": zipped()})
    client.post("/variants/standard/copy")
    assert not OwnVariant.objects.exists()


def test_names_do_not_deceive(ann: User) -> None:
    """A power cannot be called like the Gamesmaster, or by letters that cannot be seen."""
    posing = {
        key: text(name).replace("Birch", "Gamesmaster")
        for key, name in (("toml", "variant.toml"), ("board", "board.json"))
    }
    row = passed(uploads.upload(ann, {"x.zip": zipped(**posing)}))
    assert "pose" in row.findings[0]["text"], row.findings
    assert not row.digest


def test_whose_edition_is_whose(ann: User) -> None:
    """The same files of two members are two variants, so that neither shows the other's map or words."""
    one, two = uploaded(ann), uploaded(person("bob"))
    assert one.digest != two.digest
    assert one.name != two.name


def test_an_upload_replaced_while_it_is_checked_is_checked_again(ann: User, monkeypatch: Any) -> None:
    """What came of the older upload is not kept."""
    row = uploads.upload(ann, {"stormy.zip": zipped()})

    def late(question: Question, data: bytes) -> Report:
        monkeypatch.setattr(checking, "ask", checked)
        uploads.upload(ann, {"b.zip": zipped(toml=text("variant.toml").replace("Stormy Isle", "Later"))}, row)
        return checked(question, data)

    monkeypatch.setattr(checking, "ask", late)
    assert passed(row).title == "Later"


def test_a_notice_tells_how_a_check_ended(ann: User) -> None:
    """One says that a variant can be played, one that there are faults; its owner alone gets it."""
    row = uploaded(ann)
    assert [one.text for one in ann.notices.all()] == [f"{row.title} can be played"]
    assert f"/my-variants/{row.key}/" in OutMail.objects.get(user=ann).body
    passed(uploads.upload(ann, {"stormy.zip": b"PK\x03\x04"}, row))
    assert ann.notices.latest("pk").text == "stormy.zip did not pass its check"
    uploads.upload(ann, {"stormy.zip": zipped()}, row)
    uploads.remove(row, ann)
    check_all()
    assert ann.notices.count() == 2


def test_uploads_by_the_api(ann: User, client: Client) -> None:
    """A program uploads the files as texts, reads what was found, uploads the next edition, and removes it."""
    url, given = "/api/my-variants", {"files": {name: data.decode() for name, data in files().items()}}
    made = client.post(url, given, "application/json")
    assert made.status_code == 201, made.content
    assert made.json()["waiting"]
    key = made.json()["key"]
    check_all()
    found = client.get(f"{url}/{key}").json()
    assert (found["waiting"], found["findings"], found["title"]) == (False, [], "Stormy Isle"), found
    assert client.get(f"/api/variants/{found['id']}").json()["id"] == found["id"]
    wrong = {"files": {**given["files"], "variant.toml": "nonsense"}}
    assert client.put(f"{url}/{key}", wrong, "application/json").status_code == 200
    check_all()
    again = client.get(f"{url}/{key}").json()
    assert (again["id"], again["findings"][0]["level"]) == (found["id"], "error")
    assert [one["key"] for one in client.get(url).json()] == [key]
    other = Client()
    other.force_login(person("ben"))
    assert other.get(f"{url}/{key}").status_code == 404
    assert other.put(f"{url}/{key}", given, "application/json").status_code == 404
    assert other.delete(f"{url}/{key}").status_code == 404
    assert Client().post(url, given, "application/json").status_code == 401
    assert client.post(url, {"files": {}}, "application/json").status_code == 422
    assert client.post(url, {"files": {"../x": "a"}}, "application/json").status_code == 409
    assert client.delete(f"{url}/{key}").status_code == 200
    assert client.get(url).json() == []
