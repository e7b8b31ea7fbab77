"""Acts that no tap undoes, each with what one does instead; and how what stands in the way is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..acts.access import Act

Sentence = Mapping[str, str]

_READ: Final = {"en": "Nothing was changed by it.", "zh": "这一步没有改动任何内容。"}
_HANDS: Final = {
    "en": "What was entered of a hand is corrected: every version stays in the record.",
    "zh": "牌局记录只能更正，每一版都保留。",
}
_CALLS: Final = {"en": "The side calls again with one tap.", "zh": "选手可以再点一下呼叫。"}
_DECIDED: Final = {
    "en": "It was decided, and those concerned were told: decide anew, with a reason.",
    "zh": "已有结论并已告知当事人，请写明理由重新裁定。",
}
_BOARDS: Final = {"en": "Set it anew on the same page.", "zh": "请在同一页重新设定。"}
_PROMISED: Final = {
    "en": "What was promised of deals cannot be taken back: that is what makes it worth something.",
    "zh": "牌副承诺一经作出就不能收回，这正是它的意义。",
}
_DRAWN: Final = {
    "en": "A draft is only seen by officials: draw or pair it again.",
    "zh": "草稿只有裁判和主办方看得到，请重新抽签或编排。",
}
_PUBLIC: Final = {
    "en": "What was published is never taken back; a new number replaces it, with a reason.",
    "zh": "已公布的不能收回，只能写明理由另出新号替换。",
}
_PLAY: Final = {
    "en": "The tables have begun to play. Stop the clock, or replace the pairing where no hand was entered.",
    "zh": "各桌已经开赛。可以停表，或替换还没有录入的编排。",
}
_STAGE: Final = {
    "en": "Begin the stage again, with a reason, as long as no pairing of it is published.",
    "zh": "本阶段还没有公布编排时，可以写明理由重新开始。",
}
_OWN: Final = {
    "en": "It is the decision of that person, who can be asked again.",
    "zh": "这是本人的决定，可以再次邀请。",
}
_CODES: Final = {
    "en": "An old code does not come back; hand out the new one.",
    "zh": "旧码不再恢复，请发新码。",
}
_PHONE: Final = {"en": "The phone scans its card again.", "zh": "请用手机重新扫桌卡。"}
_RULES: Final = {"en": "Propose the rules that were, with a reason.", "zh": "请写明理由，提议改回原规则。"}
_LIST: Final = {
    "en": "The list was shown before, row by row. Import the right one: numbers tell who is meant.",
    "zh": "导入前已逐行显示。请重新导入正确的名单，按编号对应。",
}
_ERASED: Final = {"en": "An erased name is gone for good.", "zh": "已抹去的姓名无法恢复。"}
_OVER: Final = {"en": "Which laptop writes the event is decided once.", "zh": "由哪台电脑记录，只决定一次。"}
_MOVED: Final = {
    "en": "On the page where it left, an event that was taken in nowhere goes on here.",
    "zh": "赛事若未在别处接收，可在移出页改为留在此处继续。",
}
_EVENT: Final = {"en": "An event that was made stays.", "zh": "已建立的赛事会保留。"}
_LOGOS: Final = {"en": "Add or remove the logo on its page.", "zh": "请在标志页重新添加或删除。"}
_PHOTOS: Final = {"en": "Remove the photo, or give another one.", "zh": "请删除照片，或另传一张。"}
_REMOVED_PHOTO: Final = {
    "en": "A photo that was removed is gone; give it again.",
    "zh": "照片删除后不再保留，请重新上传。",
}
_WEBHOOKS: Final = {"en": "Change the address on its page.", "zh": "请在推送页更改该地址。"}
_AGAIN: Final = {"en": "Do the act again.", "zh": "请把那一步再做一次。"}
_SIGNALS: Final = {"en": "Say it anew: every version is kept.", "zh": "请重新填写，每一版都保留。"}
_STOPPED: Final = {"en": "Publish again when it is right.", "zh": "核对无误后请重新公布。"}
_WITH_RULING: Final = {"en": "Cancel the ruling that it belongs to.", "zh": "请撤销它所属的判罚。"}
_REOPENED: Final = {"en": "End the match again.", "zh": "请再次结束这场对局。"}
_LOT: Final = {"en": "A lot that was drawn stands.", "zh": "已抽的签不再更改。"}

NOT_UNDONE: Final[Mapping[Act, Sentence]] = {
    **dict.fromkeys((Act.SEE_PUBLIC, Act.SEE_TABLE, Act.SEE_DESK, Act.SEE_HISTORY, Act.EXPORT_NAMES), _READ),
    **dict.fromkeys(
        (
            Act.ENTER_HAND,
            Act.CONFIRM_HAND,
            Act.AGREE_BY_CODE,
            Act.TAKE_BACK,
            Act.SEND_BACK,
            Act.SETTLE,
            Act.CORRECT,
            Act.ATTACH_RECORD,
            Act.PROPOSE_CORRECTION,
            Act.APPROVE_CORRECTION,
            Act.REFUSE_CORRECTION,
            Act.AGREE_END,
        ),
        _HANDS,
    ),
    **dict.fromkeys((Act.CALL_REFEREE, Act.OBJECT, Act.TAKE_CALL, Act.CLOSE_CALL), _CALLS),
    **dict.fromkeys((Act.CANCEL_RULING, Act.LODGE_APPEAL, Act.DECIDE_APPEAL, Act.SETTLE_REVIEW), _DECIDED),
    Act.PENALISE: _WITH_RULING,
    Act.REOPEN_SITTING: _REOPENED,
    Act.DECIDE_BY_LOT: _LOT,
    **dict.fromkeys((Act.SET_BOARDS, Act.ADJUST_BOARD), _BOARDS),
    **dict.fromkeys((Act.COMMIT_DEALS, Act.DRAW_DEALS, Act.NAME_READER, Act.READ_DEALS, Act.SHOW_DEALS), _PROMISED),
    **dict.fromkeys((Act.SET_SIGNALS, Act.FILE_SIGNALS), _SIGNALS),
    **dict.fromkeys((Act.CREATE_ROUND, Act.PAIR), _DRAWN),
    **dict.fromkeys((Act.PUBLISH, Act.PUBLISH_PAIRING, Act.SUPERSEDE_PAIRING, Act.RESEAT), _PUBLIC),
    Act.STOP_PUBLISHING: _STOPPED,
    Act.START_ROUND: _PLAY,
    Act.BEGIN_STAGE: _STAGE,
    Act.IMPORT_ENTRANTS: _LIST,
    Act.ERASE_PERSON: _ERASED,
    Act.ISSUE_CODES: _CODES,
    **dict.fromkeys((Act.RELEASE_DEVICE, Act.ENROL_KEY), _PHONE),
    **dict.fromkeys((Act.ACCEPT_INVITATION, Act.DECLINE_INVITATION), _OWN),
    **dict.fromkeys((Act.PROPOSE_RULES, Act.APPLY_RULES, Act.REFUSE_RULES), _RULES),
    **dict.fromkeys((Act.PAIR_FOLLOWER, Act.TAKE_OVER), _OVER),
    Act.MOVE_EVENT: _MOVED,
    **dict.fromkeys((Act.CREATE_TOURNAMENT, Act.IMPORT_EVENT), _EVENT),
    Act.UNDO: _AGAIN,
    Act.SET_LOGOS: _LOGOS,
    Act.ATTACH_PHOTO: _PHOTOS,
    Act.REMOVE_PHOTO: _REMOVED_PHOTO,
    Act.SET_WEBHOOKS: _WEBHOOKS,
}

#: What was done since, as a clause of a sentence.
SINCE: Final[Mapping[Act, Sentence]] = {
    Act.CREATE_ROUND: {"en": "a round was made", "zh": "又建了一轮"},
    Act.PAIR: {"en": "a round was drawn or paired", "zh": "已抽签或编排"},
    Act.PUBLISH_PAIRING: {"en": "a pairing was published", "zh": "已公布编排"},
    Act.SUPERSEDE_PAIRING: {"en": "a pairing was replaced", "zh": "已替换编排"},
    Act.RESEAT: {"en": "it was noted who really sat there", "zh": "已更正实际座位"},
    Act.START_ROUND: {"en": "a round was started", "zh": "已有一轮开始"},
    Act.CLOSE_ROUND: {"en": "the round was closed", "zh": "这一轮已关闭"},
    Act.REOPEN_ROUND: {"en": "the closing was taken back", "zh": "已撤回关闭"},
    Act.BEGIN_STAGE: {"en": "a stage was begun", "zh": "已有一个阶段开始"},
    Act.PUBLISH: {"en": "standings were published", "zh": "已公布名次"},
    Act.APPLY_RULES: {"en": "the rules were changed", "zh": "规则已更改"},
    Act.IMPORT_ENTRANTS: {"en": "a list was imported", "zh": "已导入名单"},
    Act.EDIT_ENTRANTS: {"en": "the entrant was changed again", "zh": "参赛方又有改动"},
    Act.SUBSTITUTE: {"en": "its players were changed", "zh": "选手已更换"},
    Act.WITHDRAW: {"en": "the entrant withdrew", "zh": "参赛方已退赛"},
    Act.READMIT: {"en": "the entrant was let back in", "zh": "参赛方已恢复参赛"},
    Act.ERASE_PERSON: {"en": "a name was erased", "zh": "已抹去姓名"},
    Act.CHECK_IN: {"en": "it was checked in or out again", "zh": "报到又有改动"},
    Act.KEEP_APART: {"en": "it was said again", "zh": "又设定了一次"},
    Act.LET_MEET: {"en": "it was taken back", "zh": "已取消"},
    Act.MANAGE_OFFICIALS: {"en": "this office was changed again", "zh": "这一职务又有改动"},
    Act.ACCEPT_INVITATION: {"en": "the office was accepted", "zh": "对方已接受职务"},
    Act.DECLINE_INVITATION: {"en": "the office was declined", "zh": "对方已谢绝职务"},
    Act.SET_CLOCK: {"en": "the clock was changed again", "zh": "计时又有改动"},
    Act.EXTRA_TIME: {"en": "the time of the table was changed again", "zh": "本桌时间又有改动"},
    Act.SET_SCORED_BY: {"en": "who scores was changed again", "zh": "记分方又有改动"},
    Act.SWAP_TABLES: {"en": "tables were moved again", "zh": "又换了桌"},
    Act.END_SITTING: {"en": "the match was ended again", "zh": "对局又被结束"},
    Act.FORFEIT: {"en": "a forfeit was ruled", "zh": "已判弃权"},
    Act.REOPEN_SITTING: {"en": "a match was reopened", "zh": "有对局重新开放"},
    Act.DECIDE_BY_LOT: {"en": "a lot was drawn", "zh": "已抽签决定"},
    Act.PROPOSE_RULING: {"en": "another ruling was proposed", "zh": "又提出了判罚"},
    Act.DECIDE_RULING: {"en": "a ruling was decided", "zh": "判罚已决定"},
    Act.CANCEL_RULING: {"en": "the ruling was cancelled", "zh": "判罚已撤销"},
    Act.LODGE_APPEAL: {"en": "an appeal was lodged", "zh": "已提出申诉"},
    Act.DECIDE_APPEAL: {"en": "an appeal was decided", "zh": "申诉已有结论"},
    Act.ARRANGE_HALL: {"en": "the tables were placed again", "zh": "桌位又有改动"},
    Act.STEER_SCREEN: {"en": "the projector was steered again", "zh": "投影又有改动"},
    Act.PUT_ASIDE: {"en": "it was weighed again", "zh": "又处理了一次"},
    Act.SET_UP: {"en": "this was set again", "zh": "设置又有改动"},
}
