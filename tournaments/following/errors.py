"""Why a second laptop cannot follow or take over: a code, and a sentence that says what to do."""

from __future__ import annotations

from ..acts.errors import Refusal


class FollowFailed(Refusal):
    """Following did not begin, or stopped; nothing that was received before is changed."""

    def __init__(self, code: str, en: str = "", zh: str = "") -> None:
        super().__init__(code, message={"en": en, "zh": zh or en} if en else None)


def bent(where: str) -> FollowFailed:
    """What came does not fit what is signed: nothing of it is kept."""
    return FollowFailed(
        "feed_bent",
        f"What came from the first laptop does not fit its signed log ({where}). Following has stopped; nothing of it"
        " was kept. Audit the first laptop.",
        f"第一台电脑发来的内容与其签名日志不符（{where}）。已停止接收，没有保留任何不符的内容。请核查第一台电脑。",
    )
