"""Calls that only read figures."""

from __future__ import annotations

from typing import Optional, cast

from typing_extensions import Unpack

from .. import models
from .transport import AsyncTransport


class AsyncReports:
    """The results of a month's deliveries."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def deliveries(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.GetDeliveryReportQuery]
    ) -> models.DeliveryReport:
        """By day, endpoint or type."""
        answer = await self._transport.call("GET", "/api/v1/reports/deliveries", query=query, timeout=timeout)
        return cast(models.DeliveryReport, answer)

    async def deliveries_csv(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.ExportDeliveryReportQuery]
    ) -> str:
        """The same, as CSV."""
        path = "/api/v1/reports/deliveries.csv"
        return (await self._transport.send("GET", path, query=query, timeout=timeout)).text


class AsyncUsage:
    """What the account used."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, *, timeout: Optional[float] = None, **query: Unpack[models.GetUsageQuery]) -> models.Usage:
        """Calls, quota and limits."""
        answer = await self._transport.call("GET", "/api/v1/usage", query=query, timeout=timeout)
        return cast(models.Usage, answer)


class AsyncHealth:
    """How the endpoints of the account are."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.GetHealthQuery]
    ) -> models.AccountHealth:
        """Over a window."""
        answer = await self._transport.call("GET", "/api/v1/webhooks/health", query=query, timeout=timeout)
        return cast(models.AccountHealth, answer)


class AsyncKeys:
    """The API key of the client."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get_own(self, *, timeout: Optional[float] = None) -> models.ApiKey:
        """Its product, scopes and expiry."""
        answer = await self._transport.call("GET", "/api/v1/keys/self", timeout=timeout)
        return cast(models.ApiKey, answer)


class AsyncCostEstimator:
    """Prices of cloud services."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def catalog(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.GetCatalogQuery]
    ) -> models.Catalog:
        """The catalog of prices."""
        answer = await self._transport.call("GET", "/api/cost-estimator", query=query, timeout=timeout)
        return cast(models.Catalog, answer)

    async def equivalents(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.ListEquivalentsQuery]
    ) -> models.EquivalentsList:
        """Services of other providers that do the same."""
        answer = await self._transport.call("GET", "/api/cost-estimator/equivalents", query=query, timeout=timeout)
        return cast(models.EquivalentsList, answer)

    async def sources(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.ListPriceSourcesQuery]
    ) -> models.PriceSourceList:
        """Where each price comes from, and of which day it is."""
        answer = await self._transport.call("GET", "/api/cost-estimator/sources", query=query, timeout=timeout)
        return cast(models.PriceSourceList, answer)

    async def estimate(
        self, *, timeout: Optional[float] = None, **request: Unpack[models.EstimateRequest]
    ) -> models.Estimate:
        """What the items cost in a month and in a year."""
        answer = await self._transport.call(
            "POST", "/api/cost-estimator", body=request, is_repeatable=True, timeout=timeout
        )
        return cast(models.Estimate, answer)
