"""What a signal is about and by what it is shown, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoring.values import Text

#: What an indirect signal is about, and by what it is shown.
TOPICS: Final[Mapping[str, Text]] = {
    "jokers": {"zh": "王牌", "en": "jokers"},
    "clear_trumps": {"zh": "清主", "en": "clearing trumps"},
    "void": {"zh": "断门", "en": "a void"},
    "trump_pairs": {"zh": "协助吊主对", "en": "help in drawing trump pairs"},
    "control": {"zh": "控制该花色", "en": "control of a suit"},
    "big_pair": {"zh": "有大对", "en": "a big pair"},
    "other": {"zh": "其他", "en": "something else"},
}
CHANNELS: Final[Mapping[str, Text]] = {
    "trump_rank": {"zh": "以主牌点数", "en": "by the rank of a trump"},
    "side_rank": {"zh": "以副牌点数", "en": "by the rank of a side card"},
    "level_card_led": {"zh": "以领出级牌", "en": "by leading a level card"},
    "card_order": {"zh": "以牌的摆放次序", "en": "by the order in which cards lie"},
    "follow_order": {"zh": "以前后跟牌次序", "en": "by the order of two follows"},
}
