"""Receives Everpost's deliveries with the standard library alone. ../README.md says how to run it."""

import base64
import hashlib
import hmac
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The endpoint's whole signing secret.
SECRET = os.environ.get("WEBHOOK_SECRET", "")
# Standard Webhooks: the HMAC key is what stands after "whsec_", decoded from base64.
KEY = base64.b64decode(SECRET[len("whsec_") :] if SECRET.startswith("whsec_") else SECRET)
PORT = int(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PORT") or "8000")
# 0 turns the check off.
TOLERANCE_SECONDS = int(os.environ.get("TIMESTAMP_TOLERANCE_SECONDS") or "300")
# Everpost sends at most a little more than 256 KiB.
MAX_BODY_BYTES = 1024 * 1024

# Ids of the handled events. In your service this is a table with a unique column, written in the
# transaction that does the work. A table outlives the process, and all processes share it.
handled = set()
handling = threading.Lock()


def is_genuine(headers, body):
    """Whether one of the signatures is right: of the id, the time and the body together, compared in constant time."""
    signed = f"{headers.get('webhook-id')}.{headers.get('webhook-timestamp')}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    # During a rotation of the secret there are two signatures: one of the old secret and one of the new one.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any([hmac.compare_digest(expected.encode(), signature.encode()) for signature in signatures])


def is_recent(header):
    if TOLERANCE_SECONDS == 0:
        return True
    if not re.fullmatch("[0-9]{1,15}", header or ""):
        return False
    return abs(time.time() - int(header)) <= TOLERANCE_SECONDS


def refusal(headers, body, event_id):
    """Why the delivery is refused, or None if it is accepted."""
    if not is_genuine(headers, body):
        return "wrong signature"
    # The signature covers this time.
    if not is_recent(headers.get("webhook-timestamp")):
        return "stale timestamp"
    if event_id is None:
        return "no event id"
    return None


def handle(event_id):
    """Does the work once for each event, however often it arrives. Raise to make Everpost retry."""
    # INSERT INTO handled_events (id) VALUES (%s) ON CONFLICT DO NOTHING: no new row means a repeat.
    with handling:
        if event_id in handled:
            return
        print(f"handled event {event_id}", flush=True)
        handled.add(event_id)


class Receiver(BaseHTTPRequestHandler):
    # HTTP/1.1 keeps connections open for later deliveries; idle ones close after 30 seconds.
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,15}", length):
            return self.refuse_unread(411, "Content-Length wanted")
        if int(length) > MAX_BODY_BYTES:
            return self.refuse_unread(413, "body too large")
        body = self.rfile.read(int(length))
        # Everpost writes the id first, so nothing is parsed before the delivery is known to be genuine and new.
        match = re.match(rb'\{"id":([0-9]+),', body)
        event_id = match.group(1).decode() if match else None
        reason = refusal(self.headers, body, event_id)
        if reason:
            return self.answer(401, reason)
        try:
            handle(event_id)
        except Exception as error:
            self.log_error("%s", error)
            return self.answer(500)
        self.answer(204)

    def refuse_unread(self, status, text):
        # Unread bytes would be parsed as the next request.
        self.close_connection = True
        self.answer(status, text)

    def answer(self, status, text=""):
        body = text.encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    if not SECRET:
        sys.exit("Set WEBHOOK_SECRET to the signing secret of the endpoint.")
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
    print(f"listening on http://127.0.0.1:{PORT}", flush=True)
    server.serve_forever()
