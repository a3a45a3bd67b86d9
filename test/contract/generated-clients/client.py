"""Three calls of the client that openapi-python-client writes, against a running Everpost.

python client.py <base URL> <key> <URL of a receiver>
"""

import sys

from everpost_generated import AuthenticatedClient
from everpost_generated.api.endpoints import create_endpoint
from everpost_generated.api.events import get_event, ingest_event
from everpost_generated.models import ApiError, NewEndpoint, NewEvent, NewEventData

base_url, key, receiver = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key)


def event(kind):
    return NewEvent(type_=kind, data=NewEventData.from_dict({"language": "python"}))


endpoint = create_endpoint.sync_detailed(client=client, body=NewEndpoint(url=receiver))
accepted = ingest_event.sync_detailed(client=client, body=event("order.created"))
found = get_event.sync(accepted.parsed.id, client=client)
refused = ingest_event.sync(client=client, body=event("no type"))
# A later release may answer with a code that this document does not list.
later = ApiError.from_dict({"error": "New.", "code": "code_of_a_later_release", "request_id": "req_1"})

print(int(endpoint.status_code), int(accepted.status_code), found.type_, refused.code, later.code)
