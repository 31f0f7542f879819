"""A certificate that tests make for a server on this machine."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path


def certificate(place: Path) -> tuple[Path, Path]:
    """The files of a certificate of our own for localhost and names below it, and of its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = [
        *(x509.DNSName(name) for name in ("localhost", "*.localhost")),
        x509.IPAddress(ip_address("127.0.0.1")),
    ]
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    pem = serialization.Encoding.PEM
    own, private = place / "own.pem", place / "key.pem"
    own.write_bytes(made.public_bytes(pem))
    plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    private.write_bytes(key.private_bytes(pem, *plain))
    return own, private
