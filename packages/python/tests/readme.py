"""Plays README.md in its order against a running Everpost, with a receiver. The environment has the address and the keys."""

from __future__ import annotations

import os
import queue
import re
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from everpost import Everpost

Delivery = tuple[bytes, dict[str, str]]


def start_receiver() -> tuple[HTTPServer, queue.Queue[Delivery]]:
    received: queue.Queue[Delivery] = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.put((body, dict(self.headers.items())))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, received


def main() -> None:
    server, received = start_receiver()
    url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    with Everpost(base_url=os.environ["EVERPOST_URL"], api_key=os.environ["EVERPOST_KEY"]) as everpost:
        endpoint = everpost.endpoints.create(url=url, events=["order.*"])
    os.environ["SIGNING_SECRET"] = endpoint["secret"]

    readme = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    names: dict[str, Any] = {"__name__": "readme"}
    for block in re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL):
        exec(compile(block, "README.md", "exec"), names)

    # The three events of the first block, and that of the second one.
    for _ in range(4):
        body, headers = received.get(timeout=60)
        assert names["receive"](body, headers) == 200
        assert names["receive"](body + b" ", headers) == 401
    print("verified 4")
    server.shutdown()


if __name__ == "__main__":
    main()
