"""Why a copy could not be made, read or put back: a code, and a sentence that says what to do."""

from __future__ import annotations

import errno

from ..acts.errors import Refusal


class CopyFailed(Refusal):
    """A copy that was not made, or not put back; nothing that was there before is changed."""

    def __init__(self, code: str, en: str = "", zh: str = "") -> None:
        super().__init__(code, message={"en": en, "zh": zh or en} if en else None)


def of_disk(error: OSError) -> CopyFailed:
    """What the file system said, in words that somebody with a stick in his hand understands."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return CopyFailed("copy_no_room")
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENODEV, errno.EIO):
        return CopyFailed("copy_folder_missing")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return CopyFailed("copy_not_allowed")
    why = error.strerror or str(error)
    return CopyFailed("copy_failed", f"The copy could not be made: {why}.", f"无法备份：{why}。")
