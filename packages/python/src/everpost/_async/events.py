"""Calls about events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional, cast

from typing_extensions import Unpack

from .. import models
from .._requests import segment, with_key
from .pages import AsyncPages
from .transport import AsyncTransport

PATH = "/api/v1/webhooks/events"


class AsyncEvents:
    """Events of one account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def send(self, *, timeout: Optional[float] = None, **event: Unpack[models.NewEvent]) -> models.AcceptedEvent:
        """Sends an event, with a new `idempotency_key` unless it has one, so that a retry never creates a second event."""
        body = with_key(cast(Any, event))
        sent = await self._transport.call("POST", PATH, body=body, is_repeatable=True, timeout=timeout)
        return cast(models.AcceptedEvent, sent)

    async def send_batch(
        self, events: Iterable[models.NewEvent], *, timeout: Optional[float] = None
    ) -> list[models.BatchResult]:
        """Sends 1 to 100 events in one request, with a key for each. Check the `status` of each result, in order."""
        body = {"events": [with_key(cast(Any, event)) for event in events]}
        sent = await self._transport.call("POST", f"{PATH}/batch", body=body, is_repeatable=True, timeout=timeout)
        return cast("list[models.BatchResult]", sent["results"])

    async def get(self, event_id: int, *, timeout: Optional[float] = None) -> models.Event:
        """The event, with its deliveries and their attempts."""
        found = await self._transport.call("GET", f"{PATH}/{segment(event_id)}", timeout=timeout)
        return cast(models.Event, found)

    async def replay(
        self, event_id: int, *, timeout: Optional[float] = None, **options: Unpack[models.ReplayEvent]
    ) -> models.EventReplay:
        """Delivers the event again to its endpoints, or to some of them."""
        path = f"{PATH}/{segment(event_id)}/replay"
        return cast(models.EventReplay, await self._transport.call("POST", path, body=options or None, timeout=timeout))

    async def create_delivery(
        self, event_id: int, *, timeout: Optional[float] = None, **delivery: Unpack[models.NewDelivery]
    ) -> models.Delivery:
        """Delivers the event to an endpoint that it did not match."""
        path = f"{PATH}/{segment(event_id)}/deliveries"
        return cast(models.Delivery, await self._transport.call("POST", path, body=delivery, timeout=timeout))

    async def erase_data(self, event_id: int, *, timeout: Optional[float] = None) -> models.Event:
        """Erases the data of the event, with a management key, and cancels what is not delivered yet."""
        path = f"{PATH}/{segment(event_id)}/data"
        return cast(models.Event, await self._transport.call("DELETE", path, timeout=timeout))

    async def explain(
        self, event_id: int, endpoint_id: str, *, timeout: Optional[float] = None
    ) -> models.DeliveryExplanation:
        """Why an endpoint got the event, or did not."""
        path = f"{PATH}/{segment(event_id)}/endpoints/{segment(endpoint_id)}"
        return cast(models.DeliveryExplanation, await self._transport.call("GET", path, timeout=timeout))

    def list(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.ListEventsQuery]
    ) -> AsyncPages[models.ListedEvent, models.EventPage]:
        """Events, newest first."""
        return AsyncPages(self._transport, PATH, "events", query, timeout)
