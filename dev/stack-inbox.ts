import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createEndpointStore, type EndpointStore } from '../src/stores/endpoint-store';
import { createEventStore, type EventStore } from '../src/stores/event-store';
import { createDataKeyStore } from '../src/payloads/data-key-store';
import { createPayloadBox, type PayloadBox } from '../src/payloads/payload-box';
import { createMongo, type Mongo } from '../src/platform/mongo';
import { createSecretBox, type SecretBox } from '../src/platform/secret-box';
import { openCertificate } from './certificate';
import { startInbox } from './inbox';
import type { SecretsFor } from './inbox-log';
import { readIfThere, writePrivateFile } from '../src/platform/private-file';
import type { Progress } from './messages';

export interface StackInboxOptions {
  readonly dataDir: string;
  readonly mongodbUri: string;
  readonly encryptionKeys: readonly string[];
  readonly onProgress: Progress;
}

/**
 * Starts the inbox of a data folder: with the same certificate and, if it is free, on the same port as before, so that
 * endpoints registered with it keep working.
 *
 * @returns `caPem`: the certificate that the sender must trust for it
 */
export async function startStackInbox(options: StackInboxOptions) {
  const folder = join(options.dataDir, 'inbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const certificate = await openCertificate(folder);
  const mongo = createMongo(options.mongodbUri);
  const secretBox = createSecretBox(options.encryptionKeys);
  const secretsFor = createInboxSecrets({
    events: createEventStore(mongo.db, payloadsOf(mongo, secretBox)),
    endpoints: createEndpointStore(mongo.db),
    secretBox,
  });
  const portFile = join(folder, 'port');
  const preferredPort = Number((await readIfThere(portFile)) ?? 0);
  const inbox = await startInbox({ preferredPort, certificate, secretsFor });
  if (inbox.port !== preferredPort) {
    await writePrivateFile(portFile, String(inbox.port));
    if (preferredPort !== 0) {
      options.onProgress(
        `Port ${preferredPort} of the inbox is taken; it is ${inbox.port} now. Register ${inbox.endpointUrl} to keep using it.`,
      );
    }
  }
  return {
    inbox,
    caPem: certificate.cert,
    async close(): Promise<void> {
      await inbox.close();
      await mongo.close();
    },
  };
}

/** Opens events. It never stores one. */
function payloadsOf({ db }: Mongo, secretBox: SecretBox): PayloadBox {
  const requireOurs = (): Promise<void> => Promise.resolve();
  return createPayloadBox({ dataKeys: createDataKeyStore(db), secretBox, requireOurs, seals: false });
}

/** What the look-up of secrets needs. */
interface InboxSecretsDeps {
  readonly events: Pick<EventStore, 'find'>;
  readonly endpoints: Pick<EndpointStore, 'findMany'>;
  readonly secretBox: Pick<SecretBox, 'open'>;
}

/**
 * Looks up the secrets of an event's destinations, as a receiver would have them: the current one and, during a
 * rotation, the next. They stay in this process and are never shown.
 */
function createInboxSecrets({ events, endpoints, secretBox }: InboxSecretsDeps): SecretsFor {
  return async (eventId) => {
    const event = await events.find(eventId);
    if (!event) return [];
    const ids = event.destinations.map(({ endpoint_id: id }) => id);
    return (await endpoints.findMany(ids)).flatMap(({ _id, secret, next_secret: next }) =>
      [secret, next].filter((sealed) => sealed !== undefined).map((sealed) => secretBox.open(sealed, _id)),
    );
  };
}
