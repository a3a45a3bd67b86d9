"""The asynchronous client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

import httpx

from .._requests import DEFAULT_TIMEOUT_S, Answer, checked_base_url, headers_of
from .._retries import DEFAULT_MAX_RETRIES
from .accounts import AsyncAccounts
from .deliveries import AsyncDeliveries
from .endpoints import AsyncEndpoints
from .erasures import AsyncErasures
from .event_types import AsyncEventTypes
from .events import AsyncEvents
from .figures import AsyncCostEstimator, AsyncHealth, AsyncKeys, AsyncReports, AsyncUsage
from .rehearsals import AsyncRehearsals
from .replays import AsyncReplays
from .transport import AsyncTransport


class AsyncEverpostAccount:
    """The calls for one account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.events = AsyncEvents(transport)
        self.endpoints = AsyncEndpoints(transport)
        self.deliveries = AsyncDeliveries(transport)
        self.replays = AsyncReplays(transport)
        self.erasures = AsyncErasures(transport)
        self.rehearsals = AsyncRehearsals(transport)
        self.reports = AsyncReports(transport)
        self.usage = AsyncUsage(transport)
        self.health = AsyncHealth(transport)
        self.keys = AsyncKeys(transport)
        self.event_types = AsyncEventTypes(transport)

    async def request(
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
        """Any call of the API, by method and path: for one that has no method here, and for the headers of an answer.

        By default a GET, PUT, PATCH or DELETE is repeatable, and a POST is not.
        """
        return await self._transport.send(
            method, path, query=query, body=body, headers=headers, is_repeatable=is_repeatable, timeout=timeout
        )


class AsyncEverpost(AsyncEverpostAccount):
    """A client: of the account of its key, or with a management key of all accounts.

    It keeps connections open. Close it with `aclose`, or use it with `async with`.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        timeout: float = DEFAULT_TIMEOUT_S,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        """Makes a client. It sends nothing yet.

        Args:
            base_url: for example `https://everpost.example.com`
            api_key: `svc_live_weh_…` of one account, or a management key, `svc_admin_…`
            timeout: how long each request may take, in seconds; each retry has as long
            max_retries: how many requests may follow the first one
            http_client: your own, for a proxy or certificates; you close it

        Raises:
            ValueError: for an address or a key that can't be one
        """
        headers = headers_of(api_key)
        self._api_key = api_key
        self._owns_http = http_client is None
        http = http_client if http_client is not None else httpx.AsyncClient()
        super().__init__(AsyncTransport(http, checked_base_url(base_url), headers, timeout, max_retries))
        self.accounts = AsyncAccounts(self._transport)
        self.cost_estimator = AsyncCostEstimator(self._transport)

    def account(self, account_id: str) -> AsyncEverpostAccount:
        """The same calls for one account, with a management key. It sends nothing by itself.

        `account_id` is your own id of the account (`external_id`), or `acc_…`.
        """
        return AsyncEverpostAccount(self._transport.with_headers(headers_of(self._api_key, account_id)))

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            await self._transport.http.aclose()

    async def __aenter__(self) -> AsyncEverpost:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
