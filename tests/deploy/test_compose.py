"""The federation's installation: the files make sense, and every service of ours runs by its own command."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import Request, urlopen

import psycopg
import pytest
import yaml
from django.conf import settings

from referee.celery import app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
NGINX = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
OURS = sorted(name for name, service in SERVICES.items() if "build" in service)
LASTING = sorted(name for name, service in SERVICES.items() if service["restart"] != "no")
START_SECONDS = 120


def test_services_are_the_ones_documented() -> None:
    assert LASTING == [
        "beat",
        "long-worker",
        "outside-worker",
        "postgres",
        "proxy",
        "redis",
        "stream",
        "web",
        "worker",
    ]
    assert OURS == ["beat", "long-worker", "migrate", "outside-worker", "stream", "web", "worker"]


def test_every_queue_is_served_by_one_service() -> None:
    """Long work waits for long work only; what leaves the place shares a service, for only that needs a way out."""
    commands = [service["command"] for service in SERVICES.values() if "--queues" in service.get("command", ())]
    served = [command[command.index("--queues") + 1].split(",") for command in commands]
    assert sorted(name for names in served for name in names) == sorted(one.name for one in settings.CELERY_TASK_QUEUES)
    assert ["wake", "webhooks"] in served
    assert ["long"] in served
    app.loader.import_default_modules()
    names = [name for name in app.tasks if name.startswith("tournaments.")]
    routed = {name: app.amqp.router.route({}, name).get("queue", app.amqp.default_queue).name for name in names}
    assert {name.rpartition(".")[2] for name, queue in routed.items() if queue == "long"} == {"work", "certify", "copy"}
    assert [name for name, queue in routed.items() if queue == "webhooks"] == ["tournaments.tasks.tell_webhooks"]
    assert [name for name, queue in routed.items() if queue == "wake"] == ["tournaments.tasks.wake"]


def test_the_proxy_keeps_only_what_is_for_all() -> None:
    """What can be said of its cache by reading it; `test_proxy` asks a real one."""
    places = re.findall(r"location ([^{]+) \{(.*?)\n        \}", NGINX, re.DOTALL)
    keeping = {path: text for path, text in places if "proxy_cache " in text}
    assert list(keeping) == ["~ ^/(zh|en)/e/"]
    (text,) = keeping.values()
    assert "proxy_cache_bypass $not_for_all;" in text
    assert "proxy_no_cache $not_for_all;" in text
    # how long anything is kept, also when it is over, the service says and nobody else
    assert not {"proxy_cache_valid", "proxy_cache_use_stale"} & set(re.findall(r"\w+", NGINX))
    of_one = re.search(r'map \$http_cookie \$personal \{\s*default 0;\s*"~(.+)" 1;\s*\}', NGINX)
    assert of_one is not None
    for cookies in ("{}=mine", "theme=dark; {}=mine", "{}=mine; theme=dark", "theme=dark;{}="):
        for name in (
            settings.SESSION_COOKIE_NAME,
            f"__Host-{settings.SESSION_COOKIE_NAME}",
            "messages",
            "__Host-messages",
        ):
            assert re.search(of_one[1], cookies.format(name)), (cookies, name)
    for cookies in ("theme=dark; nosessionid=x", "sessionids=x", "theme=messages=x"):
        assert re.search(of_one[1], cookies) is None, cookies
    rules = re.search(r'map "\$personal:\$arg_part:\$arg_v" \$not_for_all \{(.*?)\}', NGINX, re.DOTALL)
    assert rules is not None
    one, part = re.findall(r'"?~(\S+?)"? 1;', rules[1])
    assert "default 0;" in rules[1]
    for given, kept in (
        ("0::", True), ("0::00ff", True), ("0:live:00ff", True), ("0:live:", False), ("0:live:<b>", False),
        ("0:live:00ff:", False), ("1:live:00ff", False), ("1::", False),
    ):  # fmt: skip
        assert (re.search(one, given) is None and re.search(part, given) is None) == kept, given
    # a place with headers of its own has none of those above
    above = NGINX.partition("    server {")[0]
    assert set(re.findall(r"proxy_set_header (\S+)", above)) < set(re.findall(r"proxy_set_header (\S+)", text))


@pytest.mark.parametrize("name", LASTING)
def test_every_lasting_service_has_a_health_check(name: str) -> None:
    check = SERVICES[name]["healthcheck"]
    assert check["test"][0] == "CMD"
    assert len(check["test"]) > 1
    assert {"interval", "timeout", "retries"} <= check.keys()


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_images_are_pinned_by_tag(name: str) -> None:
    image, _, tag = SERVICES[name]["image"].rpartition(":")
    assert image
    assert tag != "latest"


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_dependencies_and_volumes_exist(name: str) -> None:
    service = SERVICES[name]
    for other, terms in service.get("depends_on", {}).items():
        finished = terms["condition"] == "service_completed_successfully"
        assert finished == (SERVICES[other]["restart"] == "no")
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        assert source in COMPOSE["volumes"] or (ROOT / source).is_file()


def test_only_the_proxy_is_published_and_on_loopback_by_default() -> None:
    assert [name for name in SERVICES if "ports" in SERVICES[name]] == ["proxy"]
    assert SERVICES["proxy"]["ports"] == ["${BIND:-127.0.0.1:8000}:80"]


def test_secrets_have_no_default() -> None:
    text = (ROOT / "docker-compose.yml").read_text("utf-8")
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "APP_PASSWORD", "ALLOWED_HOSTS"):
        assert set(re.findall(rf"\$\{{{name}(.)", text)) == {":"}
        assert f"${{{name}:-" not in text


def test_variables_are_known_to_the_settings() -> None:
    known = (ROOT / "referee" / "settings.py").read_text("utf-8")
    given = set(SERVICES["web"]["environment"]) - {"FORWARDED_ALLOW_IPS"}
    assert {name for name in given if f'"{name}"' not in known} == set()


def test_proxy_sends_streams_apart_and_unbuffered() -> None:
    live, rest = (re.search(rf"location {path} \{{(.*?)\n        \}}", NGINX, re.DOTALL) for path in ("/live/", "/"))
    assert live
    assert "proxy_pass $stream;" in live[1]
    assert "proxy_buffering off;" in live[1]
    assert rest
    assert "proxy_pass $web;" in rest[1]


def test_proxy_looks_the_services_up_again() -> None:
    """A name in a variable is asked for anew, one in an upstream block only at start."""
    assert re.search(r"resolver 127\.0\.0\.11 valid=[1-5]s", NGINX)
    assert dict(re.findall(r"set \$(\w+) http://(\w+):8000;", NGINX)) == {"web": "web", "stream": "stream"}
    assert "upstream " not in re.sub(r"#.*", "", NGINX).replace("proxy_next_upstream ", "")


def test_nobody_logs_addresses_with_their_secrets() -> None:
    """The proxy's log leaves them out (`test_proxy`), and nobody else writes one."""
    (form,) = re.findall(r"log_format (.*?);", NGINX, re.DOTALL)
    assert not re.search(r"\$(request|request_uri|uri|args|query_string|http_referer)\b", form)
    for name in ("web", "stream"):
        assert "--no-access-log" in SERVICES[name]["command"]
    assert "--no-access-log" in (ROOT / "Dockerfile").read_text("utf-8")


