"""What is worth a retry, and when: docs/client-backoff.md of Everpost."""

from __future__ import annotations

import re
import time
from email.utils import parsedate_to_datetime
from typing import Optional

DEFAULT_MAX_RETRIES = 5
#: So that clients that were refused together don't return together.
MAX_JITTER_S = 0.5
#: The wait if the answer names none.
DEFAULT_RETRY_AFTER_S = 1.0
#: The burst window lasts 60 seconds. A longer wait means that the month's quota is used up.
MAX_RETRY_AFTER_S = 60.0


def retry_after_seconds(header: Optional[str]) -> Optional[float]:
    """Everpost sends seconds; a proxy in between may send a date."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,15}", header):
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def wait_before_retry(
    retry: int, *, status: Optional[int], retry_after: Optional[float], is_repeatable: bool, random: float
) -> Optional[float]:
    """The seconds to wait before a retry; None if the call is not worth one.

    A request that gets 429 had no effect. After a 5xx answer or no answer the effect is unknown.

    Args:
        retry: 1 for the first retry
        status: of the answer; None if there was none
        retry_after: seconds, as the answer names them
        is_repeatable: that a second request does no harm
        random: from 0 to 1
    """
    seconds = retry_after if retry_after is not None else DEFAULT_RETRY_AFTER_S
    may_succeed = status == 429 or (is_repeatable and (status is None or status >= 500))
    if not may_succeed or seconds > MAX_RETRY_AFTER_S:
        return None
    return float(seconds * 2 ** (retry - 1) + random * MAX_JITTER_S)
