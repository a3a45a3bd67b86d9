"""Retries and time-outs, against a real server on loopback."""

from __future__ import annotations

import asyncio
import unittest
from email.utils import format_datetime
from datetime import datetime, timedelta, timezone
from typing import Any

from everpost import AsyncEverpost, Everpost, EverpostConnectionError, EverpostError, EverpostTimeoutError
from everpost._retries import retry_after_seconds, wait_before_retry

from .loopback import Loopback, Reply

KEY = "svc_live_weh_" + "0" * 32
LOST = Reply(is_lost=True)
SILENT = Reply(is_silent=True)


class Retries(unittest.TestCase):
    def test_an_event_is_sent_again_with_the_same_key_until_it_is_accepted(self) -> None:
        with Loopback(429, 503, LOST, Reply(202, {"id": 1})) as api:
            # After the lost answer the wait is four seconds: the API named none.
            with Everpost(base_url=api.url, api_key=KEY, max_retries=2) as everpost, self.assertRaises(EverpostError):
                everpost.events.send(type="a", data={})
            with Everpost(base_url=api.url, api_key=KEY) as everpost:
                self.assertEqual(everpost.events.send(type="a", data={}, idempotency_key="own"), {"id": 1})
        first = [it.json()["idempotency_key"] for it in api.requests[:3]]
        self.assertEqual(len(set(first)), 1)
        self.assertRegex(first[0], r"^[0-9a-f-]{36}$")
        self.assertEqual([it.json()["idempotency_key"] for it in api.requests[3:]], ["own"])

    def test_after_a_lost_connection_an_event_is_sent_again_and_a_batch_keeps_its_keys(self) -> None:
        with Loopback(LOST, Reply(207, {"results": []})) as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
            everpost.events.send_batch([{"type": "a", "data": {}}, {"type": "b", "data": {}, "idempotency_key": "own"}])
        self.assertEqual(len(api.requests), 2)
        self.assertEqual(api.requests[0].body, api.requests[1].body)
        keys = [it["idempotency_key"] for it in api.requests[0].json()["events"]]
        self.assertEqual((len(set(keys)), keys[1]), (2, "own"))

    def test_the_asynchronous_client_retries_too(self) -> None:
        async def play(url: str) -> Any:
            async with AsyncEverpost(base_url=url, api_key=KEY) as everpost:
                return await everpost.events.send(type="a", data={})

        with Loopback(503, Reply(202, {"id": 1})) as api:
            self.assertEqual(asyncio.run(play(api.url)), {"id": 1})
        self.assertEqual(len({it.body for it in api.requests}), 1)
        self.assertEqual(len(api.requests), 2)

    def test_a_call_that_is_not_safe_to_repeat_is_sent_again_only_if_it_had_no_effect(self) -> None:
        url = "https://example.com"
        for unknown in (500, 502, LOST):
            with Loopback(unknown, 201) as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
                with self.assertRaises(EverpostError):
                    everpost.endpoints.create(url=url)
            self.assertEqual(len(api.requests), 1)
        with Loopback(429, 201) as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
            everpost.endpoints.create(url=url)
        self.assertEqual(len(api.requests), 2)

    def test_a_refused_call_and_a_used_up_quota_are_not_tried_again(self) -> None:
        for status, after in ((400, "0"), (409, "0"), (429, "86400"), (503, "61")):
            reply = Reply(status, {}, {"Retry-After": after})
            with Loopback(reply) as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
                with self.assertRaises(EverpostError) as caught:
                    everpost.events.send(type="a", data={})
            self.assertEqual((len(api.requests), caught.exception.retry_after), (1, float(after)))

    def test_max_retries_limits_them_and_the_last_answer_is_the_error(self) -> None:
        for most in (0, 1):
            with Loopback(503) as api, Everpost(base_url=api.url, api_key=KEY, max_retries=most) as everpost:
                with self.assertRaises(EverpostError) as caught:
                    everpost.usage.get()
            self.assertEqual((len(api.requests), caught.exception.status), (most + 1, 503))

    def test_the_waits_begin_with_retry_after_and_double(self) -> None:
        def waits(**given: Any) -> list[Any]:
            common = {"status": 429, "is_repeatable": False, "retry_after": 3.0, "random": 0.0, **given}
            return [wait_before_retry(retry, **common) for retry in (1, 2, 3, 4, 5)]

        self.assertEqual(waits(), [3, 6, 12, 24, 48])
        self.assertEqual(waits(random=1.0), [3.5, 6.5, 12.5, 24.5, 48.5])
        self.assertEqual(waits(status=None, is_repeatable=True, retry_after=None)[:2], [1, 2])
        self.assertEqual(waits(status=500), [None] * 5)

    def test_retry_after_is_seconds_or_a_date(self) -> None:
        self.assertEqual(
            [retry_after_seconds(it) for it in (None, "7", "soon", "", "-1")], [None, 7.0, None, None, None]
        )
        later = retry_after_seconds(format_datetime(datetime.now(timezone.utc) + timedelta(hours=1), usegmt=True))
        self.assertIsNotNone(later)
        self.assertTrue(later is not None and 3_000 < later <= 3_600)
        self.assertEqual(retry_after_seconds("Thu, 01 Jan 2026 00:00:00 GMT"), 0.0)


class TimeOuts(unittest.TestCase):
    def test_a_call_ends_when_no_answer_comes_by_the_time_of_the_client_or_of_the_call(self) -> None:
        with Loopback(SILENT) as api:
            with Everpost(base_url=api.url, api_key=KEY, timeout=0.2, max_retries=0) as everpost:
                with self.assertRaisesRegex(EverpostTimeoutError, r"within 0\.2 s") as caught:
                    everpost.usage.get()
            with Everpost(base_url=api.url, api_key=KEY, max_retries=0) as everpost:
                with self.assertRaisesRegex(EverpostTimeoutError, r"within 0\.1 s"):
                    everpost.events.send(type="a", data={}, timeout=0.1)
                with self.assertRaises(EverpostTimeoutError):
                    everpost.events.list(timeout=0.1).page()
        self.assertEqual((caught.exception.status, caught.exception.code), (None, "timeout"))

    def test_an_answer_that_comes_in_drops_is_over_time_too(self) -> None:
        drops = Reply(200, {"text": "x" * 100}, is_slow=True)
        with Loopback(drops) as api:
            with Everpost(base_url=api.url, api_key=KEY, timeout=0.3, max_retries=0) as everpost:
                with self.assertRaises(EverpostTimeoutError):
                    everpost.usage.get()

    def test_the_asynchronous_client_has_time_outs_and_can_be_cancelled(self) -> None:
        async def play(url: str) -> None:
            async with AsyncEverpost(base_url=url, api_key=KEY, max_retries=0) as everpost:
                with self.assertRaises(EverpostTimeoutError):
                    await everpost.usage.get(timeout=0.1)
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(everpost.usage.get(), 0.1)

        with Loopback(SILENT) as api:
            asyncio.run(play(api.url))
        self.assertEqual(len(api.requests), 2)

    def test_a_server_that_is_not_there_is_an_error_without_a_status_or_the_key(self) -> None:
        with Loopback() as gone:
            pass
        with Everpost(base_url=gone.url, api_key=KEY, max_retries=0) as everpost:
            with self.assertRaises(EverpostConnectionError) as caught:
                everpost.usage.get()
        self.assertEqual((caught.exception.status, caught.exception.code), (None, "connection_failed"))
        self.assertNotIn(KEY, repr(vars(caught.exception)) + str(caught.exception))
