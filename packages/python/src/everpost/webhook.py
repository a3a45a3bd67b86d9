"""The check of signatures, for receivers."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Union

from .errors import SignatureError

#: The headers in the form of any web framework.
Headers = Union[Mapping[str, Any], Iterable[tuple[str, str]]]
#: An endpoint's signing secret; during a rotation the old one, the new one, or both.
Secrets = Union[str, Sequence[str]]

DEFAULT_TOLERANCE_S = 300
_PREFIX = "whsec_"


class Webhook:
    """Checks the deliveries of one endpoint: `Webhook(secret).verify(payload, headers)`."""

    def __init__(
        self, secret: Secrets, *, tolerance: float = DEFAULT_TOLERANCE_S, accept_untimed: bool = False
    ) -> None:
        """Takes what `verify` takes. Raises ValueError for a malformed secret."""
        self._secrets = [secret] if isinstance(secret, str) else list(secret)
        self._keys = [_key_of(it) for it in self._secrets]
        if not self._keys:
            raise ValueError("There is no signing secret.")
        self._tolerance = tolerance
        self._accept_untimed = accept_untimed

    def verify(self, payload: Union[bytes, bytearray, memoryview, str], headers: Headers) -> Any:
        """Checks one delivery. See the function `verify`."""
        body = _bytes_of(payload)
        given = _HeaderValues(headers)
        if given["webhook-signature"] is None:
            self._check_untimed(body, given)
        else:
            self._check_timed(body, given)
        try:
            return json.loads(body)
        except ValueError:
            raise SignatureError("The signature is right, but the body is not JSON.") from None

    def _check_timed(self, body: bytes, given: _HeaderValues) -> None:
        sent_at = given["webhook-timestamp"] or ""
        signed = f"{given['webhook-id'] or ''}.{sent_at}.".encode() + body
        expected = ["v1," + base64.b64encode(_hmac(key, signed)).decode() for key in self._keys]
        if not _any_equal((given["webhook-signature"] or "").split(" "), expected):
            raise SignatureError("The signature in webhook-signature is wrong.")
        if self._tolerance <= 0:
            return
        if not re.fullmatch(r"[0-9]{1,15}", sent_at):
            raise SignatureError("webhook-timestamp is no time.")
        age = time.time() - int(sent_at)
        if abs(age) > self._tolerance:
            raise SignatureError(f"The delivery is {abs(round(age))} s old, or from the future.")

    def _check_untimed(self, body: bytes, given: _HeaderValues) -> None:
        if not self._accept_untimed:
            raise SignatureError(
                "The header webhook-signature is missing: without it the age of the delivery is unknown."
            )
        expected = ["sha256=" + _hmac(secret.encode(), body).hex() for secret in self._secrets]
        found = [given[name] or "" for name in ("x-webhook-signature", "x-webhook-signature-next")]
        if not _any_equal(found, expected):
            raise SignatureError("The signature in X-Webhook-Signature is wrong.")


def verify(
    payload: Union[bytes, bytearray, memoryview, str],
    headers: Headers,
    secret: Secrets,
    tolerance: float = DEFAULT_TOLERANCE_S,
    *,
    accept_untimed: bool = False,
) -> Any:
    """Checks a delivery's signature in constant time, and parses its body.

    `webhook-signature` (Standard Webhooks) must be present and right. It also covers the time.

    Args:
        payload: the raw body, before any parser
        headers: those of the request
        secret: the endpoint's signing secret; during a rotation the old one, the new one, or both
        tolerance: how old `webhook-timestamp` may be, in seconds; 0 accepts any age
        accept_untimed: also accepts a delivery without `webhook-signature`, by its `X-Webhook-Signature`. That signature
            does not cover the time: an attacker who recorded a delivery can send it again at any time.

    Returns:
        the parsed body: `{"id", "type", "data", "timestamp"}`, unless the endpoint has another `body`

    Raises:
        SignatureError: for a delivery that must not be trusted. Answer 401.
        TypeError: for a parsed body: only the bytes that came can be checked
        ValueError: for an empty or malformed secret
    """
    return Webhook(secret, tolerance=tolerance, accept_untimed=accept_untimed).verify(payload, headers)


class _HeaderValues:
    """Looks up headers in any case. A duplicate header is wrong, so its value is empty."""

    def __init__(self, headers: Headers) -> None:
        # The pairs of a multi-dict name each header as often as it came.
        pairs = headers.items() if isinstance(headers, Mapping) or hasattr(headers, "items") else headers
        self._values: dict[str, str] = {}
        for name, value in pairs:
            lower = name.lower()
            is_single = isinstance(value, str) and lower not in self._values
            self._values[lower] = value if is_single else ""

    def __getitem__(self, name: str) -> Optional[str]:
        return self._values.get(name)


def _bytes_of(payload: object) -> bytes:
    if isinstance(payload, str):
        return payload.encode()
    if isinstance(payload, (bytes, bytearray, memoryview)):
        return bytes(payload)
    raise TypeError(
        f"verify needs the raw body, before any JSON parser; it got a {type(payload).__name__}. "
        "Give it `request.get_data()` in Flask, `request.body` in Django, `await request.body()` in FastAPI and Starlette."
    )


def _key_of(secret: str) -> bytes:
    """The decoded part after `whsec_`."""
    encoded = secret[len(_PREFIX) :] if secret.startswith(_PREFIX) else secret
    try:
        key = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("A signing secret is malformed: it is `whsec_` and base64.") from None
    if not key:
        # Anyone can sign with that.
        raise ValueError("A signing secret is empty.")
    return key


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def _any_equal(given: Iterable[str], expected: Sequence[str]) -> bool:
    return any(hmac.compare_digest(left.encode(), right.encode()) for left in given for right in expected)
