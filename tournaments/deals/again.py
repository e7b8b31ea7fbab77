"""Deals the boards of a session again: python3 again.py SECRET LOT FIRST LAST DECKS

Compare the first line with the commitment that was published before play, and each fingerprint with the hand records.
It needs nothing but Python. 由公开的秘密值和现场抽的签，把每副牌重新发一遍，与公布的承诺值和指纹核对。
"""

import hashlib
import sys
from collections.abc import Iterator

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
CARDS = [suit + rank for suit in "SHCD" for rank in RANKS] + ["JS", "JB"]
IN_HAND = {1: 12, 2: 25, 3: 39}


def numbers(seed: bytes, board: int) -> Iterator[int]:
    block = 0
    while True:
        text = b"shengji-board/1\n" + seed + board.to_bytes(4, "big") + block.to_bytes(4, "big")
        digest = hashlib.sha256(text).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def below(n: int, stream: Iterator[int]) -> int:
    while True:
        number = next(stream)
        if number < 2**32 // n * n:
            return number % n


def deal(seed: bytes, board: int, decks: int) -> str:
    stream, pack, each = numbers(seed, board), CARDS * decks, IN_HAND[decks]
    for last in range(len(pack) - 1, 0, -1):
        other = below(last + 1, stream)
        pack[last], pack[other] = pack[other], pack[last]
    hands = [sorted(pack[seat : 4 * each : 4], key=CARDS.index) for seat in range(4)]
    pockets = [*hands, pack[4 * each :]]
    return "".join(f"{name} {''.join(pockets[at])}\n" for at, name in enumerate(["N", "W", "S", "E", "kitty"]))


def main() -> None:
    secret, lot = bytes.fromhex(sys.argv[1]), sys.argv[2]
    first, last, decks = map(int, sys.argv[3:6])
    print("commitment", hashlib.sha256(b"shengji-commit/1\n" + secret).hexdigest())
    seed = hashlib.sha256(secret + lot.encode("utf-8")).digest()
    for board in range(first, last + 1):
        text = deal(seed, board, decks)
        print("board", board, "fingerprint", hashlib.sha256(text.encode("ascii")).hexdigest())
        print(text, end="")


if __name__ == "__main__":
    main()
