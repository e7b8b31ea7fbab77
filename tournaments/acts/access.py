"""Who may do what: one table of acts.

Officials hold offices in a tournament; a side holds a place at one sitting through its device. A site's superuser has
no rights in a tournament: unpublished data is for its officials. Whether an actor may is asked in `admission`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from ..models import TokenScope


class Who(StrEnum):
    """Kinds of people in the table below."""

    ANYONE = "anyone"
    SIDE = "side"
    REFEREE = "referee"
    CHIEF_REFEREE = "chief_referee"
    ORGANISER = "organiser"
    OWN_ACCOUNT = "own_account"


class Act(StrEnum):
    """Every act of the product. Its value is the verb kept in the history."""

    SEE_PUBLIC = "see_public"
    SEE_TABLE = "see_table"
    ENTER_HAND = "enter_hand"
    CONFIRM_HAND = "confirm_hand"
    ENROL_KEY = "enrol_key"
    AGREE_BY_CODE = "agree_by_code"
    TAKE_BACK = "take_back"
    SEND_BACK = "send_back"
    CALL_REFEREE = "call_referee"
    OBJECT = "object"
    TAKE_CALL = "take_call"
    CLOSE_CALL = "close_call"
    SETTLE = "settle"
    CORRECT = "correct"
    ATTACH_RECORD = "attach_record"
    ATTACH_PHOTO = "attach_photo"
    REMOVE_PHOTO = "remove_photo"
    PROPOSE_CORRECTION = "propose_correction"
    APPROVE_CORRECTION = "approve_correction"
    REFUSE_CORRECTION = "refuse_correction"
    PENALISE = "penalise"
    END_SITTING = "end_sitting"
    REOPEN_SITTING = "reopen_sitting"
    FORFEIT = "forfeit"
    DECIDE_BY_LOT = "decide_by_lot"
    SET_BOARDS = "set_boards"
    ADJUST_BOARD = "adjust_board"
    ARRANGE_HALL = "arrange_hall"
    STEER_SCREEN = "steer_screen"
    SET_LOGOS = "set_logos"
    SET_WEBHOOKS = "set_webhooks"
    SET_SIGNALS = "set_signals"
    FILE_SIGNALS = "file_signals"
    PUT_ASIDE = "put_aside"
    COMMIT_DEALS = "commit_deals"
    DRAW_DEALS = "draw_deals"
    NAME_READER = "name_reader"
    READ_DEALS = "read_deals"
    SHOW_DEALS = "show_deals"
    PROPOSE_RULING = "propose_ruling"
    DECIDE_RULING = "decide_ruling"
    CANCEL_RULING = "cancel_ruling"
    LODGE_APPEAL = "lodge_appeal"
    DECIDE_APPEAL = "decide_appeal"
    BEGIN_STAGE = "begin_stage"
    CREATE_ROUND = "create_round"
    PAIR = "pair"
    PUBLISH_PAIRING = "publish_pairing"
    SUPERSEDE_PAIRING = "supersede_pairing"
    START_ROUND = "start_round"
    SET_CLOCK = "set_clock"
    EXTRA_TIME = "extra_time"
    AGREE_END = "agree_end"
    RESEAT = "reseat"
    CHECK_IN = "check_in"
    CLOSE_ROUND = "close_round"
    REOPEN_ROUND = "reopen_round"
    SET_SCORED_BY = "set_scored_by"
    SWAP_TABLES = "swap_tables"
    PUBLISH = "publish"
    STOP_PUBLISHING = "stop_publishing"
    IMPORT_ENTRANTS = "import_entrants"
    EDIT_ENTRANTS = "edit_entrants"
    KEEP_APART = "keep_apart"
    LET_MEET = "let_meet"
    SUBSTITUTE = "substitute"
    WITHDRAW = "withdraw"
    READMIT = "readmit"
    ERASE_PERSON = "erase_person"
    ISSUE_CODES = "issue_codes"
    RELEASE_DEVICE = "release_device"
    SEE_DESK = "see_desk"
    SEE_HISTORY = "see_history"
    UNDO = "undo"
    MANAGE_OFFICIALS = "manage_officials"
    ACCEPT_INVITATION = "accept_invitation"
    DECLINE_INVITATION = "decline_invitation"
    SET_UP = "set_up"
    PROPOSE_RULES = "propose_rules"
    APPLY_RULES = "apply_rules"
    REFUSE_RULES = "refuse_rules"
    EXPORT_NAMES = "export_names"
    PAIR_FOLLOWER = "pair_follower"
    TAKE_OVER = "take_over"
    SETTLE_REVIEW = "settle_review"
    MOVE_EVENT = "move_event"
    CREATE_TOURNAMENT = "create_tournament"
    IMPORT_EVENT = "import_event"


_ALL_OFFICIALS = frozenset({Who.REFEREE, Who.CHIEF_REFEREE, Who.ORGANISER})
_REFEREES = frozenset({Who.REFEREE, Who.CHIEF_REFEREE})
_CHIEF = frozenset({Who.CHIEF_REFEREE})
_DIRECTION = frozenset({Who.CHIEF_REFEREE, Who.ORGANISER})
_ORGANISER = frozenset({Who.ORGANISER})
_SIDE = frozenset({Who.SIDE})

MATRIX: Mapping[Act, frozenset[Who]] = {
    Act.SEE_PUBLIC: frozenset({Who.ANYONE}),
    Act.SEE_TABLE: _SIDE | _REFEREES | _ORGANISER,
    Act.ENTER_HAND: _SIDE | _REFEREES,
    Act.CONFIRM_HAND: _SIDE | _REFEREES,
    Act.ENROL_KEY: _SIDE,
    Act.AGREE_BY_CODE: _SIDE | _REFEREES,
    Act.TAKE_BACK: _SIDE,
    Act.SEND_BACK: _SIDE,
    Act.CALL_REFEREE: _SIDE,
    Act.OBJECT: _SIDE,
    Act.TAKE_CALL: _REFEREES,
    Act.CLOSE_CALL: _REFEREES,
    Act.SETTLE: _REFEREES,
    Act.CORRECT: _REFEREES,
    Act.ATTACH_RECORD: _ALL_OFFICIALS,
    Act.ATTACH_PHOTO: _SIDE | _ALL_OFFICIALS,
    Act.REMOVE_PHOTO: _REFEREES,
    Act.PROPOSE_CORRECTION: _CHIEF,  # of a closed round; another official approves or refuses
    Act.APPROVE_CORRECTION: _REFEREES,
    Act.REFUSE_CORRECTION: _REFEREES,
    Act.PENALISE: _CHIEF,
    Act.END_SITTING: _REFEREES,
    Act.REOPEN_SITTING: _CHIEF,
    Act.FORFEIT: _CHIEF,
    Act.DECIDE_BY_LOT: _CHIEF,
    Act.SET_BOARDS: _DIRECTION,
    Act.ADJUST_BOARD: _CHIEF,
    Act.ARRANGE_HALL: _DIRECTION,
    Act.STEER_SCREEN: _DIRECTION,
    Act.SET_LOGOS: _DIRECTION,
    Act.SET_SIGNALS: _DIRECTION,
    Act.FILE_SIGNALS: _ALL_OFFICIALS,  # and the entrant itself, by its own code, before it plays
    Act.PUT_ASIDE: _ALL_OFFICIALS,
    Act.COMMIT_DEALS: _DIRECTION,
    Act.DRAW_DEALS: _DIRECTION,
    Act.NAME_READER: _DIRECTION,
    Act.READ_DEALS: _ALL_OFFICIALS,  # only who is named to read them
    Act.SHOW_DEALS: _DIRECTION,
    Act.PROPOSE_RULING: _REFEREES,
    Act.DECIDE_RULING: _CHIEF,
    Act.CANCEL_RULING: _REFEREES,
    Act.LODGE_APPEAL: _SIDE | _ALL_OFFICIALS,
    Act.DECIDE_APPEAL: _CHIEF,
    Act.BEGIN_STAGE: _DIRECTION,
    Act.CREATE_ROUND: _DIRECTION,
    Act.PAIR: _DIRECTION,
    Act.PUBLISH_PAIRING: _DIRECTION,
    Act.SUPERSEDE_PAIRING: _DIRECTION,
    Act.START_ROUND: _DIRECTION,
    Act.SET_CLOCK: _DIRECTION,
    Act.EXTRA_TIME: _ALL_OFFICIALS,
    Act.AGREE_END: _SIDE,
    Act.RESEAT: _CHIEF,
    Act.CHECK_IN: _ALL_OFFICIALS,
    Act.CLOSE_ROUND: _DIRECTION,
    Act.REOPEN_ROUND: _DIRECTION,
    Act.SET_SCORED_BY: _DIRECTION,
    Act.SWAP_TABLES: _DIRECTION,
    Act.PUBLISH: _ORGANISER,
    Act.STOP_PUBLISHING: _ORGANISER,
    Act.IMPORT_ENTRANTS: _ORGANISER,
    Act.EDIT_ENTRANTS: _ORGANISER,
    Act.KEEP_APART: _ORGANISER,
    Act.LET_MEET: _ORGANISER,
    Act.SUBSTITUTE: _CHIEF,
    Act.WITHDRAW: _DIRECTION,
    Act.READMIT: _DIRECTION,  # within the minute in which a withdrawal is undone
    Act.ERASE_PERSON: _ORGANISER,
    Act.ISSUE_CODES: _DIRECTION,
    Act.RELEASE_DEVICE: _ALL_OFFICIALS,
    Act.SEE_DESK: _ALL_OFFICIALS,
    Act.SEE_HISTORY: _ALL_OFFICIALS,
    Act.UNDO: _ALL_OFFICIALS,  # and whoever may do the act that is undone, and its opposite
    Act.MANAGE_OFFICIALS: _ORGANISER,
    Act.ACCEPT_INVITATION: frozenset({Who.OWN_ACCOUNT}),
    Act.DECLINE_INVITATION: frozenset({Who.OWN_ACCOUNT}),
    Act.SET_UP: _ORGANISER,
    Act.SET_WEBHOOKS: _ORGANISER,
    Act.PROPOSE_RULES: _DIRECTION,
    Act.APPLY_RULES: _DIRECTION,
    Act.REFUSE_RULES: _DIRECTION,
    Act.EXPORT_NAMES: _ORGANISER,
    Act.PAIR_FOLLOWER: _CHIEF,
    Act.TAKE_OVER: _CHIEF,
    Act.SETTLE_REVIEW: _REFEREES,
    Act.MOVE_EVENT: _ORGANISER,
    Act.CREATE_TOURNAMENT: frozenset({Who.OWN_ACCOUNT}),
    Act.IMPORT_EVENT: frozenset({Who.OWN_ACCOUNT}),
}

_READING = frozenset({Act.SEE_PUBLIC, Act.SEE_TABLE, Act.SEE_DESK, Act.SEE_HISTORY})
_ENTERING = frozenset(
    {
        Act.ENTER_HAND,
        Act.CONFIRM_HAND,
        Act.AGREE_BY_CODE,
        Act.TAKE_BACK,
        Act.SEND_BACK,
        Act.CALL_REFEREE,
        Act.OBJECT,
        Act.AGREE_END,
        Act.ATTACH_RECORD,
        Act.ATTACH_PHOTO,
        Act.CHECK_IN,
    }
)

#: What a person does through a token of this scope; an act that is named nowhere needs the whole.
REACH: Mapping[TokenScope, frozenset[Act]] = {
    TokenScope.READ: _READING,
    TokenScope.ENTER: _READING | _ENTERING,
    TokenScope.DIRECT: frozenset(Act),
}

#: What may be done with an event that was read from a file: it is a record, and stays as it was.
OF_RECORD = frozenset(
    {
        Act.SEE_PUBLIC,
        Act.SEE_DESK,
        Act.SEE_HISTORY,
        Act.SEE_TABLE,
        Act.EXPORT_NAMES,
        Act.ERASE_PERSON,
        Act.MANAGE_OFFICIALS,
        Act.ACCEPT_INVITATION,
        Act.DECLINE_INVITATION,
    }
)


#: What may be done with an event that another installation writes: looked at, and taken over.
OF_ELSEWHERE = frozenset(
    {
        Act.SEE_PUBLIC,
        Act.SEE_DESK,
        Act.SEE_HISTORY,
        Act.SEE_TABLE,
        Act.EXPORT_NAMES,
        Act.SET_UP,
        Act.TAKE_OVER,
        Act.MOVE_EVENT,  # its file once more, or that it stays
    }
)
