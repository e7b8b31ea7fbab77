"""One message to one address: where it may go, that it goes to the number that was judged, and that it ends in time."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.tournaments.receiver import Receiver, receiving, status
from tournaments.webhooks import addresses, sending
from tournaments.webhooks.addresses import NotThere, may_be_told, numbers_of, read
from tournaments.webhooks.sending import Answered, headers_of, new_secret, send, signature

AT = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_PRIVATE = settings.WEBHOOK_HTTP = True
    with receiving() as made:
        yield made


def found(*numbers: str) -> Callable[[str, int], list[Any]]:
    """A server of names that says this."""
    return lambda _host, port: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in numbers]


def number(text: str) -> Any:
    return addresses.ip_address(text)


OWN = [
    "127.0.0.1",
    "127.8.9.1",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.254",
    "192.168.1.1",
    "::1",
    "fd12:3456::1",
    "fc00::1",
    "::ffff:127.0.0.1",
    "::ffff:10.1.2.3",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
]
NEVER = [
    "0.0.0.0",
    "0.1.2.3",
    "169.254.169.254",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "100.100.100.200",
    "192.88.99.1",
    "::",
    "::ffff:0.0.0.0",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "2001::1",
    "2002:7f00:1::",
    "fd00:ec2::254",
    "::ffff:224.0.0.1",
]
NOT_PUBLIC = ["100.64.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "2001:db8::1", "::7f00:1"]
PUBLIC = ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize("text", [*OWN, *NEVER, *NOT_PUBLIC])
def test_no_number_of_our_own_network_is_told_anything(text: str) -> None:
    assert not may_be_told(number(text))
    with pytest.raises(NotThere, match="not_allowed"):
        numbers_of("club.example", 443, found(text))
    with pytest.raises(NotThere, match="not_allowed"):
        numbers_of("club.example", 443, found("8.8.8.8", text))  # one bad face is enough


@pytest.mark.parametrize("text", PUBLIC)
def test_public_numbers_may_be_told(text: str) -> None:
    assert may_be_told(number(text))


@pytest.mark.parametrize("text", OWN)
def test_an_installation_may_allow_its_own_network(text: str, settings: Any) -> None:
    settings.WEBHOOK_PRIVATE = True
    assert may_be_told(number(text))


def test_where_hosts_are_listed_only_they_are_told_anything(settings: Any) -> None:
    settings.WEBHOOK_HOSTS = ("club.example", "*.hooks.example")
    for good in ("https://club.example/", "https://CLUB.example./", "https://a.b.hooks.example:8443/x?y"):
        assert read(good) is not None, good
    others = (
        "https://hooks.example/",
        "https://evilclub.example/",
        "https://club.example.evil.org/",
        "https://8.8.8.8/",
    )
    for bad in others:
        assert read(bad) is None, bad
        # also when it was taken before there was a list
        assert send(bad, {}, b"", resolve=found("8.8.8.8")) == Answered(None, "not_allowed")


@pytest.mark.parametrize("text", NEVER)
def test_and_nothing_beyond_it(text: str, settings: Any) -> None:
    settings.WEBHOOK_PRIVATE = True
    assert not may_be_told(number(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "club.example",
        "http://club.example/",
        "ftp://club.example/",
        "https://",
        "https:///path",
        "https://user:pw@club.example/",
        "https://club.example@10.0.0.1/",
        "https://club.example:22/",
        "https://club.example:0/",
        "https://club.example:99999/",
        "https://club.example:x/",
        "https://club.example/#part",
        "https://club.example/a b",
        "https://club.example/\r\nX: y",
        "https://club.example/路",
        "https://俱乐部.example/",
        "https://club.example\\@10.0.0.1/",
        "https://-club.example/",
        "https://club..example/",
        "https://localhost/",
        "https://x.localhost/",
        "https://localhost./",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://[fe80::1%25eth0]/",
        "https://[::ffff:127.0.0.1]/",
        "https://club.example/" + "x" * 500,
    ],
)
def test_what_is_no_address(text: str) -> None:
    assert read(text) is None
    assert send(text, {}, b"{}", resolve=found("8.8.8.8")) == Answered(None, "not_allowed")


@pytest.mark.parametrize(
    ("text", "header", "target"),
    [
        ("https://club.example", "club.example", "/"),
        ("https://Club.Example:8443/a/b?c=d", "club.example:8443", "/a/b?c=d"),
        ("https://[2606:4700::1111]/x", "[2606:4700::1111]", "/x"),
        ("https://xn--6qq79v.example/", "xn--6qq79v.example", "/"),
    ],
)
def test_an_address_in_its_parts(text: str, header: str, target: str) -> None:
    made = read(text)
    assert made is not None
    assert (made.header, made.target) == (header, target)


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "127.1", "0177.0.0.1"])
def test_other_spellings_of_numbers_are_judged_by_what_they_stand_for(host: str) -> None:
    assert send(f"https://{host}/", {}, b"{}") == Answered(None, "not_allowed")


def test_a_name_that_nobody_knows_or_that_takes_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(host: str, port: int) -> list[Any]:
        raise socket.gaierror(8, "unknown")

    assert send("https://club.example/", {}, b"{}", resolve=fails) == Answered(None, "no_name")
    monkeypatch.setattr(addresses, "NAMES_SECONDS", 0.05)
    with receiving() as made:
        waits = lambda *_: [made.hang(None)]  # type: ignore[func-returns-value, list-item, arg-type] # noqa: E731
        assert send("https://club.example/", {}, b"{}", resolve=waits) == Answered(None, "no_name")


def test_it_is_signed_with_every_secret_and_goes_to_the_number_that_was_judged(receiver: Receiver) -> None:
    one, other, body = new_secret(), new_secret(), '{"名":1}'.encode()
    asked: list[str] = []

    def once(host: str, port: int) -> list[Any]:
        """The second time somebody asks, the name stands for the machine of a cloud."""
        asked.append(host)
        return found("127.0.0.1" if len(asked) == 1 else "169.254.169.254")(host, port)

    address = f"http://club.example:{receiver.port}/hook?key=theirs"
    assert send(address, headers_of([one, other], "msg_1", AT, body), body, resolve=once) == Answered(200)
    assert asked == ["club.example"]
    (message,) = receiver.messages
    assert message.line == "POST /hook?key=theirs HTTP/1.1"
    assert message.headers["Host"] == f"club.example:{receiver.port}"
    assert (message.headers["webhook-id"], message.headers["webhook-timestamp"]) == ("msg_1", str(int(AT.timestamp())))
    assert message.body == body
    assert message.is_signed(one)
    assert message.is_signed(other)
    assert not message.is_signed(new_secret())
    message.body += b" "
    assert not message.is_signed(one)


def test_the_signature_of_the_published_example() -> None:
    """The worked example of the specification of Standard Webhooks."""
    body = b'{"test": 2432232314}'
    made = signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize(
    ("code", "trouble"),
    [(200, ""), (204, ""), (301, "redirect"), (307, "redirect"), (400, "status"), (410, "status"), (503, "status")],
)
def test_what_their_server_says(receiver: Receiver, code: int, trouble: str) -> None:
    receiver.answers = [status(code, f"Location: {receiver.address}")]
    assert send(receiver.address, {}, b"{}") == Answered(code, trouble)
    assert len(receiver.messages) == 1  # nobody followed


@pytest.mark.parametrize(("how", "trouble"), [("hang", "slow"), ("drip", "slow"), ("flood", "broken")])
def test_a_server_that_only_costs_is_left(
    receiver: Receiver, how: str, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if trouble == "slow":
        monkeypatch.setattr(sending, "SECONDS", 0.3)
    receiver.answers = [getattr(receiver, how)]
    assert send(receiver.address, {}, b"{}") == Answered(None, trouble)


def test_a_server_that_is_not_there_or_speaks_no_http(receiver: Receiver) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    assert send(f"http://127.0.0.1:{port}/", {}, b"{}") == Answered(None, "no_connection")
    receiver.answers = [lambda taken: taken.sendall(b"220 mail.example\r\n")]
    assert send(receiver.address, {}, b"{}") == Answered(None, "broken")


def test_no_proxy_of_the_environment_is_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    assert send(receiver.address, {}, b"{}").taken


def certificate(folder: Path, name: str) -> Path:
    """A certificate for a name, which signs itself, with its key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder(called, called, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    file = folder / f"{name}.pem"
    file.write_bytes(made.public_bytes(pem) + key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    return file


@pytest.mark.parametrize(("host", "answered"), [("club.example", Answered(200)), ("x.example", Answered(None, "tls"))])
def test_the_certificate_is_checked_for_the_name(
    receiver: Receiver, tmp_path: Path, host: str, answered: Answered
) -> None:
    file = certificate(tmp_path, "club.example")
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(file)
    take = receiver.take

    def taken(plain: socket.socket) -> None:
        try:
            take(served.wrap_socket(plain, server_side=True))
        except OSError:
            plain.close()

    receiver.take = taken  # type: ignore[method-assign]
    trust = ssl.create_default_context(cafile=str(file))
    said = send(
        f"https://{host}:{receiver.port}/", {}, b"{}", resolve=found("127.0.0.1"), trust=lambda: trust
    )  # fmt: skip
    assert said == answered
    assert len(receiver.messages) == (1 if said.taken else 0)
