"""Requests and answers, without the network: what both clients share."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Optional
from urllib.parse import quote

import httpx

from ._retries import retry_after_seconds
from .errors import EverpostConnectionError, EverpostError, EverpostTimeoutError

DEFAULT_TIMEOUT_S = 30.0
USER_AGENT = f"everpost-python/{version('everpost')}"


@dataclass(frozen=True)
class Call:
    """A request to make. `is_repeatable` says that sending it twice does no harm."""

    method: str
    path: str
    query: Optional[Mapping[str, Any]] = None
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_repeatable: bool = False

    @property
    def url(self) -> str:
        return self.path + query_string(self.query or {})

    @property
    def content(self) -> Optional[bytes]:
        if self.body is None:
            return None
        return json.dumps(self.body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


@dataclass(frozen=True)
class Answer:
    """An answer, read to its end."""

    status: int
    headers: httpx.Headers
    content: bytes

    def raise_if_refused(self) -> None:
        """Raises EverpostError, unless the status is 2xx."""
        if not 200 <= self.status < 300:
            raise self._refusal(self._body())

    @property
    def retry_after(self) -> Optional[float]:
        return retry_after_seconds(self.headers.get("Retry-After"))

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", "replace")

    def value(self) -> Any:
        """The parsed body; None if it is empty. Raises EverpostError for one that is not JSON: a proxy wrote it."""
        try:
            return json.loads(self.text) if self.content else None
        except ValueError:
            message = f"The answer {self.status} is not JSON: something between here and the API wrote it."
            raise EverpostError(message, status=self.status, headers=self.headers, body=self.text) from None

    def _body(self) -> Any:
        try:
            return self.value()
        except EverpostError:
            return self.text

    def _refusal(self, body: Any) -> EverpostError:
        told = body if isinstance(body, dict) else {}
        details = told.get("details")
        return EverpostError(
            str(told.get("error", f"The API answered {self.status}.")),
            code=str(told.get("code", "unknown")),
            status=self.status,
            request_id=told.get("request_id") or self.headers.get("X-Request-Id"),
            retry_after=self.retry_after,
            details=details if isinstance(details, list) else None,
            headers=self.headers,
            body=body,
        )


def no_answer(error: httpx.HTTPError, timeout: float) -> EverpostConnectionError:
    """The error for a call without an answer. It names no header: one of them is the key."""
    if isinstance(error, httpx.TimeoutException):
        return EverpostTimeoutError(f"There was no complete answer within {timeout:g} s.", code="timeout")
    return EverpostConnectionError(f"There was no answer: {type(error).__name__}.", code="connection_failed")


def headers_of(api_key: str, account: Optional[str] = None) -> dict[str, str]:
    """Raises ValueError for what can't be in a header; the message never has the key."""
    for name, value in (("api_key", api_key), ("account", account)):
        if value is not None and not (value.isascii() and value.isprintable() and value.strip() == value != ""):
            raise ValueError(
                f"`{name}` is empty, or holds spaces, line breaks or other characters that no header takes."
            )
    own = {"Authorization": f"Bearer {api_key}", "Accept": "application/json", "User-Agent": USER_AGENT}
    return own if account is None else {**own, "Everpost-Account": account}


def checked_base_url(base_url: str) -> str:
    """Without a slash at the end."""
    if not base_url.startswith(("http://", "https://")):
        raise ValueError("`base_url` begins with https:// or http://, for example https://everpost.example.com.")
    return base_url.rstrip("/")


def segment(value: object) -> str:
    """A part of a path. Raises ValueError for one that would name another path."""
    text = quote(str(value), safe=":@")
    if text in ("", ".", ".."):
        raise ValueError("An id is empty, `.` or `..`.")
    return text


def query_string(query: Mapping[str, Any]) -> str:
    """With the question mark; parameters that are None are absent."""
    given = {name: _text_of(value) for name, value in query.items() if value is not None}
    return f"?{httpx.QueryParams(given)}" if given else ""


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def with_key(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event with a new idempotency key, unless it has one."""
    return {**event, "idempotency_key": event.get("idempotency_key") or str(uuid.uuid4())}


async def async_sleep(seconds: float) -> None:
    await asyncio.sleep(seconds)


def sync_sleep(seconds: float) -> None:
    time.sleep(seconds)
