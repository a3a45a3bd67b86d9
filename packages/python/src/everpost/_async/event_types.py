"""Calls about the catalog of event types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional, cast

from typing_extensions import Unpack

from .. import models
from .._requests import segment
from .pages import AsyncPages
from .transport import AsyncTransport

PATH = "/api/v1/event-types"


class AsyncEventTypes:
    """The catalog of event types. Every key reads it; a management key changes it."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def put(
        self, name: str, *, timeout: Optional[float] = None, **change: Unpack[models.EventTypeChange]
    ) -> models.EventType:
        """Creates an event type, or changes it. The same call again changes nothing."""
        answer = await self._transport.call("PUT", f"{PATH}/{segment(name)}", body=change, timeout=timeout)
        return cast(models.EventType, answer)

    async def get(
        self, name: str, *, version: Optional[int] = None, timeout: Optional[float] = None
    ) -> models.EventType:
        """The event type with its schema and example, now or in an earlier version."""
        query = {} if version is None else {"version": str(version)}
        answer = await self._transport.call("GET", f"{PATH}/{segment(name)}", query=query, timeout=timeout)
        return cast(models.EventType, answer)

    async def archive(self, name: str, *, timeout: Optional[float] = None) -> models.EventType:
        """Takes the event type out of the lists. `put` with `archived=False` brings it back."""
        answer = await self._transport.call("DELETE", f"{PATH}/{segment(name)}", timeout=timeout)
        return cast(models.EventType, answer)

    def list(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.ListEventTypesQuery]
    ) -> AsyncPages[models.ListedEventType, models.EventTypeList]:
        """Event types by name, without their schemas and examples."""
        return AsyncPages(self._transport, PATH, "event_types", query, timeout)

    async def import_openapi(
        self, openapi: Mapping[str, Any], *, dry_run: bool = False, timeout: Optional[float] = None
    ) -> models.EventTypeImportResult:
        """Creates or changes one event type for each of the `webhooks` of an OpenAPI document."""
        body = {"openapi": openapi, "dry_run": dry_run}
        answer = await self._transport.call("POST", f"{PATH}/import", body=body, timeout=timeout)
        return cast(models.EventTypeImportResult, answer)

    async def document(self, *, timeout: Optional[float] = None) -> dict[str, Any]:
        """The event types in use as an OpenAPI document with one webhook for each."""
        return cast("dict[str, Any]", await self._transport.call("GET", f"{PATH}/openapi.json", timeout=timeout))
