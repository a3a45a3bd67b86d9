"""A real HTTP server on loopback, whose answers a test chooses."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Optional, Union


@dataclass(frozen=True)
class Received:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """An answer. `is_silent` sends none; `is_lost` cuts the connection; `is_slow` sends the body in small pieces."""

    status: int = 200
    body: Any = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    is_silent: bool = False
    is_lost: bool = False
    is_slow: bool = False

    @property
    def content(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()


NOW = {"Retry-After": "0"}


class Loopback:
    """Answers with each reply once, and with the last one from then on."""

    def __init__(self, *replies: Union[Reply, int]) -> None:
        self.requests: list[Received] = []
        given = [it if isinstance(it, Reply) else Reply(it, headers=NOW) for it in replies] or [Reply()]
        released = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.requests.append(Received(self.command, self.path, headers, body))
                reply = given.pop(0) if len(given) > 1 else given[0]
                if reply.is_silent:
                    released.wait()
                if reply.is_silent or reply.is_lost:
                    self.close_connection = True
                    return
                self.send_response(reply.status)
                for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                content = b"" if reply.status == 204 else reply.content
                if reply.status != 204:
                    self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                try:
                    for piece in [bytes([it]) for it in content] if reply.is_slow else [content]:
                        self.wfile.write(piece)
                        if reply.is_slow:
                            time.sleep(0.02)
                except OSError:
                    # The client hung up.
                    self.close_connection = True

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._released = released
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Loopback:
        self._thread.start()
        return self

    def __exit__(self, *_: Optional[object]) -> None:
        self._released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
