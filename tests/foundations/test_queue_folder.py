"""The folder of messages: read and written at the same time, and after a flat battery."""

from __future__ import annotations

import threading
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection

from referee.queue_folder import Channel

MESSAGES = 400


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def channel(folder: Path) -> Any:
    options = {"data_folder_in": str(folder), "data_folder_out": str(folder), "control_folder": str(folder / "control")}
    made = Connection("filesystem://", transport="referee.queue_folder:Transport", transport_options=options)
    return made.channel()


def test_the_name_leads_to_this_channel(folder: Path) -> None:
    assert isinstance(channel(folder), Channel)


def test_every_message_arrives_whole_while_others_are_written(folder: Path) -> None:
    writer, reader = channel(folder), channel(folder)
    sent = {f"{number}:{'x' * 5000}" for number in range(MESSAGES)}

    def write() -> None:
        for text in sent:
            writer._put("work", {"body": text})

    thread = threading.Thread(target=write)
    thread.start()
    got: list[str] = []
    while len(got) < MESSAGES:
        writing = thread.is_alive()  # asked before the folder is read: what is written in between must not be missed
        try:
            got.append(reader._get("work")["body"])
        except Empty:
            if not writing:
                break
    thread.join()
    assert len(got) == MESSAGES
    assert set(got) == sent
    assert not list(folder.glob("*.part"))


@pytest.mark.parametrize("cut_off", [b"", b'{"body": "ha', b"\xff\xfe"])
def test_what_was_cut_off_is_passed_over(folder: Path, cut_off: bytes) -> None:
    here = channel(folder)
    (folder / "0_first.work.msg").write_bytes(cut_off)
    here._put("work", {"body": "whole"})
    assert here._get("work") == {"body": "whole"}
    with pytest.raises(Empty):
        here._get("work")
