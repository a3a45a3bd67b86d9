"""Calls, answers and errors, against a real server on loopback."""

from __future__ import annotations

import inspect
import json
import re
import unittest
from pathlib import Path
from typing import Any

from everpost import Everpost, EverpostError

from .loopback import Loopback, Reply

KEY = "svc_live_weh_" + "0" * 32
#: A stream of events: `everpost listen` reads it.
WITHOUT_METHOD = {
    ("GET", "/api/v1/webhooks/listen"),
    # What `event_types` reads, without archived ones: for the portal and the dashboard.
    ("GET", "/api/v1/webhooks/event-types"),
    ("GET", "/api/v1/webhooks/event-types/{name}"),
}


class Errors(unittest.TestCase):
    def test_an_error_has_everything_that_the_answer_says_even_a_code_and_a_field_of_a_newer_api(self) -> None:
        body = {
            "error": "Not that way.",
            "code": "from_the_future",
            "request_id": "req_1",
            "details": [{"path": "data", "message": "is wrong", "hint": 1}],
            "more": True,
        }
        reply = Reply(409, body, {"Retry-After": "7", "X-RateLimit-Remaining": "3"})
        with Loopback(reply) as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
            with self.assertRaises(EverpostError) as caught:
                everpost.endpoints.get("ep_1")

        error = caught.exception
        self.assertEqual((error.status, error.code, error.message), (409, "from_the_future", "Not that way."))
        self.assertEqual((error.request_id, error.retry_after, error.details), ("req_1", 7.0, body["details"]))
        self.assertEqual((error.body, error.headers["x-ratelimit-remaining"]), (body, "3"))
        self.assertEqual(str(error), "Not that way. (409 from_the_future, request req_1)")
        self.assertNotIn(KEY, repr(error) + repr(vars(error)))

    def test_a_page_of_a_proxy_is_an_error_with_its_text(self) -> None:
        for status, said in ((403, "The API answered 403."), (200, "is not JSON")):
            reply = Reply(status, "<h1>Blocked</h1>", {"Content-Type": "text/html"})
            with Loopback(reply) as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
                with self.assertRaisesRegex(EverpostError, said) as caught:
                    everpost.usage.get()
            self.assertEqual((caught.exception.status, caught.exception.code), (status, "unknown"))
            self.assertEqual(caught.exception.body, "<h1>Blocked</h1>")

    def test_an_error_whose_fields_have_other_types_is_still_an_error_of_the_api(self) -> None:
        for body in ([1], None, {"error": 1, "code": None, "details": "x", "request_id": 5}):
            with Loopback(Reply(400, body)) as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
                with self.assertRaises(EverpostError) as caught:
                    everpost.usage.get()
            self.assertEqual((caught.exception.status, caught.exception.details), (400, []))
            self.assertIsInstance(str(caught.exception), str)

    def test_a_redirect_is_not_followed_because_the_request_has_the_key(self) -> None:
        reply = Reply(302, {}, {"Location": "http://127.0.0.1:9/"})
        with Loopback(reply) as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
            with self.assertRaises(EverpostError) as caught:
                everpost.usage.get()
        self.assertEqual(caught.exception.status, 302)

    def test_a_key_or_an_account_that_no_header_takes_is_refused_and_not_told(self) -> None:
        for key in ("", "svc_live_weh_secret\n", " svc_live_weh_secret", "svc_live_weh_sécret"):
            with self.assertRaises(ValueError) as caught:
                Everpost(base_url="http://127.0.0.1", api_key=key)
            self.assertNotIn("cret", str(caught.exception))
        with Everpost(base_url="http://127.0.0.1", api_key=KEY) as everpost, self.assertRaises(ValueError):
            everpost.account("cus\r\nX: 1")
        with self.assertRaises(ValueError):
            Everpost(base_url="everpost.example.com", api_key=KEY)

    def test_an_id_can_not_name_another_path(self) -> None:
        with Loopback() as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
            for bad in ("", ".", ".."):
                with self.assertRaises(ValueError):
                    everpost.endpoints.delete(bad)
            everpost.endpoints.get("../../accounts?x#é")
        self.assertEqual(
            [it.path for it in api.requests], ["/api/v1/webhooks/endpoints/..%2F..%2Faccounts%3Fx%23%C3%A9"]
        )


