"""Calls about rehearsals."""

from __future__ import annotations

from typing import Optional, cast

from typing_extensions import Unpack

from .. import models
from .._requests import segment
from .transport import AsyncTransport

PATH = "/api/v1/webhooks/rehearsals"


class AsyncRehearsals:
    """Rehearsals of one account: what a change would have done to the newest stored events."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self, *, timeout: Optional[float] = None, **rehearsal: Unpack[models.NewRehearsal]
    ) -> models.Rehearsal:
        """Rehearses a change, which changes nothing. After two seconds it goes on: ask for its result with `get`."""
        return cast(models.Rehearsal, await self._transport.call("POST", PATH, body=rehearsal, timeout=timeout))

    async def get(self, rehearsal_id: str, *, timeout: Optional[float] = None) -> models.Rehearsal:
        """The rehearsal, with its result once it has ended."""
        answer = await self._transport.call("GET", f"{PATH}/{segment(rehearsal_id)}", timeout=timeout)
        return cast(models.Rehearsal, answer)
