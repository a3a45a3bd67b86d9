import type { Config } from '../../src/config';
import { createDataKeyStore } from '../../src/payloads/data-key-store';
import { createPayloadBox, type PayloadBox } from '../../src/payloads/payload-box';
import type { Mongo } from '../../src/platform/mongo';
import { createSecretBox } from '../../src/platform/secret-box';
import type { StoredEvent } from '../../src/stores/event-store';
import { openEvent } from '../../src/stores/sealed-event-store';

/** Opens what a stack sealed, for tests that read its documents. It seals nothing. */
export function openerOf(config: Config, { db }: Pick<Mongo, 'db'>): PayloadBox {
  return createPayloadBox({
    dataKeys: createDataKeyStore(db),
    secretBox: createSecretBox(config.encryptionKeys),
    requireOurs: () => Promise.resolve(),
    seals: false,
  });
}

/** Events as a test found them in MongoDB, opened. */
export function openedEvents(
  { config, mongo }: { readonly config: Config; readonly mongo: Mongo },
  events: readonly StoredEvent[],
): Promise<StoredEvent[]> {
  const payloads = openerOf(config, mongo);
  return Promise.all(events.map((event) => openEvent<StoredEvent>(payloads, event)));
}