class Requests(unittest.TestCase):
    def test_a_call_sends_the_key_the_account_and_data_as_it_is(self) -> None:
        with Loopback() as api, Everpost(base_url=f"{api.url}/", api_key=KEY) as everpost:
            everpost.account("cus_42").events.send(type="a", data={"n": 12345678901234567890, "text": "Zoë 路😀"})
        (sent,) = api.requests
        self.assertEqual((sent.method, sent.path), ("POST", "/api/v1/webhooks/events"))
        self.assertEqual((sent.headers["authorization"], sent.headers["everpost-account"]), (f"Bearer {KEY}", "cus_42"))
        self.assertRegex(sent.headers["user-agent"], r"^everpost-python/\d+\.\d+\.\d+$")
        self.assertIn('"data":{"n":12345678901234567890,"text":"Zoë 路😀"}', sent.body.decode())

    def test_data_that_is_no_json_is_refused_before_it_is_sent(self) -> None:
        with Loopback() as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
            with self.assertRaises(ValueError):
                everpost.events.send(type="a", data={"n": float("nan")})
        self.assertEqual(api.requests, [])

    def test_an_answer_may_have_fields_and_values_of_a_newer_api(self) -> None:
        newer = {"id": "ep_1", "status": "dreaming", "colour": "blue"}
        with Loopback(Reply(200, newer)) as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
            self.assertEqual(everpost.endpoints.get("ep_1"), newer)

    def test_a_change_can_depend_on_the_etag_and_an_answer_without_a_body_is_none(self) -> None:
        replies = Reply(200, {}, {"ETag": '"v1"'}), Reply(200, {}), Reply(204)
        with Loopback(*replies) as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
            tag = everpost.request("GET", "/api/v1/webhooks/endpoints/ep_1").headers["etag"]
            everpost.endpoints.update("ep_1", if_match=tag, description="new")
            everpost.endpoints.delete("ep_1")
        self.assertEqual(api.requests[1].headers["if-match"], '"v1"')
        self.assertEqual(api.requests[1].json(), {"description": "new"})

    def test_a_list_asks_for_each_page_when_the_items_before_it_are_used_up(self) -> None:
        pages = [{"events": [{"id": 3}, {"id": 2}], "next_cursor": "c 1"}, {"events": [{"id": 1}], "next_cursor": None}]
        with Loopback(*[Reply(200, it) for it in pages]) as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
            events = everpost.events.list(limit=2, status="failed", cursor=None)
            self.assertEqual(api.requests, [])
            listed = iter(events)
            self.assertEqual([next(listed)["id"], next(listed)["id"]], [3, 2])
            self.assertEqual(len(api.requests), 1)
            self.assertEqual([it["id"] for it in listed], [1])
        first = "/api/v1/webhooks/events?limit=2&status=failed"
        self.assertEqual([it.path for it in api.requests], [first, f"{first}&cursor=c+1"])

    def test_every_operation_of_the_api_has_a_method(self) -> None:
        document = json.loads((Path(__file__).parents[1] / "openapi.json").read_text("utf-8"))
        wanted = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
        with Loopback(Reply(200, {"results": []})) as api, Everpost(base_url=api.url, api_key=KEY) as everpost:
            for resource in [*vars(everpost).values(), everpost.accounts.portal_sessions]:
                if type(resource).__module__.startswith("everpost._sync") and not hasattr(resource, "http"):
                    call_each(resource)
        called = {(it.method, it.path.split("?")[0]) for it in api.requests}
        # Ids are `x` in what was called.
        self.assertEqual({(m, re.sub(r"\{\w+\}", "x", p)) for m, p in wanted - WITHOUT_METHOD}, called)


def call_each(resource: Any) -> None:
    """Calls each method, with `x` as each id. The names of other arguments need no value."""
    for name, method in inspect.getmembers(resource, inspect.ismethod):
        if name.startswith("_"):
            continue
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        ids = [it for it in inspect.signature(method).parameters.values() if it.kind in kinds]
        answer = method(*[[] if it.name == "events" else "x" for it in ids])
        if hasattr(answer, "page"):
            answer.page()
