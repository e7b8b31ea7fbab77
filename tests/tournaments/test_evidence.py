"""Photos with a call: who gives them, who is shown which, where they are kept and when they go."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest

from tests.tournaments.factories import AT, Hall, device, hall, official, sheet, user
from tests.tournaments.photos import photo
from tests.tournaments.playing import Event, event
from tournaments.acts.admission import Actor
from tournaments.acts.errors import Forbidden, NotFound, Refusal
from tournaments.audit.record import event_json
from tournaments.evidence import acts
from tournaments.evidence.reads import content_of, given_at, given_with
from tournaments.following import feed
from tournaments.ledger import calls, scorekeeping
from tournaments.log import checking
from tournaments.models import Call, HistoryEntry, LogLeaf, Photo, PhotoContent, Round, Sitting

pytestmark = pytest.mark.django_db

RED, BLUE = photo(), photo(colour=(20, 20, 200))


def disputed(of: Hall) -> Call:
    """The first hand of a table is in dispute."""
    for actor, points in ((of.ns, 35), (of.ew, 40)):
        scorekeeping.record_hand(sitting_id=of.sitting.pk, actor=actor, at=AT, facts=sheet(points), hand_no=1)
    return Call.objects.get(kind="dispute")


def give(call: Call, actor: Actor, file: bytes = RED) -> Photo:
    return acts.attach(call_id=call.pk, actor=actor, at=AT, file=file)


def test_a_side_sees_its_own_photo_and_officials_see_all() -> None:
    of = hall(tables=2)
    call = disputed(of)
    ours, theirs, official_s = give(call, of.ns), give(call, of.ew, BLUE), give(call, of.referee)
    other_table = Actor(device=device(of.sittings[1], "NS"))
    far = hall()
    sees: dict[str, tuple[Actor, tuple[Photo, ...]]] = {
        "north-south": (of.ns, (ours,)),
        "east-west": (of.ew, (theirs,)),
        "another table": (other_table, ()),
        "nobody": (Actor(), ()),
        "a stranger": (Actor(user=user()), ()),
        "a referee of another event": (far.referee, ()),
        "an organiser of another event": (far.organiser, ()),
        "a side of another event": (far.ns, ()),
        "a referee of other tables": (official(of.event, tables=(of.sittings[1].table,)), ()),
        "a referee": (of.referee, (ours, theirs, official_s)),
        "the chief": (of.chief, (ours, theirs, official_s)),
        "the organiser": (of.organiser, (ours, theirs, official_s)),
    }
    for who, (actor, shown) in sees.items():
        for one in (ours, theirs, official_s):
            if one in shown:
                assert hashlib.sha256(content_of(one.pk, actor)).hexdigest() == one.digest, who
            else:
                with pytest.raises(NotFound):
                    content_of(one.pk, actor)
    assert [one.photo for one in given_with([call], "NS")[call.pk]] == [ours]
    assert [one.photo for one in given_with([call])[call.pk]] == [ours, theirs, official_s]
    assert [one.photo for one in given_at(of.sitting)] == [ours, theirs, official_s]


def test_who_held_the_place_before_sees_nothing_more() -> None:
    of = hall()
    given = give(disputed(of), of.ns)
    assert of.ns.device is not None
    of.ns.device.released_at = AT
    of.ns.device.save()
    with pytest.raises(NotFound):
        content_of(given.pk, of.ns)
    content_of(given.pk, Actor(device=device(of.sitting, "NS")))  # whoever holds the place of the side now


def test_a_side_gives_photos_with_its_own_call_or_a_dispute() -> None:
    of = hall()
    call = calls.call_referee(sitting_id=of.sitting.pk, actor=of.ns, at=AT)
    give(call, of.ns)
    with pytest.raises(NotFound):  # it is told of no call of the other side
        give(call, of.ew)
    give(call, of.organiser)
    dispute = disputed(of)
    give(dispute, of.ns)
    give(dispute, of.ew)


def test_nobody_else_gives_one_and_nothing_is_decoded_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    of, far = hall(tables=2), hall()
    call = disputed(of)
    monkeypatch.setattr(acts, "kept", lambda _file: pytest.fail("decoded"))
    other_table = Actor(device=device(of.sittings[1], "NS"))
    for actor in (other_table, Actor(user=user()), far.referee, far.ns):
        with pytest.raises(NotFound):
            give(call, actor)
    with pytest.raises(Forbidden):
        give(call, Actor())
    with pytest.raises(NotFound):
        acts.attach(call_id=10**6, actor=of.referee, at=AT, file=RED)


def test_the_same_photo_is_one_and_three_are_enough() -> None:
    of = hall()
    call = disputed(of)
    first = give(call, of.ns)
    assert give(call, of.ns) == first
    for shade in (1, 2):
        give(call, of.ns, photo(colour=(shade * 90, 0, 0)))
    with pytest.raises(Refusal, match="too_many_photos"):
        give(call, of.ns, BLUE)
    assert give(call, of.ns) == first
    give(call, of.ew, BLUE)
    assert Photo.objects.count() == PhotoContent.objects.count() == 4


def test_a_call_that_is_dealt_with_takes_none() -> None:
    of = hall()
    call = calls.call_referee(sitting_id=of.sitting.pk, actor=of.ns, at=AT)
    calls.close_call(call_id=call.pk, actor=of.referee, at=AT)
    with pytest.raises(Refusal, match="call_over"):
        give(call, of.ns)


def test_what_is_refused_leaves_nothing() -> None:
    of = hall()
    call = disputed(of)
    leaves = LogLeaf.objects.count()
    with pytest.raises(Refusal, match="not_a_photo"):
        give(call, of.ns, b"<svg/>")
    assert (Photo.objects.count(), LogLeaf.objects.count()) == (0, leaves)


def test_a_referee_removes_a_photo_for_good() -> None:
    of = hall()
    call = disputed(of)
    given = give(call, of.ns)
    for actor, refusal in ((of.ns, Forbidden), (of.organiser, Forbidden), (hall().referee, NotFound)):
        with pytest.raises(refusal):
            acts.remove(photo_id=given.pk, actor=actor, at=AT, reason="a face")
    with pytest.raises(Refusal):
        acts.remove(photo_id=given.pk, actor=of.referee, at=AT, reason="")
    gone = acts.remove(photo_id=given.pk, actor=of.referee, at=AT, reason="a face")
    assert acts.remove(photo_id=given.pk, actor=of.chief, at=AT, reason="again").removed_by == of.referee.user
    assert gone.removed_at == AT
    assert not PhotoContent.objects.exists()
    for actor in (of.ns, of.referee):
        with pytest.raises(Refusal, match="photo_gone"):
            content_of(given.pk, actor)
    assert not given_with([call])
    assert not given_at(of.sitting)
    told = HistoryEntry.objects.filter(act="remove_photo").values_list("reason", "new", "subject")
    assert list(told) == [("a face", {"photo": given.pk}, f"call:{call.pk}")]
    give(call, of.ns)  # one that was removed by mistake is given again


def bent(made: Event) -> list[str]:
    """The photos of which the log says otherwise; the phones of factories are in no log."""
    return [one.where for one in checking.check(made.tournament) if one.where.startswith("photo")]


@pytest.mark.long
def test_the_log_holds_that_there_was_one_and_a_follower_gets_no_bytes() -> None:
    made = event()
    round_ = made.running((1, 2))
    sitting = Sitting.objects.get(round=round_)
    side = Actor(device=device(sitting, "NS"))
    call = calls.call_referee(sitting_id=sitting.pk, actor=side, at=made.tick())
    given = give(call, side)
    said = "".join(LogLeaf.objects.values_list("body", flat=True))
    assert '"photo"' in said
    assert given.digest not in said
    assert bent(made) == []
    told = feed.since({}, made.tick())["events"][0]["rows"]
    assert len(told["photo"]["rows"]) == 1
    assert not {"photocontent", "photo_content"} & set(told)
    Photo.objects.filter(pk=given.pk).update(digest="0" * 64)
    assert bent(made) == [f"photo {given.pk}"]
    Photo.objects.filter(pk=given.pk).update(digest=given.digest)
    acts.remove(photo_id=given.pk, actor=made.actor, at=made.tick(), reason="a face")
    assert bent(made) == []


def test_no_export_has_photos() -> None:
    of = hall()
    given = give(disputed(of), of.ns)
    for known in ({"official": False, "names": False}, {"official": True, "names": True}):
        exported = bytes(event_json(of.event, **known))
        assert given.digest.encode() not in exported
        assert b"photo_content" not in exported


def test_bytes_go_thirty_days_after_the_last_round() -> None:
    of, young = hall(), hall()
    for one in (of, young):
        call = calls.call_referee(sitting_id=one.sitting.pk, actor=one.ns, at=AT)
        give(call, one.ns)
    Round.objects.filter(pk=young.round.pk).update(started_at=AT + timedelta(days=20))
    assert acts.forget(at=AT + timedelta(days=29)) == 0
    assert acts.forget(at=AT + timedelta(days=31)) == 1
    assert acts.forget(at=AT + timedelta(days=31)) == 0
    (old,), (new,) = (given_at(one.sitting) for one in (of, young))
    assert (old.kept, new.kept) == (False, True)
    with pytest.raises(Refusal, match="photo_gone"):
        content_of(old.photo.pk, of.referee)
    assert Photo.objects.count() == 2
