"""The check of signatures, on the vectors of docs/vectors."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import unittest
from pathlib import Path
from typing import Any, Optional, Union

from everpost import SignatureError, Webhook, verify

VECTORS = Path(__file__).parents[3] / "docs" / "vectors"
SIGNATURES = json.loads((VECTORS / "signatures.json").read_text("utf-8"))
BODIES = json.loads((VECTORS / "bodies.json").read_text("utf-8"))
SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
BODY = b'{"id":1,"type":"a","data":{},"timestamp":1}'


def body_of(vector: Any) -> bytes:
    return base64.b64decode(vector["body_base64"])


def signed(at: Optional[int] = None, secret: str = SECRET, body: bytes = BODY) -> dict[str, str]:
    """The headers of a delivery that was sent now, or at another time."""
    sent_at = int(time.time()) if at is None else at
    key = base64.b64decode(secret[6:])
    mac = hmac.new(key, f"1.{sent_at}.".encode() + body, hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(mac).decode()}"
    return {"Webhook-Id": "1", "Webhook-Timestamp": str(sent_at), "Webhook-Signature": signature}


class Vectors(unittest.TestCase):
    def test_what_everpost_signed_is_accepted_by_either_signature(self) -> None:
        self.assertGreater(len(SIGNATURES["accepted"]), 5)
        for it in SIGNATURES["accepted"]:
            with self.subTest(it["name"]):
                self.assertEqual(verify(body_of(it), it["headers"], it["secret"], 0), json.loads(body_of(it)))
                untimed = {name: value for name, value in it["headers"].items() if not name.startswith("webhook-")}
                self.assertEqual(
                    verify(body_of(it), untimed, it["secret"], accept_untimed=True), json.loads(body_of(it))
                )
                with self.assertRaisesRegex(SignatureError, "missing"):
                    verify(body_of(it), untimed, it["secret"], 0)
                with self.assertRaisesRegex(SignatureError, "old"):
                    verify(body_of(it), it["headers"], it["secret"])

    def test_what_a_receiver_must_refuse_is_refused(self) -> None:
        self.assertGreater(len(SIGNATURES["refused"]), 20)
        for it in SIGNATURES["refused"]:
            with self.subTest(it["name"]), self.assertRaises(SignatureError):
                verify(body_of(it), it["headers"], it["secret"], 0, accept_untimed=True)

    def test_every_shape_of_a_body_is_verified_and_parsed(self) -> None:
        for it in BODIES["deliveries"]:
            with self.subTest(it["name"]):
                self.assertEqual(verify(body_of(it), it["headers"], BODIES["secret"], 0), json.loads(body_of(it)))
                with self.assertRaises(SignatureError):
                    verify(body_of(it) + b" ", it["headers"], BODIES["secret"], 0)


class Verify(unittest.TestCase):
    def test_a_parsed_body_is_refused_with_what_to_give_instead(self) -> None:
        for parsed in ({"id": 1}, [1], None):
            with self.assertRaisesRegex(TypeError, r"raw body, before any JSON parser.*request\.get_data\(\)"):
                verify(parsed, signed(), SECRET)  # type: ignore[arg-type]

    def test_the_body_may_be_bytes_or_text(self) -> None:
        for body in (BODY, bytearray(BODY), memoryview(BODY), BODY.decode()):
            self.assertEqual(verify(body, signed(), SECRET)["id"], 1)
        with self.assertRaisesRegex(SignatureError, "not JSON"):
            verify("no json", signed(body=b"no json"), SECRET)

    def test_headers_have_any_case_and_any_form_and_a_duplicate_is_wrong(self) -> None:
        headers = signed()
        self.assertEqual(verify(BODY, {name.upper(): it for name, it in headers.items()}, SECRET)["id"], 1)
        self.assertEqual(verify(BODY, list(headers.items()), SECRET)["id"], 1)
        for twice in ([*headers.items(), *headers.items()], {**headers, "Webhook-Id": ["1", "2"]}):
            with self.assertRaises(SignatureError):
                verify(BODY, twice, SECRET)

    def test_the_time_is_covered_and_checked_in_both_directions(self) -> None:
        for off in (-301, 302):
            with self.assertRaisesRegex(SignatureError, "old, or from the future"):
                verify(BODY, signed(int(time.time()) + off), SECRET)
            self.assertEqual(verify(BODY, signed(int(time.time()) + off), SECRET, tolerance=400)["id"], 1)
        with self.assertRaisesRegex(SignatureError, "wrong"):
            verify(BODY, {**signed(1), "Webhook-Timestamp": str(int(time.time()))}, SECRET)

    def test_during_a_rotation_either_secret_verifies(self) -> None:
        other = "whsec_" + base64.b64encode(b"o" * 32).decode()
        webhook = Webhook([other, SECRET])
        self.assertEqual(webhook.verify(BODY, signed())["id"], 1)
        self.assertEqual(webhook.verify(BODY, signed(secret=other))["id"], 1)
        both = f"{signed(secret=other)['Webhook-Signature']} {signed()['Webhook-Signature']} v2,x é"
        self.assertEqual(verify(BODY, {**signed(), "Webhook-Signature": both}, SECRET)["id"], 1)
        with self.assertRaises(SignatureError):
            verify(BODY, signed(secret=other), SECRET)

    def test_an_empty_or_malformed_secret_is_an_error_of_the_program_and_not_told(self) -> None:
        secrets: list[Union[str, list[str]]] = ["", "whsec_", "whsec_!private", []]
        for secret in secrets:
            with self.assertRaises(ValueError) as caught:
                verify(BODY, signed(), secret)
            self.assertNotIn("private", str(caught.exception))
