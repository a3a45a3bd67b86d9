"""A typed client of the Everpost API."""

from . import models
from ._async.client import AsyncEverpost, AsyncEverpostAccount
from ._async.pages import AsyncPages
from ._requests import Answer
from ._sync.client import Everpost, EverpostAccount
from ._sync.pages import Pages
from .errors import EverpostConnectionError, EverpostError, EverpostTimeoutError, SignatureError
from .webhook import Webhook, verify

__all__ = [
    "Answer",
    "AsyncEverpost",
    "AsyncEverpostAccount",
    "AsyncPages",
    "Everpost",
    "EverpostAccount",
    "EverpostConnectionError",
    "EverpostError",
    "EverpostTimeoutError",
    "Pages",
    "SignatureError",
    "Webhook",
    "models",
    "verify",
]
