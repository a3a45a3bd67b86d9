"""Sends requests, with time-outs and retries."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any, Optional

import httpx

from .._requests import Answer, Call, async_sleep, no_answer
from .._retries import wait_before_retry
from ..errors import EverpostConnectionError


class AsyncTransport:
    """The requests of one account, or of a key."""

    def __init__(
        self, http: httpx.AsyncClient, base_url: str, headers: Mapping[str, str], timeout: float, max_retries: int
    ) -> None:
        self.http = http
        self._base_url = base_url
        self._headers = headers
        self._timeout = timeout
        self._max_retries = max_retries

    def with_headers(self, headers: Mapping[str, str]) -> AsyncTransport:
        """The same connections, with other headers."""
        return AsyncTransport(self.http, self._base_url, headers, self._timeout, self._max_retries)

    async def call(self, method: str, path: str, **how: Any) -> Any:
        """As `send`. Returns the parsed body."""
        return (await self.send(method, path, **how)).value()

    async def send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        is_repeatable: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> Answer:
        """Makes a call. By default all but a POST is repeatable. Raises EverpostError for a refused one."""
        call = Call(
            method, path, query, body, headers or {}, method != "POST" if is_repeatable is None else is_repeatable
        )
        limit = self._timeout if timeout is None else timeout
        # Written once: each try sends the same bytes, and so the same idempotency keys.
        content = call.content
        retry = 1
        while True:
            answer: Optional[Answer] = None
            failure: Optional[EverpostConnectionError] = None
            try:
                answer = await self._attempt(call, content, limit)
            except httpx.HTTPError as error:
                failure = no_answer(error, limit)
            wait = wait_before_retry(
                retry,
                status=answer.status if answer else None,
                retry_after=answer.retry_after if answer else None,
                is_repeatable=call.is_repeatable,
                random=random.random(),
            )
            if wait is None or retry > self._max_retries:
                if answer is not None:
                    answer.raise_if_refused()
                    return answer
                assert failure is not None
                raise failure
            await async_sleep(wait)
            retry += 1

    async def _attempt(self, call: Call, content: Optional[bytes], timeout: float) -> Answer:
        """One request. httpx limits each wait for bytes; the whole answer has to be there in time too."""
        ends_at = time.monotonic() + timeout
        type_of_content = {"Content-Type": "application/json"} if content is not None else {}
        request = self.http.build_request(
            call.method,
            self._base_url + call.url,
            content=content,
            headers={**self._headers, **type_of_content, **call.headers},
            timeout=timeout,
        )
        response = await self.http.send(request, stream=True)
        try:
            parts = []
            async for part in response.aiter_bytes():
                parts.append(part)
                if time.monotonic() > ends_at:
                    raise httpx.ReadTimeout("The answer came too slowly.")
            return Answer(response.status_code, response.headers, b"".join(parts))
        finally:
            await response.aclose()
