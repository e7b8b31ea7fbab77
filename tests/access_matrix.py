"""Who may do what, typed from the rules of the house: one row for every address and method of the product.

Callers, one letter each:

    a  nobody: no credential at all
    n  the phone of North-South at the sitting of the row      e  the phone of East-West there
    t  a phone at another table of the same event              x  a phone at a table of another event
    R C O  referee, chief referee, organiser of this event     r c o  the same three of another event
    p  a signed-in person without an office                    u  a site's superuser without an office

A row names the callers that may. "May" means: not refused for who they are; the answer can still be that the step does
not fit now (400, 409, 412, 422, 428). Everybody else gets 401, 403, 404, or is sent to sign in. A method without a row
is answered 405 to everybody.

`{...}` in addresses and bodies are ids of the world that `tests/test_access_matrix.py` builds: `here` is the event
(round 1 closed, round 2 running, round 3 a draft), `eve` an event of the same officials whose first round is
published, `done` one whose first round has all its results, `shut` one whose first round was closed just now,
`boards` one on boards, the first of which a table has still to play, `level` one whose round began some minutes ago:
its first match ended level, and at its second table a side is late; `fresh` one of two stages, of which none has
begun. In two more a change of rules waits between rounds, and single players are at a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

EVERYBODY = "anetxRCOrcopu"
SIGNED_IN = "RCOrcopu"
OFFICIALS = "RCO"
REFEREES = "RC"
DIRECTION = "CO"
CHIEF = "C"
ORGANISER = "O"
SIDES = "ne"
NOT_THERE = ""


@dataclass(frozen=True)
class Row:
    """Who may, at least one of whom gets it done; where it is asked, with what; `table` is the sitting of n and e."""

    who: str
    address: str
    body: Mapping[str, Any] | bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    table: int = 1


Rows = Mapping[str, Mapping[str, Row]]

V1 = "/api/v1"
E = f"{V1}/events/{{here}}"
R = f"{E}/rounds/2"
OPEN, FREE, OVER = (f"{V1}/sittings/{{{name}}}" for name in ("open", "free", "over"))
SHEET = {"kind": "hand", "dealer": "N", "trump": "H", "captured_in_tricks": 35, "last_trick_winner": "dealer"}
OTHER = SHEET | {"captured_in_tricks": 40}
#: A picture of one pixel.
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001f61738"
    "550000000049454e44ae426082"
)
PHOTO = b'--part\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n' + PNG + b"\r\n--part--\r\n"
LOGO = (
    PHOTO.removesuffix(b"--part--\r\n")
    + b"".join(
        b'--part\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % pair
        for pair in ((b"kind", b"sponsor"), (b"name", b"Tea"))
    )
    + b"--part--\r\n"
)
PARTS = "multipart/form-data; boundary=part"
HAND = "play\n1. N:H9 E:H10 S:HA W:H5\n"
SEEN = {"If-Match": '"{free_revision}"'}
CSV = b"number,external_id,name,player1,player2\n99,z,Zed,A,B\n"
PAIRS = [{"home": 1, "away": 2, "table": 1}]

HALF = {"artificial": "average"}
SUBSTITUTES = [{"name": "A"}, {"name": "B"}]
ON_BOARDS, ON_SEEN = f"{V1}/sittings/{{on_boards}}/boards/1/adjust/", {"If-Match": '"{on_boards_revision}"'}

API: Rows = {
    "api:reader": {"GET": Row(EVERYBODY, f"{V1}/")},
    "api:schema": {"GET": Row(EVERYBODY, f"{V1}/schema/")},
    "api:tokens": {
        "GET": Row(SIGNED_IN, f"{V1}/tokens/"),
        "POST": Row(EVERYBODY, f"{V1}/tokens/", {"username": "{username}", "password": "{password}"}),
    },
    "api:token": {"DELETE": Row("R", f"{V1}/tokens/{{token}}/")},
    "api:devices": {"POST": Row(EVERYBODY, f"{V1}/devices/", {"code": "{code}"})},
    "api:device": {"DELETE": Row(OFFICIALS, f"{V1}/devices/{{place}}/")},
    "api:events": {
        "GET": Row(EVERYBODY, f"{V1}/events/"),
        "POST": Row(SIGNED_IN, f"{V1}/events/", {"name": "New", "slug": "brand-new", "preset": "F1"}),
    },
    "api:event": {"GET": Row(EVERYBODY, f"{E}/"), "PATCH": Row(ORGANISER, f"{E}/", {"place": "Hall"})},
    "api:presets": {"GET": Row(EVERYBODY, f"{V1}/presets/")},
    "api:event_form": {"GET": Row(EVERYBODY, f"{E}/form/")},
    "api:stages": {"GET": Row(EVERYBODY, f"{E}/stages/"), "POST": Row(ORGANISER, f"{E}/stages/", {"format": "rr"})},
    "api:stage": {
        "GET": Row(EVERYBODY, f"{E}/stages/1/"),
        "PATCH": Row(ORGANISER, f"{E}/stages/1/", {"minutes": 45}),
        "DELETE": Row(ORGANISER, f"{V1}/events/{{fresh}}/stages/2/"),
    },
    # nothing is played on boards here
    "api:board_sheet": {"GET": Row(NOT_THERE, f"{E}/stages/1/boards/1/")},
    "api:apart": {
        "GET": Row(OFFICIALS, f"{E}/apart/"),
        "POST": Row(ORGANISER, f"{E}/apart/", {"entrants": [3, 4], "force": "must", "reason": "siblings"}),
    },
    "api:let_meet": {"POST": Row(ORGANISER, f"{E}/apart/1/end/", {"reason": "settled"})},
    "api:radar": {
        "GET": Row(OFFICIALS, f"{E}/radar/"),
        "POST": Row(OFFICIALS, f"{E}/radar/", {"flag": "copy.r1.t1.open.g1.h3.h1.v1-1-1", "note": "counted again"}),
    },
    "api:signals": {
        "GET": Row(EVERYBODY, f"{E}/signals/"),
        "POST": Row(DIRECTION, f"{E}/signals/", {"card": "free", "reason": "agreed"}),
    },
    "api:signal_card": {
        "POST": Row(OFFICIALS, f"{E}/entrants/1/signals/", {"direct": ["8"], "reason": "forgotten"}),
    },
    "api:log": {"GET": Row(EVERYBODY, f"{E}/log/")},
    "api:log_proofs": {"GET": Row(EVERYBODY, f"{E}/log/proofs/")},
    "api:feed": {"GET": Row(EVERYBODY, f"{E}/feed/?after=3&limit=20")},
    "api:projector": {"GET": Row(EVERYBODY, f"{E}/projector/")},
    "api:webhooks": {
        "GET": Row(ORGANISER, f"{E}/webhooks/"),
        "POST": Row(ORGANISER, f"{E}/webhooks/", {"address": "https://club.example/", "kinds": ["hand"]}),
    },
    "api:webhook": {
        "GET": Row(ORGANISER, f"{E}/webhooks/1/"),
        "DELETE": Row(ORGANISER, f"{E}/webhooks/2/"),
    },
    "api:webhook_secret": {"POST": Row(ORGANISER, f"{E}/webhooks/1/secret/")},
    "api:webhook_test": {"POST": Row(ORGANISER, f"{E}/webhooks/1/test/")},
    "api:webhook_stop": {"POST": Row(ORGANISER, f"{E}/webhooks/1/stop/")},
    "api:webhook_go_on": {"POST": Row(ORGANISER, f"{E}/webhooks/1/go-on/")},
    "api:webhook_give_up": {"POST": Row(ORGANISER, f"{E}/webhooks/1/give-up/")},
    "api:webhook_again": {"POST": Row(ORGANISER, f"{E}/webhooks/1/lines/1/again/")},
    "api:deals": {
        "GET": Row(EVERYBODY, f"{V1}/events/{{boards}}/stages/1/deals/"),
        "POST": Row(DIRECTION, f"{V1}/events/{{boards}}/stages/1/deals/", {"first_board": 80, "last_board": 80}),
    },
    "api:deal_lot": {"POST": Row(DIRECTION, f"{V1}/events/{{boards}}/stages/1/deals/1/lot/", {"lot": "1"})},
    "api:deal_show": {"POST": Row(DIRECTION, f"{V1}/events/{{boards}}/stages/1/deals/2/show/", {})},
    "api:boards": {
        "GET": Row(OFFICIALS, f"{V1}/events/{{boards}}/stages/1/boards/"),
        "POST": Row(DIRECTION, f"{V1}/events/{{boards}}/stages/1/boards/", {}),
    },
    "api:adjust_board": {
        "POST": Row(CHIEF, ON_BOARDS, {"ns": HALF, "reason": "soiled", "clause": "penalty.misboard.board"}, ON_SEEN),
        "DELETE": Row(CHIEF, ON_BOARDS, {"reason": "played after all"}, ON_SEEN),
    },
    "api:begin_stage": {"POST": Row(DIRECTION, f"{V1}/events/{{fresh}}/stages/1/begin/", {})},
    "api:officials": {
        "GET": Row(OFFICIALS, f"{E}/officials/"),
        "POST": Row(ORGANISER, f"{E}/officials/", {"username": "{username}", "office": "referee"}),
    },
    "api:official": {"DELETE": Row(ORGANISER, f"{E}/officials/{{official}}/")},
    "api:official_link": {"POST": Row(ORGANISER, f"{E}/officials/{{newcomer}}/link/", {})},
    "api:invitations": {"GET": Row(ORGANISER, f"{E}/invitations/")},
    "api:invitation": {"DELETE": Row(ORGANISER, f"{E}/invitations/{{invitation}}/")},
    "api:my_invitations": {"GET": Row(SIGNED_IN, f"{V1}/invitations/")},
    "api:accept_invitation": {"POST": Row("p", f"{V1}/invitations/{{invitation}}/accept/", {})},
    "api:decline_invitation": {"POST": Row("p", f"{V1}/invitations/{{invitation}}/decline/", {})},
    "api:entrants": {
        "GET": Row(EVERYBODY, f"{E}/entrants/"),
        # the round robin of the event is drawn; a Swiss can be joined
        "POST": Row(ORGANISER, f"{V1}/events/{{eve}}/entrants/", {"name": "Late pair"}),
    },
    "api:entrant": {
        "GET": Row(EVERYBODY, f"{E}/entrants/1/"),
        "PATCH": Row(ORGANISER, f"{E}/entrants/1/", {"unit": "City"}),
    },
    "api:import": {"POST": Row(ORGANISER, f"{E}/entrants/import/", CSV, kind="text/csv")},
    # who plays at the moment changes no players
    "api:substitute": {
        "POST": Row(CHIEF, f"{V1}/events/{{fresh}}/entrants/1/substitute/", {"players": SUBSTITUTES, "reason": "ill"})
    },
    "api:entrant_code": {"POST": Row(DIRECTION, f"{E}/entrants/1/code/")},
    "api:entrant_codes": {
        "GET": Row(DIRECTION, f"{E}/entrant-codes/"),
        "POST": Row(DIRECTION, f"{E}/entrant-codes/"),
    },
    "api:entrant_codes_pdf": {"GET": Row(DIRECTION, f"{E}/entrant-codes.pdf")},
    "api:withdraw": {"POST": Row(DIRECTION, f"{E}/entrants/12/withdraw/", {"reason": "left"})},
    "api:check_in": {
        "POST": Row(OFFICIALS, f"{E}/entrants/1/check-in/", {}),
        "DELETE": Row(OFFICIALS, f"{E}/entrants/1/check-in/", {}),
    },
    "api:attendance": {"GET": Row(OFFICIALS, f"{E}/attendance/")},
    "api:own_check_in": {"POST": Row(EVERYBODY, f"{V1}/check-in/", {"code": "{own_code}"})},
    "api:clock": {
        "POST": Row(DIRECTION, f"{V1}/events/{{level}}/rounds/1/clock/", {"stopped": True, "reason": "alarm"})
    },
    "api:reseat": {"POST": Row(CHIEF, f"{R}/reseat/", {"entrants": [1, 3], "reason": "wrong seats"})},
    "api:extra_time": {"POST": Row(OFFICIALS, f"{FREE}/time/", {"minutes": 5, "reason": "ruling"}, table=2)},
    "api:move": {"POST": Row(DIRECTION, f"{FREE}/move/", {"table": 77}, table=2)},
    "api:agree_end": {"POST": Row(SIDES, f"{FREE}/over/", {}, table=2)},
    "api:lateness": {"POST": Row(REFEREES, f"{V1}/sittings/{{late}}/lateness/", {"side": "EW"})},
    "api:entrants_csv": {"GET": Row(ORGANISER, f"{E}/entrants.csv")},
    "api:tables": {"GET": Row(EVERYBODY, f"{E}/tables/")},
    "api:codes": {"GET": Row(DIRECTION, f"{E}/codes/"), "POST": Row(DIRECTION, f"{E}/codes/")},
    "api:reissue": {"POST": Row(DIRECTION, f"{E}/tables/1/NS/code/")},
    "api:rounds": {
        "GET": Row(EVERYBODY, f"{E}/rounds/"),
        "POST": Row(DIRECTION, f"{V1}/events/{{eve}}/rounds/", {}),
    },
    "api:matches": {"GET": Row(EVERYBODY, f"{E}/matches/")},
    "api:round": {"GET": Row(EVERYBODY, f"{R}/")},
    "api:pair": {"POST": Row(DIRECTION, f"{E}/rounds/3/pair/", {"pairs": PAIRS})},
    "api:draw": {
        "GET": Row(EVERYBODY, f"{R}/draw/"),
        "POST": Row(DIRECTION, f"{E}/rounds/3/draw/", {"reason": "late pair"}),
    },
    "api:exchange": {"POST": Row(DIRECTION, f"{E}/rounds/3/exchange/", {"entrants": [1, 2], "reason": "unit"})},
    # only a Swiss draw has something to choose
    "api:why_not": {"POST": Row(OFFICIALS, f"{V1}/events/{{eve}}/rounds/1/why-not/", {"one": 1, "other": 3})},
    "api:check_pairing": {"GET": Row(OFFICIALS, f"{E}/rounds/3/check/")},
    "api:publish_pairing": {"POST": Row(DIRECTION, f"{E}/rounds/3/publish/")},
    "api:supersede_pairing": {
        "POST": Row(
            DIRECTION,
            f"{V1}/events/{{eve}}/rounds/1/supersede/",
            {"pairs": [{"home": 1, "away": 3, "table": 1}, {"home": 2, "away": 4, "table": 2}], "reason": "seating"},
        )
    },
    "api:start_round": {"POST": Row(DIRECTION, f"{V1}/events/{{eve}}/rounds/1/start/")},
    "api:extend_round": {"POST": Row(DIRECTION, f"{R}/extend/", {"minutes": 5})},
    "api:close_round": {"POST": Row(DIRECTION, f"{V1}/events/{{done}}/rounds/1/close/")},
    "api:reopen_round": {"POST": Row(DIRECTION, f"{V1}/events/{{shut}}/rounds/1/reopen/")},
    "api:swap_tables": {"POST": Row(DIRECTION, f"{R}/swap/", {"sittings": ["{swapped}", "{swapping}"]})},
    "api:cards": {"GET": Row(DIRECTION, f"{R}/cards.pdf")},
    "api:score_sheets": {"GET": Row(OFFICIALS, f"{R}/sheets.pdf")},
    "api:pairing_pdf": {"GET": Row(EVERYBODY, f"{R}/pairing.pdf")},
    "api:decide": {"POST": Row(CHIEF, f"{V1}/matches/{{undecided}}/lots/", {"reason": "level at time"})},
    "api:forfeit": {
        "POST": Row(CHIEF, f"{V1}/matches/{{match}}/forfeit/", {"outcome": "home_forfeit", "reason": "absent"}, table=3)
    },
    "api:sitting": {"GET": Row(EVERYBODY, f"{OPEN}/")},
    "api:entries": {"GET": Row(EVERYBODY, f"{OPEN}/entries/")},
    "api:hands": {"POST": Row(SIDES + REFEREES, f"{OPEN}/hands/", {"facts": OTHER, "hand_no": 1, "basis": "watched"})},
    "api:many_hands": {
        "POST": Row(
            SIDES + REFEREES,
            f"{V1}/hands/",
            {"hands": [{"key": "k", "sitting": "{open}", "facts": OTHER, "hand_no": 1, "basis": "watched"}]},
        )
    },
    "api:hand_record": {
        "GET": Row(EVERYBODY, f"{OVER}/hands/1/record/"),
        "POST": Row(OFFICIALS, f"{OVER}/hands/1/record/", {"text": HAND}),
    },
    "api:preview": {"POST": Row(SIDES + REFEREES, f"{OPEN}/preview/", {"facts": SHEET})},
    "api:device_key": {"POST": Row(SIDES, f"{OPEN}/key/", {"public_key": "{new_key}"})},
    "api:agreed": {
        "POST": Row(SIDES + REFEREES, f"{V1}/sittings/{{empty}}/agreed/", {"code": "{signed_code}"}, table=3)
    },
    "api:settle": {
        "POST": Row(
            REFEREES,
            f"{OPEN}/settle/",
            {"facts": SHEET, "hand_no": 1, "reason": "heard both"},
            {"If-Match": '"{open_revision}"'},
        )
    },
    "api:penalties": {
        "POST": Row(
            CHIEF,
            f"{FREE}/penalties/",
            {"side": "NS", "levels": -1, "reason": "late", "clause": "penalty.late.levels"},
            SEEN,
            table=2,
        )
    },
    "api:place_penalties": {
        "POST": Row(
            CHIEF,
            f"{V1}/sittings/{{players}}/places/1/penalties/",
            {"amount": -1, "reason": "late", "clause": "zhaopengyou.level_penalty"},
            {"If-Match": '"{players_revision}"'},
        )
    },
    "api:end": {"POST": Row(REFEREES, f"{FREE}/end/", {"reason": "time"}, SEEN, table=2)},
    "api:reopen": {
        "POST": Row(CHIEF, f"{OVER}/reopen/", {"reason": "too early"}, {"If-Match": '"{over_revision}"'}, table=4)
    },
    "api:calls": {
        "GET": Row(SIDES + OFFICIALS, f"{OPEN}/calls/"),
        "POST": Row(SIDES, f"{OPEN}/calls/", {"note": "please"}),
    },
    "api:scored_by": {"POST": Row(DIRECTION, f"{FREE}/scored-by/", {"scored_by": "referee"}, table=2)},
    # North-South entered the hand: its own confirmation is no question of who it is, but of what it did (409)
    "api:confirm": {"POST": Row(SIDES + REFEREES, f"{OPEN}/entries/{{waiting}}/confirm/", {})},
    "api:take_back": {"POST": Row("n", f"{OPEN}/entries/{{waiting}}/take-back/")},
    "api:send_back": {"POST": Row(SIDES, f"{OPEN}/entries/{{waiting}}/send-back/", {"what": "points"})},
    "api:object": {"POST": Row(SIDES, f"{FREE}/entries/{{entry}}/object/", {}, table=2)},
    "api:take_call": {"POST": Row(REFEREES, f"{V1}/calls/{{call}}/take/")},
    "api:close_call": {"POST": Row(REFEREES, f"{V1}/calls/{{call}}/close/")},
    # the call is of East-West: North-South gives no photos with it
    "api:photos": {
        "GET": Row(SIDES + OFFICIALS, f"{V1}/calls/{{call}}/photos/"),
        "POST": Row("e" + OFFICIALS, f"{V1}/calls/{{call}}/photos/", PNG, kind="image/png"),
    },
    "api:photo": {"DELETE": Row(REFEREES, f"{V1}/photos/{{photo}}/", {"reason": "a face"})},
    "api:photo_file": {"GET": Row("e" + OFFICIALS, f"{V1}/photos/{{photo}}.jpg")},
    "api:correct": {
        "POST": Row(
            REFEREES,
            f"{V1}/entries/{{entry}}/corrections/",
            {"facts": OTHER, "reason": "misread", "treatment": "recompute"},
            SEEN,
            table=2,
        )
    },
    "api:foresee": {"POST": Row(REFEREES, f"{V1}/entries/{{entry}}/corrections/preview/", {"facts": OTHER}, table=2)},
    "api:corrections": {"GET": Row(OFFICIALS, f"{E}/corrections/")},
    "api:approve": {"POST": Row(REFEREES, f"{V1}/corrections/{{correction}}/approve/")},
    "api:refuse": {"POST": Row(REFEREES, f"{V1}/corrections/{{correction}}/refuse/", {})},
    "api:rule_changes": {
        "GET": Row(OFFICIALS, f"{E}/rule-changes/"),
        "POST": Row(DIRECTION, f"{V1}/events/{{eve}}/rule-changes/", {"profile": "scn2-2013", "reason": "misprint"}),
    },
    "api:foresee_rules": {"POST": Row(DIRECTION, f"{E}/rule-changes/preview/", {"profile": "scn2-2013"})},
    # while a round is played the rules stay
    "api:apply_rules": {"POST": Row(DIRECTION, f"{V1}/rule-changes/{{between_rounds}}/apply/")},
    "api:refuse_rules": {"POST": Row(DIRECTION, f"{V1}/rule-changes/{{rule_change}}/refuse/", {})},
    "api:rulings": {"GET": Row(OFFICIALS, f"{E}/rulings/")},
    "api:rulings_digest": {"GET": Row(EVERYBODY, f"{E}/rulings/digest/")},
    "api:propose_ruling": {
        "POST": Row(REFEREES, f"{FREE}/rulings/", {"facts": {"irregularity": "take_back"}, "side": "NS"}, table=2)
    },
    "api:foresee_ruling": {
        "POST": Row(
            REFEREES, f"{FREE}/rulings/preview/", {"facts": {"irregularity": "take_back"}, "side": "NS"}, table=2
        )
    },
    "api:ruling": {"GET": Row(OFFICIALS, f"{V1}/rulings/{{ruling}}/", table=2)},
    "api:decide_ruling": {"POST": Row(CHIEF, f"{V1}/rulings/{{ruling}}/decide/", {}, SEEN, table=2)},
    "api:cancel_ruling": {
        "POST": Row(REFEREES, f"{V1}/rulings/{{ruling}}/cancel/", {"reason": "misheard"}, SEEN, table=2)
    },
    "api:lodge_appeal": {
        "POST": Row(SIDES + OFFICIALS, f"{V1}/rulings/{{decided}}/appeal/", {"reason": "not so", "side": "NS"}, table=2)
    },
    "api:decide_appeal": {
        "POST": Row(
            CHIEF, f"{V1}/rulings/{{appealed}}/appeal/answer/", {"reason": "heard", "upheld": True}, SEEN, table=2
        )
    },
    "api:standings": {"GET": Row(EVERYBODY, f"{E}/standings/")},
    "api:lots": {
        "GET": Row(EVERYBODY, f"{E}/stages/1/lots/"),
        "POST": Row(
            ORGANISER, f"{V1}/events/{{done}}/stages/1/lots/", {"order": [1, 3], "reason": "drawn at the desk"}
        ),
    },
    "api:stage_standings": {"GET": Row(EVERYBODY, f"{E}/stages/1/standings/")},
    "api:standings_csv": {"GET": Row(EVERYBODY, f"{E}/standings.csv")},
    "api:standings_xlsx": {"GET": Row(EVERYBODY, f"{E}/standings.xlsx")},
    "api:standings_pdf": {"GET": Row(EVERYBODY, f"{E}/standings.pdf")},
    "api:publications": {
        "GET": Row(EVERYBODY, f"{E}/publications/"),
        "POST": Row(ORGANISER, f"{E}/publications/", {"round": 1, "supersedes": 1, "reason": "a hand was corrected"}),
    },
    "api:publish_now": {"POST": Row(ORGANISER, f"{V1}/events/{{done}}/publications/waiting/{{waits}}/now/")},
    "api:publish_stop": {"POST": Row(ORGANISER, f"{V1}/events/{{done}}/publications/waiting/{{waits}}/stop/")},
    "api:publication": {"GET": Row(EVERYBODY, f"{E}/publications/1/")},
    "api:publication_csv": {"GET": Row(EVERYBODY, f"{E}/publications/1.csv")},
    "api:publication_xlsx": {"GET": Row(EVERYBODY, f"{E}/publications/1.xlsx")},
    "api:publication_pdf": {"GET": Row(EVERYBODY, f"{E}/publications/1.pdf")},
    "api:export": {"GET": Row(EVERYBODY, f"{E}/export/")},
    "api:certificate": {"GET": Row(EVERYBODY, f"{E}/certificate/")},
    "api:event_files": {"POST": Row(SIGNED_IN, f"{V1}/event-files/?slug=brought-along", b"{export}")},
    # of who sent the file, and of nobody else
    "api:own_job": {"GET": Row("p", f"{V1}/jobs/{{checked}}/")},
    "api:take_event_file": {"POST": Row("p", f"{V1}/jobs/{{checked}}/take/")},
    "api:next": {"GET": Row(OFFICIALS, f"{E}/next/")},
    "api:board": {"GET": Row(OFFICIALS, f"{E}/board/")},
    "api:job": {"GET": Row(OFFICIALS, f"{E}/jobs/{{job}}/")},
    "api:history": {"GET": Row(OFFICIALS, f"{E}/history/")},
    # who did it, or has an office that may do it: every official checks in
    "api:undo": {"POST": Row(OFFICIALS, f"{V1}/events/{{shut}}/history/{{undoable}}/undo/", {})},
    "api:ask": {"POST": Row(EVERYBODY, f"{V1}/rules/ask", b"[]")},
    "api:profiles": {"GET": Row(EVERYBODY, f"{V1}/rules/profiles/")},
    "api:profile": {"GET": Row(EVERYBODY, f"{V1}/rules/profiles/scn2-2013/")},
    "api:clause": {"GET": Row(EVERYBODY, f"{V1}/rules/profiles/scn2-2013/clauses/scn2.hook/")},
    "api:compare": {"GET": Row(EVERYBODY, f"{V1}/rules/compare/?a=scn2-2013&b=cn-national-2d")},
    "api:nothing": {method: Row(NOT_THERE, f"{V1}/nowhere/") for method in ("GET", "POST", "PUT", "PATCH", "DELETE")},
}

D = "/desk/{here}"
DR = f"{D}/rounds/2"
T1, T2, T3, T4 = (f"{DR}/tables/{number}" for number in (1, 2, 3, 4))
FORM = "application/x-www-form-urlencoded"
NEW_EVENT = b"preset=F1&name=New&slug=brand-new&language=en&timezone=Asia/Shanghai&starts_on=2026-05-01"
OTHER_PAIRS = b"table=1&home={eve_1}&away={eve_3}&table=2&home={eve_2}&away={eve_4}&reason=seating"
UPLOAD = (
    b'--part\r\nContent-Disposition: form-data; name="slug"\r\n\r\nbrought-along\r\n'
    b'--part\r\nContent-Disposition: form-data; name="file"; filename="event.json"\r\n\r\n{export}\r\n--part--\r\n'
)
SLIP = b"kind=hand&trump=H&captured_in_tricks=40&last_trick_winner=dealer"


def form(who: str, address: str, body: bytes = b"", *, table: int = 1) -> Row:
    """A button or a form of a page."""
    return Row(who, address, body, kind=FORM, table=table)


def of_name(row: Row) -> Row:
    """The same at a host name, without which there are no passkeys."""
    return replace(row, headers={"Host": "localhost"})


DESK: dict[str, Mapping[str, Row]] = {
    "desk:events": {"GET": Row(SIGNED_IN, "/desk/")},
    "desk:import_event": {
        "GET": Row(SIGNED_IN, "/desk/import/"),
        "POST": Row(SIGNED_IN, "/desk/import/", UPLOAD, kind="multipart/form-data; boundary=part"),
    },
    # nothing that is sent here is an event (422)
    "desk:move_in": {
        "GET": Row(SIGNED_IN, "/desk/import/move/"),
        "POST": Row(SIGNED_IN, "/desk/import/move/", UPLOAD, kind="multipart/form-data; boundary=part"),
    },
    "desk:event_file": {"GET": Row("p", "/desk/import/{checked}/")},
    "desk:event_file_live": {"GET": Row("p", "/desk/import/{checked}/live/")},
    "desk:take_event_file": {
        "GET": Row(SIGNED_IN, "/desk/import/{checked}/take/"),
        "POST": form("p", "/desk/import/{checked}/take/"),
    },
    "desk:short_name": {"GET": Row(SIGNED_IN, "/desk/new/short-name/?name=Cup")},
    "desk:create": {"GET": Row(SIGNED_IN, "/desk/new/"), "POST": form(SIGNED_IN, "/desk/new/", NEW_EVENT)},
    "desk:sign_in": {
        "GET": Row(EVERYBODY, "/desk/sign-in/"),
        "POST": form(EVERYBODY, "/desk/sign-in/", b"username={username}&password={password}"),
    },
    # nobody who is signed in, or has not shown a password, is asked for a code: both are sent elsewhere
    "desk:sign_in_code": {
        "GET": Row(EVERYBODY, "/desk/sign-in/code/"),
        "POST": form(EVERYBODY, "/desk/sign-in/code/", b"code=000000"),
    },
    # of nobody who was right with a password it asks for one
    "desk:passkey_sign_in": {
        "GET": Row(EVERYBODY, "/desk/sign-in/passkey/"),
        "POST": form(EVERYBODY, "/desk/sign-in/passkey/"),
    },
    "desk:sign_out": {"POST": form(EVERYBODY, "/desk/sign-out/")},
    "desk:enter": {
        "GET": Row(EVERYBODY, "/desk/enter/{secret}/"),
        "POST": form(EVERYBODY, "/desk/enter/{secret}/"),
    },
    "desk:welcome": {
        "GET": Row(SIGNED_IN, "/desk/welcome/"),
        "POST": form(SIGNED_IN, "/desk/welcome/", b"display_name=Me&username=me&password=quiet-Harbour-78"),
    },
    "desk:account": {
        "GET": Row(SIGNED_IN, "/desk/account/"),
        # only the person has a password here to change
        "POST": form(SIGNED_IN, "/desk/account/", b"current=quiet-Harbour-77&password=quiet-Harbour-78"),
    },
    "desk:factor": {
        "GET": Row(SIGNED_IN, "/desk/account/factor/"),
        "POST": form(SIGNED_IN, "/desk/account/factor/", b"password=quiet-Harbour-77&code={figures}"),
    },
    "desk:factor_off": {
        "POST": form(SIGNED_IN, "/desk/account/factor/off/", b"password=quiet-Harbour-77&code={recovery}")
    },
    "desk:factor_codes": {"POST": form(SIGNED_IN, "/desk/account/factor/codes/", b"code={recovery}")},
    "desk:passkey_add": {
        "GET": Row(SIGNED_IN, "/desk/account/passkeys/add/"),
        "POST": of_name(form(SIGNED_IN, "/desk/account/passkeys/add/", b"name=phone&passkey={new_passkey}")),
    },
    "desk:passkey_ask": {
        "GET": Row(SIGNED_IN, "/desk/account/passkeys/ask/"),
        "POST": of_name(form(SIGNED_IN, "/desk/account/passkeys/ask/", b"for=new")),
    },
    "desk:passkey_remove": {
        "GET": Row(SIGNED_IN, "/desk/account/passkeys/{passkey}/remove/"),
        "POST": form("u", "/desk/account/passkeys/{passkey}/remove/"),
    },
    "desk:end_session": {"POST": form(SIGNED_IN, "/desk/account/sessions/end/")},
    "desk:make_token": {
        "GET": Row(SIGNED_IN, "/desk/account/tokens/"),
        "POST": form(SIGNED_IN, "/desk/account/tokens/", b"scope=read&days=7"),
    },
    "desk:revoke_token": {
        "GET": Row(SIGNED_IN, "/desk/account/tokens/revoke/"),
        "POST": form("R", "/desk/account/tokens/revoke/", b"token={token}"),
    },
    "desk:accept": {
        "GET": Row(SIGNED_IN, "/desk/invitations/{invitation}/accept/"),
        "POST": form("p", "/desk/invitations/{invitation}/accept/"),
    },
    "desk:decline": {
        "GET": Row(SIGNED_IN, "/desk/invitations/{invitation}/decline/"),
        "POST": form("p", "/desk/invitations/{invitation}/decline/"),
    },
    "desk:board": {"GET": Row(OFFICIALS, f"{D}/")},
    "desk:board_live": {"GET": Row(OFFICIALS, f"{D}/live/")},
    "desk:calls": {"GET": Row(OFFICIALS, f"{D}/calls/?at=2")},
    "desk:calls_live": {"GET": Row(OFFICIALS, f"{D}/calls/live/")},
    "desk:attach_photo": {"POST": Row(OFFICIALS, f"{D}/calls/{{call}}/photos/", PHOTO, kind=PARTS)},
    "desk:photo": {"GET": Row(OFFICIALS, f"{D}/photos/{{photo}}.jpg")},
    "desk:remove_photo": {"POST": form(REFEREES, f"{D}/photos/{{photo}}/remove/", b"reason=a+face")},
    "desk:take_call": {"POST": form(REFEREES, f"{D}/calls/{{call}}/take/")},
    "desk:close_call": {"POST": form(REFEREES, f"{D}/calls/{{call}}/close/")},
    "desk:setup": {
        "GET": Row(ORGANISER, f"{D}/setup/"),
        "POST": form(
            ORGANISER,
            f"{D}/setup/",
            b"name=Renamed&language=en&timezone=Asia/Shanghai&penalties=standard&appeal_minutes=30",
        ),
    },
    "desk:running": {"GET": Row(ORGANISER, f"{D}/running/")},
    "desk:running_live": {"GET": Row(ORGANISER, f"{D}/running/live/")},
    "desk:form_file": {"GET": Row(ORGANISER, f"{D}/setup/form.json")},
    "desk:stage_add": {"POST": form(ORGANISER, f"{D}/stages/new/", b"format=rr")},
    "desk:stage": {
        "GET": Row(ORGANISER, f"{D}/stages/1/"),
        "POST": form(ORGANISER, f"{D}/stages/1/", b"act=up:wins&chain=points&chain=wins"),
    },
    "desk:advice": {
        "GET": Row(OFFICIALS, f"{D}/stages/1/advice/"),
        "POST": form(OFFICIALS, f"{D}/stages/1/advice/", b"entrants=8&rounds=2&pace=6&spread=even&seed=s"),
    },
    "desk:stage_begin": {
        "GET": Row(DIRECTION, f"{D}/stages/1/begin/"),
        "POST": form(DIRECTION, "/desk/{fresh}/stages/1/begin/"),
    },
    "desk:stage_remove": {"POST": form(ORGANISER, "/desk/{fresh}/stages/2/remove/")},
    "desk:rules": {
        "GET": Row(DIRECTION, f"{D}/rules/"),
        "POST": form(DIRECTION, f"{D}/rules/", b"base=scn2-2013&look=1"),
    },
    "desk:rule_change": {
        "GET": Row(OFFICIALS, f"{D}/rules/{{rule_change}}/"),
        "POST": form(DIRECTION, f"{D}/rules/{{rule_change}}/", b"decision=refuse"),
    },
    "desk:officials": {
        "GET": Row(ORGANISER, f"{D}/officials/"),
        "POST": form(ORGANISER, f"{D}/officials/", b"username=new&display_name=New&office=referee"),
    },
    "desk:revoke": {"POST": form(ORGANISER, f"{D}/officials/{{official}}/revoke/")},
    "desk:link": {"POST": form(ORGANISER, f"{D}/officials/{{newcomer}}/link/")},
    "desk:withdraw_invitation": {"POST": form(ORGANISER, f"{D}/officials/invitations/{{invitation}}/withdraw/")},
    "desk:entrants": {"GET": Row(OFFICIALS, f"{D}/entrants/")},
    "desk:entrant_add": {
        "GET": Row(ORGANISER, f"{D}/entrants/new/"),
        # the draw of a round robin is made: nobody can join it
        "POST": form(ORGANISER, "/desk/{eve}/entrants/new/", b"name=Late"),
    },
    "desk:entrant": {
        "GET": Row(ORGANISER, f"{D}/entrants/1/"),
        "POST": form(ORGANISER, f"{D}/entrants/1/", b"name=Pair+1&player_1=%E7%8E%8B1&player_2=Lee+1"),
    },
    "desk:withdraw": {"POST": form(DIRECTION, f"{D}/entrants/12/withdraw/", b"reason=left")},
    "desk:import": {"GET": Row(ORGANISER, f"{D}/entrants/import/"), "POST": form(ORGANISER, f"{D}/entrants/import/")},
    "desk:import_sample": {"GET": Row(ORGANISER, f"{D}/entrants/import/sample.xlsx")},
    "desk:entrants_csv": {"GET": Row(ORGANISER, f"{D}/entrants/export.csv")},
    "desk:pairing": {"GET": Row(OFFICIALS, f"{D}/rounds/")},
    "desk:round_create": {"POST": form(DIRECTION, "/desk/{eve}/rounds/new/")},
    "desk:round_board": {"GET": Row(OFFICIALS, f"{DR}/")},
    "desk:pair": {
        "GET": Row(DIRECTION, f"{D}/rounds/3/pair/"),
        "POST": form(DIRECTION, f"{D}/rounds/3/pair/", b"table=1&home={here_1}&away={here_2}&reason=by+hand"),
    },
    "desk:draw": {"POST": form(DIRECTION, f"{D}/rounds/3/draw/", b"reason=late+pair")},
    "desk:draw_document": {"GET": Row(OFFICIALS, f"{D}/rounds/3/draws/1.json")},
    "desk:exchange": {"POST": form(DIRECTION, f"{D}/rounds/3/exchange/", b"entrant=1&entrant=2&reason=unit")},
    "desk:publish_pairing": {"POST": form(DIRECTION, f"{D}/rounds/3/publish/")},
    "desk:supersede": {
        "GET": Row(DIRECTION, f"{DR}/supersede/"),
        "POST": form(DIRECTION, "/desk/{eve}/rounds/1/supersede/", OTHER_PAIRS),
    },
    "desk:start": {"POST": form(DIRECTION, "/desk/{eve}/rounds/1/start/")},
    "desk:extend": {"POST": form(DIRECTION, f"{DR}/extend/", b"minutes=5")},
    "desk:clock": {"POST": form(DIRECTION, "/desk/{level}/rounds/1/clock/", b"do=stop&reason=alarm")},
    "desk:reseat": {"POST": form(CHIEF, f"{DR}/reseat/", b"entrant=1&entrant=3&reason=wrong+seats")},
    "desk:attendance": {"GET": Row(OFFICIALS, f"{D}/attendance/")},
    "desk:attendance_live": {"GET": Row(OFFICIALS, f"{D}/attendance/live/")},
    "desk:check_in": {"POST": form(OFFICIALS, f"{D}/attendance/check/", b"entrant=1")},
    "desk:lateness": {"POST": form(REFEREES, "/desk/{level}/attendance/late/", b"round=1&table=2&side=EW")},
    "desk:entrant_codes": {"POST": form(DIRECTION, f"{D}/attendance/codes.pdf")},
    "desk:entrant_code": {"POST": form(DIRECTION, f"{D}/entrants/1/code/")},
    "desk:substitute": {
        "GET": Row(CHIEF, f"{D}/entrants/1/players/"),
        # who plays at the moment changes no players
        "POST": form(CHIEF, "/desk/{fresh}/entrants/1/players/", b"player_1=A&player_2=B&reason=ill"),
    },
    "desk:extra_time": {"POST": form(OFFICIALS, f"{T2}/time/", b"minutes=5&reason=ruling", table=2)},
    "desk:move": {"POST": form(DIRECTION, f"{T2}/move/", b"table=77", table=2)},
    "desk:close": {"POST": form(DIRECTION, "/desk/{done}/rounds/1/close/")},
    "desk:reopen_round": {"POST": form(DIRECTION, "/desk/{shut}/rounds/1/reopen/")},
    "desk:cards": {"POST": form(DIRECTION, f"{DR}/cards/")},
    "desk:swap": {"POST": form(DIRECTION, f"{DR}/swap/", b"table=5&table=6")},
    "desk:pairing_pdf": {"GET": Row(OFFICIALS, f"{DR}/pairing.pdf")},
    "desk:score_sheets": {"GET": Row(OFFICIALS, f"{DR}/sheets.pdf")},
    "desk:result_code": {
        "GET": Row(REFEREES, "/desk/{here}/code/"),
        "POST": form(REFEREES, "/desk/{here}/code/", b"code={signed_code}"),
    },
    "desk:sheet_line": {"GET": Row(REFEREES, "/desk/{here}/line/")},
    "desk:table": {"GET": Row(OFFICIALS, f"{T1}/")},
    "desk:table_live": {"GET": Row(OFFICIALS, f"{T1}/live/")},
    "desk:enter_hand": {
        "GET": Row(REFEREES, f"{T2}/enter/", table=2),
        "POST": form(REFEREES, f"{T2}/enter/", b"hand_no=2&basis=watched&dealer=S&" + SLIP, table=2),
    },
    "desk:preview_hand": {"POST": form(REFEREES, f"{T2}/preview/", table=2)},
    "desk:settle": {"POST": form(REFEREES, f"{T1}/settle/?entry={{waiting}}&revision={{open_revision}}")},
    "desk:confirm": {"POST": form(REFEREES, f"{T1}/confirm/{{waiting}}/")},
    "desk:record": {
        "GET": Row(OFFICIALS, f"{T4}/hands/1/record/"),
        "POST": form(OFFICIALS, f"{T4}/hands/1/record/", b"text=play%0A1.+N:H9+E:H10+S:HA+W:H5"),
    },
    "desk:scored_by": {"POST": form(DIRECTION, f"{T2}/scored-by/", b"scored_by=referee", table=2)},
    "desk:penalty": {
        "POST": form(
            CHIEF,
            f"{T2}/penalty/",
            b"side=NS&levels=-1&reason=late&clause=penalty.late.levels&revision={free_revision}",
            table=2,
        )
    },
    "desk:end": {"POST": form(REFEREES, f"{T2}/end/", b"end=time&revision={free_revision}", table=2)},
    "desk:forfeit": {"POST": form(CHIEF, f"{T3}/forfeit/", b"outcome=home_forfeit&reason=absent", table=3)},
    "desk:reopen": {"POST": form(CHIEF, f"{T4}/reopen/", b"reason=early&revision={over_revision}", table=4)},
    "desk:decide": {"POST": form(CHIEF, "/desk/{level}/rounds/1/tables/1/decide/", b"reason=level")},
    "desk:match_boards": {"GET": Row(OFFICIALS, f"{T4}/boards/")},
    "desk:adjust_board": {
        "POST": form(CHIEF, f"{T4}/boards/1/adjust/", b"how=average&reason=soiled&clause=penalty.misboard.board")
    },
    "desk:boards": {"GET": Row(OFFICIALS, f"{D}/stages/1/boards/")},
    "desk:board_sheet": {"GET": Row(OFFICIALS, "/desk/{boards}/stages/1/boards/1/")},
    "desk:set_boards": {"POST": form(DIRECTION, f"{D}/stages/1/boards/set/", b"act=make")},
    "desk:apart": {
        "GET": Row(OFFICIALS, f"{D}/apart/"),
        "POST": form(ORGANISER, f"{D}/apart/", b"one=3&other=4&force=must&reason=siblings"),
    },
    "desk:let_meet": {"POST": form(ORGANISER, f"{D}/apart/1/end/", b"reason=settled")},
    "desk:follower": {
        "GET": Row(OFFICIALS, f"{D}/follower/"),
        "POST": form(CHIEF, f"{D}/follower/", b"do=code"),
    },
    "desk:move_event": {
        "GET": Row(ORGANISER, f"{D}/move/"),
        "POST": form(ORGANISER, f"{D}/move/", b"do=leave&to=https://cup.example.org"),
    },
    # it has not left (409); posted, the proof that it is they
    "desk:move_file": {"GET": Row(ORGANISER, f"{D}/move/event.move"), "POST": form(ORGANISER, f"{D}/move/event.move")},
    "desk:review": {"POST": form(REFEREES, f"{D}/follower/review/{{review}}/", b"note=entered")},
    "desk:hall": {
        "GET": Row(OFFICIALS, f"{D}/hall/"),
        "POST": form(DIRECTION, f"{D}/hall/", b"row-1=9&column-1=9"),
    },
    "desk:hall_pdf": {"GET": Row(OFFICIALS, f"{D}/hall/plan.pdf")},
    "desk:hall_rows": {"POST": form(DIRECTION, f"{D}/hall/rows/", b"width=3")},
    "desk:radar": {"GET": Row(OFFICIALS, f"{D}/radar/")},
    "desk:put_aside": {
        "POST": form(
            OFFICIALS, f"{D}/radar/aside/", b"flag=copy.r1.t1.open.g1.h3.h1.v1-1-1&aside=1&note=counted+again"
        ),
    },
    "desk:webhooks": {"GET": Row(ORGANISER, f"{D}/webhooks/")},
    "desk:webhooks_live": {"GET": Row(ORGANISER, f"{D}/webhooks/live/")},
    "desk:webhook_make": {"POST": form(ORGANISER, f"{D}/webhooks/new/", b"address=https://club.example/&kinds=hand")},
    "desk:webhook": {"POST": form(ORGANISER, f"{D}/webhooks/1/", b"do=again&line=2")},
    "desk:webhook_secret": {"POST": form(ORGANISER, f"{D}/webhooks/1/secret/")},
    "desk:logos": {
        "GET": Row(OFFICIALS, f"{D}/logos/"),
        "POST": Row(DIRECTION, f"{D}/logos/", LOGO, kind=PARTS),
    },
    "desk:logo_remove": {"POST": form(DIRECTION, f"{D}/logos/{{logo}}/remove/")},
    "desk:door_poster": {"GET": Row(OFFICIALS, f"{D}/poster.pdf?size=a3")},
    "desk:projector": {
        "GET": Row(OFFICIALS, f"{D}/projector/"),
        "POST": form(DIRECTION, f"{D}/projector/", b"turn-standings=1&turn-map=2"),
    },
    "desk:projector_steer": {"POST": form(DIRECTION, f"{D}/projector/steer/", b"board=map")},
    "desk:signals": {
        "GET": Row(OFFICIALS, f"{D}/signals/"),
        "POST": form(DIRECTION, f"{D}/signals/", b"card=free&return_duty=off&return_fine=20&reason=agreed"),
    },
    "desk:signal_cards_pdf": {"GET": Row(OFFICIALS, f"{D}/signals/cards.pdf")},
    "desk:entrant_signals": {
        "GET": Row(OFFICIALS, f"{D}/entrants/1/signals/"),
        "POST": form(OFFICIALS, f"{D}/entrants/1/signals/", b"direct=8&direct=9&reason=forgotten"),
    },
    "desk:deals": {
        "GET": Row(OFFICIALS, "/desk/{boards}/stages/1/deals/"),
        "POST": form(DIRECTION, "/desk/{boards}/stages/1/deals/", b"first=90&last=90&reader="),
    },
    # the first deals wait for their lot; the second are sealed, and the referee is named to read them
    "desk:deal_lot": {"POST": form(DIRECTION, "/desk/{boards}/stages/1/deals/1/lot/", b"lot=1")},
    "desk:deal_reader": {"POST": form(DIRECTION, "/desk/{boards}/stages/1/deals/1/reader/", b"reader=")},
    "desk:deal_slips": {"POST": form(OFFICIALS, "/desk/{boards}/stages/1/deals/2/slips/", b"")},
    "desk:deal_check": {"POST": form(OFFICIALS, "/desk/{boards}/stages/1/deals/2/check/", b"")},
    "desk:deal_show": {"POST": form(DIRECTION, "/desk/{boards}/stages/1/deals/2/show/", b"")},
    "desk:release": {"POST": form(OFFICIALS, f"{T1}/release/{{device}}/")},
    "desk:reissue": {"POST": form(DIRECTION, f"{T1}/reissue/NS/")},
    "desk:correct": {
        "GET": Row(REFEREES, f"{D}/hands/{{entry}}/correct/", table=2),
        "POST": form(
            REFEREES,
            f"{D}/hands/{{entry}}/correct/",
            b"apply=1&reason=misread&treatment=recompute&revision={free_revision}&dealer=N&" + SLIP,
            table=2,
        ),
    },
    "desk:corrections": {"GET": Row(OFFICIALS, f"{D}/corrections/")},
    "desk:correction": {
        "GET": Row(OFFICIALS, f"{D}/corrections/{{correction}}/"),
        "POST": form(REFEREES, f"{D}/corrections/{{correction}}/", b"decision=approve"),
    },
    "desk:rulings": {"GET": Row(OFFICIALS, f"{D}/rulings/?clause=penalty&table=2")},
    "desk:ruling_new": {
        "GET": Row(REFEREES, f"{D}/rulings/new/"),
        "POST": form(REFEREES, f"{D}/rulings/new/", b"at=2.2&irregularity=take_back&side=NS"),
    },
    "desk:ruling": {"GET": Row(OFFICIALS, f"{D}/rulings/{{ruling_no}}/")},
    "desk:ruling_decide": {
        "POST": form(CHIEF, f"{D}/rulings/{{ruling_no}}/decide/", b"penalty=proposed&revision={free_revision}")
    },
    "desk:ruling_cancel": {
        "POST": form(REFEREES, f"{D}/rulings/{{ruling_no}}/cancel/", b"reason=misheard&revision={free_revision}")
    },
    "desk:ruling_appeal": {"POST": form(OFFICIALS, f"{D}/rulings/{{decided_no}}/appeal/", b"reason=not+so&side=NS")},
    "desk:ruling_answer": {
        "POST": form(
            CHIEF, f"{D}/rulings/{{appealed_no}}/appeal/answer/", b"answer=reject&reason=heard&revision={free_revision}"
        )
    },
    "desk:standings": {"GET": Row(OFFICIALS, f"{D}/standings/")},
    "desk:publish": {
        "GET": Row(ORGANISER, f"{D}/standings/publish/"),
        "POST": form(ORGANISER, f"{D}/standings/publish/", b"round=2"),
    },
    "desk:publishing": {"GET": Row(OFFICIALS, "/desk/{done}/standings/publish/{waits}/")},
    "desk:publishing_live": {"GET": Row(OFFICIALS, "/desk/{done}/standings/publish/{waits}/live/")},
    "desk:publish_now": {"POST": form(ORGANISER, "/desk/{done}/standings/publish/{waits}/now/")},
    "desk:publish_stop": {"POST": form(ORGANISER, "/desk/{done}/standings/publish/{waits}/stop/")},
    "desk:drawn_lots": {
        "POST": form(
            ORGANISER, "/desk/{done}/standings/lots/", b"stage=1&order-{done_1}=1&order-{done_3}=2&reason=drawn"
        )
    },
    "desk:standings_csv": {"GET": Row(OFFICIALS, f"{D}/standings/export.csv")},
    "desk:standings_xlsx": {"GET": Row(OFFICIALS, f"{D}/standings/export.xlsx")},
    "desk:standings_pdf": {"GET": Row(OFFICIALS, f"{D}/standings/live.pdf")},
    "desk:publications": {"GET": Row(OFFICIALS, f"{D}/publications/")},
    "desk:publication": {"GET": Row(OFFICIALS, f"{D}/publications/1/")},
    "desk:awards": {"GET": Row(OFFICIALS, f"{D}/publications/1/awards/")},
    "desk:awards_pdf": {"GET": Row(OFFICIALS, f"{D}/publications/1/awards.pdf?places=3&title=Award&text=x")},
    "desk:history": {"GET": Row(OFFICIALS, f"{D}/history/")},
    "desk:undo": {"POST": form(OFFICIALS, "/desk/{shut}/history/{undoable}/undo/", b"back=/")},
    "desk:job": {"GET": Row(OFFICIALS, f"{D}/jobs/{{job}}/")},
    "desk:job_live": {"GET": Row(OFFICIALS, f"{D}/jobs/{{job}}/live/")},
    "desk:job_file": {"GET": Row(OFFICIALS, f"{D}/jobs/{{job}}/file.pdf")},
    # posted, the proof that it is they; then it is fetched
    "desk:export": {"GET": Row(ORGANISER, f"{D}/export.json"), "POST": form(ORGANISER, f"{D}/export.json")},
}

#: The addresses of the desk that only take a form; looked at, each leads to the page that its form stands on.
FORMS: Mapping[str, Row] = {name: rows["POST"] for name, rows in DESK.items() if "GET" not in rows}
DESK |= {name: {"GET": replace(row, body=None), "POST": row} for name, row in FORMS.items()}

P = "/table/{place}"
ACROSS = "/table/{across}"
ASKED = {"Accept": "application/json"}


def at_table(address: str, body: bytes = b"", *, who: str = "n", place: str = P, table: int = 1) -> Row:
    """An act of the page of a side: only the browser that holds the place; asked as its script asks."""
    return Row(who, f"{place}/{address}", body, ASKED, FORM, table)


TABLE: Rows = {
    "table:land": {"GET": Row(EVERYBODY, "/t/{code}/"), "POST": form(EVERYBODY, "/t/{code}/")},
    "table:own_code": {"GET": Row(EVERYBODY, "/me/"), "POST": form(EVERYBODY, "/me/", b"code={own_code}")},
    "table:own_signals": {"GET": Row(EVERYBODY, "/me/signals/"), "POST": form(EVERYBODY, "/me/signals/", b"direct=8")},
    "table:wake": {"POST": form(EVERYBODY, "/me/wake/", b"off=1")},
    "table:own_table": {"GET": Row(EVERYBODY, "/me/table/")},
    "table:own_award": {"GET": Row(EVERYBODY, "/me/award.pdf")},
    "table:own_code_land": {"GET": Row(EVERYBODY, "/me/{own_code}/")},
    "table:over": {"POST": at_table("over/", place="/table/{free_place}", table=2)},
    "table:places": {"GET": Row(EVERYBODY, "/table/"), "POST": form(EVERYBODY, "/table/", b"code=nonsense")},
    "table:place": {"GET": Row("n", f"{P}/")},
    "table:now": {"GET": Row("n", f"{P}/now/")},
    "table:record": {"GET": Row("n", f"{P}/record/")},
    "table:steps": {"GET": Row("n", f"{P}/steps/{{steps}}.json")},
    "table:receipts": {"GET": Row("n", f"{P}/receipts/")},
    "table:preview": {"POST": at_table("preview/", b"kind=hand&captured_in_tricks=35")},
    "table:enter": {"POST": at_table("enter/", b"hand_no=1&dealer=N&" + SLIP, place="/table/{empty_place}", table=3)},
    # a side neither confirms nor sends back its own hand (409)
    "table:confirm": {"POST": at_table("confirm/", b"entry={waiting}", who="e", place=ACROSS)},
    "table:key": {"POST": at_table("key/", b"public_key={new_key}")},
    "table:agreed": {"POST": at_table("agreed/", b"code={signed_code}", place="/table/{empty_place}", table=3)},
    "table:take_back": {"POST": at_table("take-back/", b"entry={waiting}")},
    "table:send_back": {"POST": at_table("send-back/", b"entry={waiting}&what=points", who="e", place=ACROSS)},
    "table:call": {"POST": at_table("call/")},
    "table:attach_photo": {"POST": Row("e", f"{ACROSS}/calls/{{call}}/photos/", PHOTO, ASKED, PARTS)},
    "table:photo": {"GET": Row("e", f"{ACROSS}/photos/{{photo}}.jpg")},
    "table:appeal": {"POST": at_table("appeal/", b"ruling={here_no}&reason=not+so")},
    "table:object": {"POST": at_table("object/", b"entry={waiting}")},
}

Z = "/zh/e/{here}"
POSTER = "poster.pdf"

PUBLIC: Rows = {
    # only where the laptop has an authority: `tests/foundations/test_tls.py`
    "public:trust_door": {"GET": Row(NOT_THERE, "/trust/")},
    "public:trust_certificate": {"GET": Row(NOT_THERE, "/trust/referee.crt")},
    "public:trust": {"GET": Row(NOT_THERE, "/zh/trust/")},
    "health": {"GET": Row(EVERYBODY, "/health")},
    "health-ready": {"GET": Row(EVERYBODY, "/health/ready")},
    "health-live": {"GET": Row(EVERYBODY, "/health/live")},
    # by where one sits, not by who one is: `tests/foundations/test_metrics.py`
    # who has no code and no channel learns nothing: `tests/tournaments/test_following.py`
    "follow:pair": {"POST": Row(NOT_THERE, "/follow/pair/", {"public": "00"})},
    "follow:ask": {"POST": Row(NOT_THERE, "/follow/", {"name": "a", "once": "b", "frame": "00"})},
    "metrics": {"GET": Row(EVERYBODY, "/metrics")},
    "parts:worker": {"GET": Row(EVERYBODY, "/worker.js")},
    "parts:manifest": {"GET": Row(EVERYBODY, "/app.webmanifest")},
    "parts:no_network": {"GET": Row(EVERYBODY, "/offline/")},
    "parts:code": {"GET": Row(EVERYBODY, "/code/")},
    "parts:code_of_event": {"GET": Row(EVERYBODY, "/code/{here}/")},
    "parts:preference": {"POST": form(EVERYBODY, "/preferences/theme/", b"to=dark")},
    "public:front": {"GET": Row(EVERYBODY, "/")},
    "public:events": {"GET": Row(EVERYBODY, "/zh/")},
    "public:event": {"GET": Row(EVERYBODY, f"{Z}/")},
    "public:rounds": {"GET": Row(EVERYBODY, f"{Z}/rounds/")},
    "public:round": {"GET": Row(EVERYBODY, f"{Z}/rounds/2/")},
    "public:draw_document": {"GET": Row(EVERYBODY, f"{Z}/rounds/2/draw.json")},
    "public:pairing_document": {"GET": Row(EVERYBODY, f"{Z}/rounds/2/pairing.json")},
    "public:finder_pdf": {"GET": Row(EVERYBODY, f"{Z}/rounds/2/seats.pdf")},
    "public:pairing_pdf": {"GET": Row(EVERYBODY, f"{Z}/rounds/2/pairing.pdf")},
    "public:match": {"GET": Row(EVERYBODY, f"{Z}/rounds/2/tables/2/")},
    "public:share_event": {"GET": Row(EVERYBODY, f"{Z}/share/")},
    "public:share_event_picture": {"GET": Row(EVERYBODY, f"{Z}/share/{POSTER}")},
    "public:share_match": {"GET": Row(EVERYBODY, f"{Z}/rounds/2/tables/2/share/")},
    "public:share_match_picture": {"GET": Row(EVERYBODY, f"{Z}/rounds/2/tables/2/share/{POSTER}")},
    "public:share_entrant": {"GET": Row(EVERYBODY, f"{Z}/entrants/1/share/")},
    "public:share_entrant_picture": {"GET": Row(EVERYBODY, f"{Z}/entrants/1/share/{POSTER}")},
    "public:share_publication": {"GET": Row(EVERYBODY, f"{Z}/standings/1/share/")},
    "public:share_publication_picture": {"GET": Row(EVERYBODY, f"{Z}/standings/1/share/{POSTER}")},
    "public:hand": {"GET": Row(EVERYBODY, f"{Z}/rounds/2/tables/4/hands/1/")},
    "public:tricks": {"GET": Row(EVERYBODY, f"{Z}/rounds/2/tables/4/hands/1/tricks/?trick=1")},
    "public:standings": {"GET": Row(EVERYBODY, f"{Z}/standings/")},
    # a table has it still to play
    "public:board": {"GET": Row(NOT_THERE, "/zh/e/{boards}/stages/1/boards/1/")},
    "public:deals": {"GET": Row(EVERYBODY, "/zh/e/{boards}/stages/1/deals/")},
    "public:deal_records": {"GET": Row(NOT_THERE, "/zh/e/{boards}/stages/1/deals/1/records.pdf")},
    "public:deal_script": {"GET": Row(EVERYBODY, "/deals.py")},
    "public:publication": {"GET": Row(EVERYBODY, f"{Z}/standings/1/")},
    "public:publication_pdf": {"GET": Row(EVERYBODY, f"{Z}/standings/1/standings.pdf")},
    "public:document": {"GET": Row(EVERYBODY, f"{Z}/standings/1/document.json")},
    "public:statistics": {"GET": Row(EVERYBODY, f"{Z}/statistics/")},
    "public:rulings": {"GET": Row(EVERYBODY, f"{Z}/rulings/")},
    "public:rulings_pdf": {"GET": Row(EVERYBODY, f"{Z}/rulings/digest.pdf")},
    "public:entrants": {"GET": Row(EVERYBODY, f"{Z}/entrants/")},
    "public:entrant": {"GET": Row(EVERYBODY, f"{Z}/entrants/1/")},
    "public:logo": {"GET": Row(EVERYBODY, f"{Z}/logos/{{logo}}.jpg")},
    "public:follow": {"GET": Row(EVERYBODY, f"{Z}/follow/?n=1,3")},
    "public:screen": {"GET": Row(EVERYBODY, f"{Z}/screen/")},
    "public:check": {"GET": Row(EVERYBODY, f"{Z}/check/")},
    "public:log": {"GET": Row(EVERYBODY, f"{Z}/log/")},
    "public:log_script": {"GET": Row(EVERYBODY, "/verify.py")},
    "public:certificate": {"GET": Row(EVERYBODY, f"{Z}/certificate/")},
    "public:certificate_document": {"GET": Row(EVERYBODY, f"{Z}/certificate/certificate.json")},
    "public:certificate_pdf": {"GET": Row(EVERYBODY, f"{Z}/certificate/certificate.pdf")},
    "public:event_rules": {"GET": Row(EVERYBODY, f"{Z}/rules/")},
    "public:adjudicator": {"GET": Row(EVERYBODY, "/zh/adjudicator/")},
    "public:adjudicate": {"GET": Row(EVERYBODY, "/zh/adjudicator/throw/?level=7&leader=S&S=H8H8HJ&W=HA")},
    "public:rules": {"GET": Row(EVERYBODY, "/zh/rules/")},
    "public:conformance": {"GET": Row(EVERYBODY, "/conformance.zip")},
    "public:compare": {"GET": Row(EVERYBODY, "/zh/rules/compare/?a=scn2-2013&b=chaodipi")},
    "public:explain": {"GET": Row(EVERYBODY, "/zh/rules/scn2-2013/explain/?captured_in_tricks=80")},
    "public:profile": {"GET": Row(EVERYBODY, "/zh/rules/scn2-2013/")},
    "public:clauses": {"GET": Row(EVERYBODY, "/zh/rules/scn2-2013/clauses/")},
}

#: What depends on the state of the thing and not on the address: drafts, a closed round, a hidden live table.
SPECIAL: Mapping[str, Row] = {
    "a draft round is for officials": Row(OFFICIALS, f"{E}/rounds/3/"),
    "a draft sitting is for officials": Row(OFFICIALS, f"{V1}/sittings/{{draft}}/"),
    "a draft's ledger is for officials": Row(OFFICIALS, f"{V1}/sittings/{{draft}}/entries/"),
    "no public page of a draft round": Row(NOT_THERE, f"{Z}/rounds/3/"),
    "no public paper of a draft round": Row(NOT_THERE, f"{Z}/rounds/3/pairing.pdf"),
    "a hidden live table is for officials": Row(OFFICIALS, f"{V1}/events/{{eve}}/standings/"),
    "a hidden live table is no file for others": Row(OFFICIALS, f"{V1}/events/{{eve}}/standings.csv"),
    "a hidden live table is no PDF file for others": Row(OFFICIALS, f"{V1}/events/{{eve}}/standings.pdf"),
    "a draft's pairing on paper is for officials": Row(OFFICIALS, f"{E}/rounds/3/pairing.pdf"),
    "a hidden live table is no XLSX file for others": Row(OFFICIALS, f"{V1}/events/{{eve}}/standings.xlsx"),
    "a hidden live table of a stage is for officials": Row(OFFICIALS, f"{V1}/events/{{eve}}/stages/1/standings/"),
    "a decided ruling is cancelled by the chief referee": Row(
        CHIEF, f"{V1}/rulings/{{decided}}/cancel/", {"reason": "misheard"}, SEEN, table=2
    ),
    "a correction in a closed round is for the chief referee": Row(
        CHIEF,
        f"{V1}/entries/{{closed_entry}}/corrections/",
        {"facts": OTHER, "reason": "misread", "treatment": "recompute"},
        {"If-Match": '"{closed_revision}"'},
        table=0,
    ),
    "what it would change is for referees": Row(
        REFEREES, f"{V1}/entries/{{closed_entry}}/corrections/preview/", {"facts": OTHER}, table=0
    ),
}
