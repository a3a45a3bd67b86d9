import hashlib
import hmac


def is_genuine(secret: str, raw_body: bytes, signature: str | None) -> bool:
    """raw_body: the bytes as they came, before any JSON parser."""
    expected = "sha256=" + hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), (signature or "").encode())
