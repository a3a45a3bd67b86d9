"""Calls about deliveries."""

from __future__ import annotations

from typing import Optional, cast

from typing_extensions import Unpack

from .. import models
from .._requests import segment
from .pages import AsyncPages
from .transport import AsyncTransport

PATH = "/api/v1/webhooks/deliveries"


class AsyncDeliveries:
    """Deliveries of one account: an event on its way to one endpoint."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.ListDeliveriesQuery]
    ) -> AsyncPages[models.Delivery, models.DeliveryPage]:
        """Deliveries, newest first."""
        return AsyncPages(self._transport, PATH, "deliveries", query, timeout)

    async def get(self, delivery_id: str, *, timeout: Optional[float] = None) -> models.DeliveryWithAttempts:
        """The delivery, with its attempts."""
        answer = await self._transport.call("GET", f"{PATH}/{segment(delivery_id)}", timeout=timeout)
        return cast(models.DeliveryWithAttempts, answer)

    async def retry(self, delivery_id: str, *, timeout: Optional[float] = None) -> models.Delivery:
        """Makes the next attempt now."""
        answer = await self._transport.call("POST", f"{PATH}/{segment(delivery_id)}/retry", timeout=timeout)
        return cast(models.Delivery, answer)

    async def cancel(self, delivery_id: str, *, timeout: Optional[float] = None) -> models.Delivery:
        """Makes no further attempt."""
        answer = await self._transport.call("POST", f"{PATH}/{segment(delivery_id)}/cancel", timeout=timeout)
        return cast(models.Delivery, answer)

    async def replay(self, delivery_id: str, *, timeout: Optional[float] = None) -> models.Delivery:
        """Delivers again what has ended."""
        answer = await self._transport.call("POST", f"{PATH}/{segment(delivery_id)}/replay", timeout=timeout)
        return cast(models.Delivery, answer)

    def attempts(
        self, delivery_id: str, *, timeout: Optional[float] = None, **query: Unpack[models.ListDeliveryAttemptsQuery]
    ) -> AsyncPages[models.AttemptWithRequest, models.DeliveryAttemptPage]:
        """Its attempts, with what was sent and what came back."""
        return AsyncPages(self._transport, f"{PATH}/{segment(delivery_id)}/attempts", "attempts", query, timeout)