def test_image_holds_what_the_service_needs() -> None:
    copied = set(re.findall(r"^COPY (.+)", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE))
    sources = {word for line in copied for word in line.split()[:-1]}
    assert {"scoring", "tournaments", "api", "referee", "templates", "manage.py", "CHANGELOG.md"} <= sources
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    assert {source.split("/")[0] for source in sources} <= allowed
    assert [source for source in sources if not (ROOT / source).exists()] == []


# Each service of ours, run


def program(command: list[str]) -> list[str]:
    """The command with its program taken from the tests' own environment."""
    return [str(Path(sys.executable).parent / command[0]), *command[1:]]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A database of its own on the tests' PostgreSQL, prepared by `migrate`; the variables of the other services."""
    if os.environ.get("REFEREE_TEST_DB") == "sqlite":
        pytest.skip("the installation needs PostgreSQL")
    url, name = os.environ["DATABASE_URL"], f"deploy_{os.getpid()}"
    owner = urlsplit(url)._replace(path=f"/{name}")
    app = owner._replace(netloc=f"{name}_app@{owner.netloc.rpartition('@')[2]}")
    data = tmp_path_factory.mktemp("data")
    variables = {
        **os.environ,
        "DATABASE_URL": urlunsplit(app),
        "REDIS_URL": settings.REDIS_URL,
        "DATA_DIR": str(data),
        "DJANGO_SETTINGS_MODULE": "referee.settings",
        "UVICORN_HOST": "127.0.0.1",
        "ALLOWED_HOSTS": "referee.example",
        "PYTHONWARNINGS": "ignore",
    }
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            migrate = program(SERVICES["migrate"]["command"])
            given = variables | {"DATABASE_URL": urlunsplit(owner), "APP_DATABASE_URL": urlunsplit(app)}
            done = subprocess.run(migrate, cwd=ROOT, env=given, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            yield variables
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
            server.execute(f'DROP ROLE IF EXISTS "{name}_app"')


@pytest.mark.long
@pytest.mark.parametrize("name", ["web", "stream", "worker", "long-worker", "outside-worker", "beat"])
def test_service_runs_is_healthy_and_stops(name: str, environment: dict[str, str], tmp_path: Path) -> None:
    service = SERVICES[name]
    port = str(_free_port())
    variables = {**environment, "PORT": port, "UVICORN_PORT": port, "DATA_DIR": str(tmp_path)}
    check = program(service["healthcheck"]["test"][1:])
    assert subprocess.run(check, cwd=ROOT, env=variables).returncode == 1, "healthy before it runs"
    with (
        (tmp_path / "log").open("w+") as log,
        subprocess.Popen(program(service["command"]), cwd=ROOT, env=variables, stdout=log, stderr=log) as process,
    ):
        try:
            end = time.monotonic() + START_SECONDS
            while subprocess.run(check, cwd=ROOT, env=variables).returncode:
                log.flush()
                assert process.poll() is None, (tmp_path / "log").read_text()
                assert time.monotonic() < end, f"not healthy: {(tmp_path / 'log').read_text()}"
                time.sleep(0.2)
            process.send_signal(signal.SIGTERM)
            code = process.wait(int(service.get("stop_grace_period", "20s").removesuffix("s")))
        finally:
            process.kill()
    # uvicorn ends by the signal itself once everything is shut down
    assert code in (0, -signal.SIGTERM), (tmp_path / "log").read_text()
    assert "Traceback" not in (tmp_path / "log").read_text()


@pytest.mark.long
def test_every_process_counts_into_one_sum(environment: dict[str, str], tmp_path: Path) -> None:
    """Two replicas, the streams and a worker: whichever replica is asked tells of all, also of one that has ended."""
    token = "only-for-this-test"
    with ExitStack() as running:
        ports = {}
        for name in ("web", "second web", "stream", "worker"):
            port = ports[name] = _free_port()
            folder = tmp_path / name.replace(" ", "-")
            own = {"PORT": str(port), "UVICORN_PORT": str(port), "DATA_DIR": str(folder), "METRICS_TOKEN": token}
            log = running.enter_context((tmp_path / f"{folder.name}.log").open("w"))
            command = program(SERVICES[name.split()[-1]]["command"])
            process = subprocess.Popen(command, cwd=ROOT, env=environment | own, stdout=log, stderr=log)
            running.callback(_end, process)
            if name == "second web":
                second = process

        def told(name: str = "web") -> dict[str, float]:
            asked = Request(
                f"http://127.0.0.1:{ports[name]}/metrics", headers=BY_PROXY | {"Authorization": f"Bearer {token}"}
            )
            with urlopen(asked, timeout=20) as answer:
                lines = answer.read().decode().splitlines()
            return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}

        def well(name: str) -> bool:
            try:
                return told(name).get('referee_up{part="worker_celery"}') == 1
            except OSError:
                return False

        _until(lambda: well("web") and well("second web"))
        lost = 'referee_requests_total{route="none",status="4xx"}'
        before = told().get(lost, 0)
        for name in ("web", "second web", "second web"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(f"http://127.0.0.1:{ports[name]}/nowhere", timeout=20)
        with urlopen(f"http://127.0.0.1:{ports['stream']}/live/event/cup/", timeout=20):
            _until(lambda: told()[lost] == told("second web")[lost] == before + 3)
            _until(lambda: told()['referee_open_streams{reader="strangers"}'] == 1)
        _until(lambda: told()['referee_open_streams{reader="strangers"}'] == 0)
        _end(second)
        assert told()[lost] == before + 3, "who ends is not forgotten"
        with pytest.raises(HTTPError, match="404"):
            urlopen(Request(f"http://127.0.0.1:{ports['web']}/metrics", headers=BY_PROXY), timeout=20)


#: As the proxy hands a request on, with what its reader said of himself.
BY_PROXY = {"X-Forwarded-For": "127.0.0.1"}


def _until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + START_SECONDS
    while not true():
        assert time.monotonic() < end
        time.sleep(0.2)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(60)
        finally:
            process.kill()


def _free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])
