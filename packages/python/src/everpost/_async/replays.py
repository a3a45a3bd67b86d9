"""Calls about bulk replays."""

from __future__ import annotations

from typing import Optional, cast

from typing_extensions import Unpack

from .. import models
from .._requests import segment
from .pages import AsyncPages
from .transport import AsyncTransport

PATH = "/api/v1/webhooks/replays"


class AsyncReplays:
    """Bulk replays of one account: jobs that send many deliveries again."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, *, timeout: Optional[float] = None, **replay: Unpack[models.NewReplay]) -> models.Replay:
        """Begins a replay. Not sent again after a lost answer: look for it with `list` first."""
        return cast(models.Replay, await self._transport.call("POST", PATH, body=replay, timeout=timeout))

    def list(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.ListReplaysQuery]
    ) -> AsyncPages[models.Replay, models.ReplayPage]:
        """Bulk replays, newest first."""
        return AsyncPages(self._transport, PATH, "replays", query, timeout)

    async def get(self, job_id: str, *, timeout: Optional[float] = None) -> models.Replay:
        """The replay, and how far it is."""
        answer = await self._transport.call("GET", f"{PATH}/{segment(job_id)}", timeout=timeout)
        return cast(models.Replay, answer)

    async def update(
        self, job_id: str, *, timeout: Optional[float] = None, **change: Unpack[models.ReplayChange]
    ) -> models.Replay:
        """Changes its rate."""
        answer = await self._transport.call("PATCH", f"{PATH}/{segment(job_id)}", body=change, timeout=timeout)
        return cast(models.Replay, answer)

    async def cancel(self, job_id: str, *, timeout: Optional[float] = None) -> models.Replay:
        """Starts none of the deliveries that are left."""
        answer = await self._transport.call("POST", f"{PATH}/{segment(job_id)}/cancel", timeout=timeout)
        return cast(models.Replay, answer)
