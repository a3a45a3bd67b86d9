"""Calls about erasures."""

from __future__ import annotations

from typing import Optional, cast

from typing_extensions import Unpack

from .. import models
from .._requests import segment
from .pages import AsyncPages
from .transport import AsyncTransport

PATH = "/api/v1/webhooks/erasures"


class AsyncErasures:
    """Erasures of one account: jobs that erase the data of all events with a search value."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, *, timeout: Optional[float] = None, **erasure: Unpack[models.NewErasure]) -> models.Erasure:
        """Begins an erasure, with a management key: `create(data="customer_id:cus_123")`."""
        return cast(models.Erasure, await self._transport.call("POST", PATH, body=erasure, timeout=timeout))

    def list(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.ListErasuresQuery]
    ) -> AsyncPages[models.Erasure, models.ErasurePage]:
        """Erasures, newest first."""
        return AsyncPages(self._transport, PATH, "erasures", query, timeout)

    async def get(self, erasure_id: str, *, timeout: Optional[float] = None) -> models.Erasure:
        """The erasure, and how far it is."""
        answer = await self._transport.call("GET", f"{PATH}/{segment(erasure_id)}", timeout=timeout)
        return cast(models.Erasure, answer)
