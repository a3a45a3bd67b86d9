"""What the client raises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional


class EverpostError(Exception):
    """A call that the API refused, or that got no answer. It never holds the API key.

    `status` is None if there was no answer. `code` is stable; a later release of the API may send one that this package
    does not know, and `unknown` stands for none.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "unknown",
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        details: Optional[list[dict[str, Any]]] = None,
        headers: Optional[Mapping[str, str]] = None,
        body: Any = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        #: Seconds, if the answer names them.
        self.retry_after = retry_after
        #: Each problem of the request and its place: `path` and `message`.
        self.details = details if details is not None else []
        self.headers: Mapping[str, str] = headers if headers is not None else {}
        #: The parsed body of the answer, or its text if it is not JSON.
        self.body = body

    def __str__(self) -> str:
        told = [f"{self.status} {self.code}" if self.status is not None else self.code]
        if self.request_id is not None:
            told.append(f"request {self.request_id}")
        return f"{self.message} ({', '.join(told)})"


class EverpostConnectionError(EverpostError):
    """No answer came. Whether the call had an effect is unknown."""


class EverpostTimeoutError(EverpostConnectionError):
    """No answer came in time. Whether the call had an effect is unknown."""


class SignatureError(Exception):
    """The delivery is not from Everpost, was changed in transit, or is too old. Answer 401."""
