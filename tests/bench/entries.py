"""Durable entries over HTTP by sixteen clients, beside the same database's plain insert-and-commit by sixteen.

Two web processes and a worker as a federation runs them; PostgreSQL with fsync. The clients (two processes of eight
threads) and the servers share the machine's cores: so did the limit's own client.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen

from tests.bench.report import Figure
from tests.reliability.hall import ROOT, Hall, open_hall
from tests.reliability.phones import Phone
from tests.services import postgres_programs

CLIENTS, PROCESSES = 16, 2
TABLES, HANDS = 256, 12
TURNS, SECONDS = 3, 5
PLAIN = 'INSERT INTO bench_plain (sitting, facts) VALUES (1, \'{"captured_in_tricks": 80, "trump": "H"}\');\n'


def measure(folder: Path) -> list[Figure]:
    environment = dict(os.environ)
    hall = open_hall(environment, TABLES, phones=False)
    work = iter(_shares(hall))
    with running(environment, folder) as addresses:
        rates, limits = [], []
        for _ in range(TURNS):
            limits.append(plain_commits(folder))
            rates.append(entries(addresses, hall, next(work)))
    ours, limit = median(rates), median(limits)
    return [
        Figure(
            f"durable entries over HTTP, {CLIENTS} clients / plain commits",
            f"{ours:,.0f}/s",
            f"{limit:,.0f}/s",
            ours / limit,
            0.05,
        )
    ]


def _shares(hall: Hall) -> list[list[int]]:
    """For each turn the tables it may write to: a match has a dozen hands."""
    sittings = [place.sitting for place in hall.places]
    return [sittings[turn::TURNS] for turn in range(TURNS)]


def entries(addresses: list[str], hall: Hall, sittings: list[int]) -> float:
    """Entries per second that were answered with 201."""
    clients = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.bench.entries"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(PROCESSES)
    ]
    for number, client in enumerate(clients):
        assert client.stdin
        task = {
            "address": addresses[number % len(addresses)],
            "credential": hall.referee,
            "sittings": sittings[number::PROCESSES],
        }
        client.stdin.write(json.dumps(task).encode())
        client.stdin.close()
    done = [json.loads(client.stdout.read()) for client in clients if client.stdout]
    for client in clients:
        client.wait()
    return sum(count / took for count, took in done)


def load(task: dict[str, object]) -> tuple[int, float]:
    """One process of clients: hands at its tables until time is up or every match has its dozen."""
    threads = CLIENTS // PROCESSES
    sittings: list[int] = task["sittings"]  # type: ignore[assignment]
    end = time.monotonic() + SECONDS

    def client(number: int) -> int:
        phone, count = Phone(str(task["address"]), str(task["credential"])), 0
        for hand_no in range(1, HANDS + 1):
            for sitting in sittings[number::threads]:
                if time.monotonic() > end:
                    return count
                answer = phone.enter(sitting, hand_no, 80, key=f"{sitting}-{hand_no}", basis="watched")
                assert answer.status == 201, answer
                count += 1
        return count

    began = time.monotonic()
    with ThreadPoolExecutor(threads) as pool:
        count = sum(pool.map(client, range(threads)))
    return count, time.monotonic() - began


def plain_commits(folder: Path) -> float:
    """One-row inserts per second, each its own commit, prepared, by sixteen connections (pgbench)."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE IF NOT EXISTS bench_plain (id bigserial PRIMARY KEY, sitting int, facts jsonb)")
    script = folder / "plain.sql"
    script.write_text(PLAIN, "utf-8")
    parts = urlsplit(os.environ["DATABASE_URL"])
    options = ["-n", "-M", "prepared", "-c", str(CLIENTS), "-j", str(PROCESSES), "-T", str(SECONDS), "-f", str(script)]
    host = unquote(parts.netloc.rpartition("@")[2])
    command = [str(postgres_programs() / "pgbench"), *options, "-h", host, "-U", "postgres", parts.path.strip("/")]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"tps = ([\d.]+)", said)
    assert found, said
    return float(found[1])


@contextmanager
def running(environment: dict[str, str], folder: Path) -> Iterator[list[str]]:
    """Two web processes and a worker; the addresses of the former."""
    addresses = []
    with ExitStack() as stack, (folder / "bench.log").open("ab") as log:
        commands = []
        for _ in range(PROCESSES):
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            web = ["uvicorn", "referee.asgi:application", "--lifespan", "off", "--no-access-log", "--port", str(port)]
            commands.append(web)
            addresses.append(f"http://127.0.0.1:{port}")
        commands.append(["celery", "-A", "referee", "worker", "--concurrency", "1", "--without-gossip"])
        for command in commands:
            process = subprocess.Popen(
                [sys.executable, "-W", "ignore", "-m", *command], cwd=ROOT, env=environment, stdout=log, stderr=log
            )
            stack.callback(process.wait)
            stack.callback(process.terminate)
        for address in addresses:
            wait_for(address)
        yield addresses


def wait_for(address: str) -> None:
    end = time.monotonic() + 40
    while True:
        try:
            urlopen(f"{address}/health", timeout=5).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return


if __name__ == "__main__":
    print(json.dumps(load(json.load(sys.stdin))))
