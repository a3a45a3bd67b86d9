"""Calls about accounts, with a management key."""

from __future__ import annotations

from typing import Optional, cast

from typing_extensions import Unpack

from .. import models
from .._requests import segment
from .pages import AsyncPages
from .transport import AsyncTransport

PATH = "/api/v1/accounts"


class AsyncPortalSessions:
    """Sessions of the customers' portal."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self, account_id: str, *, timeout: Optional[float] = None, **session: Unpack[models.PortalSessionInput]
    ) -> models.PortalSession:
        """Opens the portal for a person whom you have signed in: send the browser to `url`, or frame it, within a minute."""
        path = f"{PATH}/{segment(account_id)}/portal-sessions"
        return cast(models.PortalSession, await self._transport.call("POST", path, body=session, timeout=timeout))


class AsyncAccounts:
    """The accounts of an installation, for a management key. An `account_id` is your own `external_id`, or `acc_…`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.portal_sessions = AsyncPortalSessions(transport)

    async def put(
        self, account_id: str, *, timeout: Optional[float] = None, **change: Unpack[models.AccountChange]
    ) -> models.Account:
        """Creates an account, or changes it. The same call again changes nothing."""
        answer = await self._transport.call("PUT", f"{PATH}/{segment(account_id)}", body=change, timeout=timeout)
        return cast(models.Account, answer)

    async def get(self, account_id: str, *, timeout: Optional[float] = None) -> models.Account:
        """The account; `account_not_found` if there is none."""
        answer = await self._transport.call("GET", f"{PATH}/{segment(account_id)}", timeout=timeout)
        return cast(models.Account, answer)

    async def delete(self, account_id: str, *, timeout: Optional[float] = None) -> models.Account:
        """Begins to erase the account with everything it owns."""
        answer = await self._transport.call("DELETE", f"{PATH}/{segment(account_id)}", timeout=timeout)
        return cast(models.Account, answer)

    def list(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.ListAccountsQuery]
    ) -> AsyncPages[models.Account, models.AccountList]:
        """Accounts, newest first."""
        return AsyncPages(self._transport, PATH, "accounts", query, timeout)

    def usage(
        self, *, timeout: Optional[float] = None, **query: Unpack[models.GetAccountUsageQuery]
    ) -> AsyncPages[models.AccountDay, models.AccountUsage]:
        """What each account did on each day."""
        return AsyncPages(self._transport, f"{PATH}/usage", "usage", query, timeout)
