"""Calls about endpoints."""

from __future__ import annotations

from typing import Optional, Union, cast

from typing_extensions import Unpack

from .. import models
from .._requests import segment
from .pages import AsyncPages
from .transport import AsyncTransport

PATH = "/api/v1/webhooks/endpoints"


class AsyncEndpoints:
    """Endpoints of one account. An `endpoint_id` is `ep_…`, or your own `external_id`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self, *, timeout: Optional[float] = None, **endpoint: Unpack[models.NewEndpoint]
    ) -> models.CreatedEndpoint:
        """Registers an endpoint. The answer has its signing secret. Not sent again after a lost answer: see `put`."""
        created = await self._transport.call("POST", PATH, body=endpoint, timeout=timeout)
        return cast(models.CreatedEndpoint, created)

    async def put(
        self,
        external_id: str,
        /,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        **endpoint: Unpack[models.DesiredEndpoint],
    ) -> Union[models.Endpoint, models.CreatedEndpoint]:
        """Creates the endpoint with this id of your own, or changes it. The same call again changes nothing."""
        path, headers = f"{PATH}/{segment(external_id)}", matching(if_match)
        answer = await self._transport.call("PUT", path, body=endpoint, headers=headers, timeout=timeout)
        return cast("Union[models.Endpoint, models.CreatedEndpoint]", answer)

    async def update(
        self,
        endpoint_id: str,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        **change: Unpack[models.EndpointChange],
    ) -> models.Endpoint:
        """Changes the fields that are given. With `if_match` only if the endpoint has this `ETag`."""
        path, headers = f"{PATH}/{segment(endpoint_id)}", matching(if_match)
        answer = await self._transport.call("PATCH", path, body=change, headers=headers, timeout=timeout)
        return cast(models.Endpoint, answer)

    async def get(self, endpoint_id: str, *, timeout: Optional[float] = None) -> models.EndpointWithHealth:
        """The endpoint, with its health."""
        answer = await self._transport.call("GET", f"{PATH}/{segment(endpoint_id)}", timeout=timeout)
        return cast(models.EndpointWithHealth, answer)

    def list(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.ListEndpointsQuery]
    ) -> AsyncPages[models.EndpointWithHealth, models.EndpointPage]:
        """Endpoints, newest first."""
        return AsyncPages(self._transport, PATH, "endpoints", query, timeout)

    async def delete(self, endpoint_id: str, *, timeout: Optional[float] = None) -> None:
        """Removes the endpoint."""
        await self._transport.call("DELETE", f"{PATH}/{segment(endpoint_id)}", timeout=timeout)

    async def pause(
        self, endpoint_id: str, *, timeout: Optional[float] = None, **options: Unpack[models.Pause]
    ) -> models.Endpoint:
        """Holds its deliveries until `resume`."""
        answer = await self._transport.call(
            "POST", f"{PATH}/{segment(endpoint_id)}/pause", body=options or None, timeout=timeout
        )
        return cast(models.Endpoint, answer)

    async def resume(
        self, endpoint_id: str, *, timeout: Optional[float] = None, **options: Unpack[models.Resumption]
    ) -> models.Endpoint:
        """Delivers again, what was held too."""
        answer = await self._transport.call(
            "POST", f"{PATH}/{segment(endpoint_id)}/resume", body=options or None, timeout=timeout
        )
        return cast(models.Endpoint, answer)

    async def test(
        self, endpoint_id: str, *, timeout: Optional[float] = None, **event: Unpack[models.TestEvent]
    ) -> models.AcceptedEvent:
        """Sends a test event to this endpoint alone."""
        answer = await self._transport.call(
            "POST", f"{PATH}/{segment(endpoint_id)}/test", body=event or None, timeout=timeout
        )
        return cast(models.AcceptedEvent, answer)

    async def verify(self, endpoint_id: str, *, timeout: Optional[float] = None) -> models.Endpoint:
        """Asks its host again whether it wants deliveries."""
        answer = await self._transport.call("POST", f"{PATH}/{segment(endpoint_id)}/verify", timeout=timeout)
        return cast(models.Endpoint, answer)

    async def get_secret(self, endpoint_id: str, *, timeout: Optional[float] = None) -> models.RevealedSecrets:
        """Its signing secrets."""
        answer = await self._transport.call("GET", f"{PATH}/{segment(endpoint_id)}/secret", timeout=timeout)
        return cast(models.RevealedSecrets, answer)

    async def rotate_secret(self, endpoint_id: str, *, timeout: Optional[float] = None) -> models.SigningSecrets:
        """Makes the next signing secret. Deliveries keep the old one until `activate_secret`."""
        answer = await self._transport.call("POST", f"{PATH}/{segment(endpoint_id)}/secret/rotate", timeout=timeout)
        return cast(models.SigningSecrets, answer)

    async def activate_secret(self, endpoint_id: str, *, timeout: Optional[float] = None) -> models.SigningSecrets:
        """Signs with the next secret from now on."""
        answer = await self._transport.call("POST", f"{PATH}/{segment(endpoint_id)}/secret/activate", timeout=timeout)
        return cast(models.SigningSecrets, answer)

    async def stats(
        self, endpoint_id: str, *, timeout: Optional[float] = None, **query: Unpack[models.GetEndpointStatsQuery]
    ) -> models.EndpointStats:
        """Its deliveries and attempts in a window."""
        answer = await self._transport.call("GET", f"{PATH}/{segment(endpoint_id)}/stats", query=query, timeout=timeout)
        return cast(models.EndpointStats, answer)

    async def health(
        self, endpoint_id: str, *, timeout: Optional[float] = None, **query: Unpack[models.GetEndpointHealthQuery]
    ) -> models.EndpointHistory:
        """Its failures and latency over a window."""
        answer = await self._transport.call(
            "GET", f"{PATH}/{segment(endpoint_id)}/health", query=query, timeout=timeout
        )
        return cast(models.EndpointHistory, answer)

    async def waiting(self, endpoint_id: str, *, timeout: Optional[float] = None) -> models.WaitingDeliveries:
        """How many of its deliveries wait."""
        answer = await self._transport.call("GET", f"{PATH}/{segment(endpoint_id)}/waiting", timeout=timeout)
        return cast(models.WaitingDeliveries, answer)

    async def cancel_deliveries(
        self, endpoint_id: str, *, timeout: Optional[float] = None
    ) -> models.CancelledDeliveries:
        """Cancels its unfinished deliveries."""
        answer = await self._transport.call("POST", f"{PATH}/{segment(endpoint_id)}/cancel-deliveries", timeout=timeout)
        return cast(models.CancelledDeliveries, answer)

    async def recover(
        self, endpoint_id: str, *, timeout: Optional[float] = None, **recovery: Unpack[models.Recovery]
    ) -> models.Replay:
        """Sends what failed since a time again, as a bulk replay."""
        answer = await self._transport.call(
            "POST", f"{PATH}/{segment(endpoint_id)}/recover", body=recovery, timeout=timeout
        )
        return cast(models.Replay, answer)

    def attempts(
        self, endpoint_id: str, *, timeout: Optional[float] = None, **query: Unpack[models.ListEndpointAttemptsQuery]
    ) -> AsyncPages[models.AttemptOfEndpoint, models.AttemptPage]:
        """Its attempts, newest first."""
        return AsyncPages(self._transport, f"{PATH}/{segment(endpoint_id)}/attempts", "attempts", query, timeout)


def matching(if_match: Optional[str]) -> dict[str, str]:
    """The header of a change that depends on the state."""
    return {} if if_match is None else {"If-Match": if_match}
