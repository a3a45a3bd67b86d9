import type { EndpointStore } from '../src/record/endpoint-store';
import type { EventStore } from '../src/record/event-store';
import type { SecretBox } from '../src/platform/secret-box';
import type { SecretsFor } from './inbox-log';

/** What the look-up reads. */
export interface InboxSecretsDeps {
  readonly events: Pick<EventStore, 'find'>;
  readonly endpoints: Pick<EndpointStore, 'findMany'>;
  readonly secretBox: Pick<SecretBox, 'open'>;
}

/**
 * Looks up the secrets of an event's destinations, as a receiver would have them: the present one and, during a
 * rotation, the next. They stay in this process and are never shown.
 */
export function createInboxSecrets({ events, endpoints, secretBox }: InboxSecretsDeps): SecretsFor {
  return async (eventId) => {
    const event = await events.find(eventId);
    if (!event) return [];
    const ids = event.destinations.map(({ endpoint_id: id }) => id);
    return (await endpoints.findMany(ids)).flatMap(({ _id, secret, next_secret: next }) =>
      [secret, next].filter((sealed) => sealed !== undefined).map((sealed) => secretBox.open(sealed, _id)),
    );
  };
}
