"""Lists of the API."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Generic, Optional, TypeVar, cast

from .transport import AsyncTransport

Item = TypeVar("Item")
Page = TypeVar("Page")


class AsyncPages(Generic[Item, Page]):
    """A list of the API. It fetches nothing before it is iterated or `page` is called."""

    def __init__(
        self, transport: AsyncTransport, path: str, items: str, query: Mapping[str, Any], timeout: Optional[float]
    ) -> None:
        self._transport = transport
        self._path = path
        self._items = items
        self._query = query
        self._timeout = timeout

    async def page(self) -> Page:
        """One page, as the API returns it."""
        return cast(Page, await self._fetch(self._query.get("cursor")))

    async def __aiter__(self) -> AsyncIterator[Item]:
        """Each item, page after page."""
        cursor = self._query.get("cursor")
        while True:
            page = await self._fetch(cursor)
            for item in page[self._items]:
                yield item
            cursor = page.get("next_cursor")
            if cursor is None:
                return

    async def _fetch(self, cursor: Optional[str]) -> Any:
        query = {**self._query, "cursor": cursor}
        return await self._transport.call("GET", self._path, query=query, timeout=self._timeout)
