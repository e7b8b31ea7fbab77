"""An authority for certificates of one's own, for a hall without host names: made once, trusted once on each phone.

It lies in the data folder, its key for its owner only, and can speak for nothing but private addresses, ``.local``
names and this machine (name constraints, RFC 5280): whoever steals it cannot be a bank. What it signs for the laptop
holds for two weeks and is made anew by itself. Times are passed in; all are UTC.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

#: Of the authority: an installation is used for some years. Phones take no longer one than 825 days of what it signs.
AUTHORITY_FOR: Final = timedelta(days=5 * 365)
LEAF_FOR: Final = timedelta(days=14)
#: Made anew when less than this is left.
LEAF_LEFT: Final = timedelta(days=7)
#: Clocks of phones may be behind.
CLOCKS: Final = timedelta(days=1)
PRIVATE: Final = tuple(
    ipaddress.ip_network(one)
    for one in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
        *("fc00::/7", "fe80::/10", "::1/128"),
    )
)
NAMES: Final = ("local", "localhost")


class NotCovered(ValueError):
    """A name that the authority may not speak for."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The files of a certificate (the leaf first, then who signed it) and of its key."""

    certificate: Path
    key: Path


def covers(name: str) -> bool:
    """Whether the authority may speak for a host name or an address."""
    address = _address(name)
    if address is not None:
        return any(address in network for network in PRIVATE if network.version == address.version)
    return name.lower() in NAMES or name.lower().endswith(".local")


def fingerprint(certificate: bytes) -> str:
    """SHA-256 of a certificate (PEM), as phones show it: pairs of hexadecimal figures."""
    digest = x509.load_pem_x509_certificate(certificate).fingerprint(hashes.SHA256())
    return digest.hex(":").upper()


def authority(folder: Path, at: datetime) -> bytes:
    """The certificate of the authority (PEM), which is made where there is none, or has ended."""
    pair = Pair(folder / "authority.pem", folder / "authority.key")
    try:
        kept = pair.certificate.read_bytes()
        if x509.load_pem_x509_certificate(kept).not_valid_after_utc > at and pair.key.is_file():
            return kept
    except (FileNotFoundError, ValueError):
        pass
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Referee {at:%Y-%m-%d} {os.urandom(2).hex()}")])
    permitted: list[x509.GeneralName] = [x509.IPAddress(one) for one in PRIVATE]
    permitted += [x509.DNSName(one) for one in NAMES]
    made = (
        _begun(name, name, key.public_key(), at, AUTHORITY_FOR)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _keep(pair.key, _private(key))
    text = made.public_bytes(serialization.Encoding.PEM)
    _keep(pair.certificate, text)
    return text


def leaf(folder: Path, names: Sequence[str], at: datetime) -> Pair:
    """The certificate for these names and addresses: the one there is, or another when its time is short, it was made
    for others, or the authority is another one. Raises NotCovered."""
    if strange := [one for one in names if not covers(one)]:
        raise NotCovered(", ".join(strange))
    above = x509.load_pem_x509_certificate(authority(folder, at))
    pair = Pair(folder / "laptop.pem", folder / "laptop.key")
    if _is_good(pair, names, above, at):
        return pair
    key = ec.generate_private_key(ec.SECP256R1())
    signing = serialization.load_pem_private_key((folder / "authority.key").read_bytes(), None)
    assert isinstance(signing, ec.EllipticCurvePrivateKey)
    # no common name: it would be read as a host name, which the authority may not speak for
    name = x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Referee")])
    made = (
        _begun(name, above.subject, key.public_key(), at, LEAF_FOR)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general(one) for one in names]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), critical=False)
        .sign(signing, hashes.SHA256())
    )
    both = made.public_bytes(serialization.Encoding.PEM) + above.public_bytes(serialization.Encoding.PEM)
    _keep(pair.key, _private(key))
    _keep(pair.certificate, both)
    return pair


def _is_good(pair: Pair, names: Sequence[str], above: x509.Certificate, at: datetime) -> bool:
    try:
        kept = x509.load_pem_x509_certificate(pair.certificate.read_bytes())
        kept.verify_directly_issued_by(above)
        said = kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        key = serialization.load_pem_private_key(pair.key.read_bytes(), None)
    except Exception:  # whatever is broken about it: another is made
        return False
    is_its_key = key.public_key() == kept.public_key()
    is_in_time = kept.not_valid_before_utc <= at <= kept.not_valid_after_utc - LEAF_LEFT
    return is_its_key and is_in_time and list(said) == [_general(one) for one in names]


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, at: datetime, good_for: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - CLOCKS)
        .not_valid_after(at + good_for)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _general(name: str) -> x509.GeneralName:
    address = _address(name)
    return x509.DNSName(name.lower()) if address is None else x509.IPAddress(address)


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return None


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _keep(path: Path, text: bytes) -> None:
    """Written whole beside its place and moved there: read at any moment, it is the old one or the new one."""
    beside = path.with_suffix(f"{path.suffix}.new")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
