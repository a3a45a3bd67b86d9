import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Config } from '../../src/config';
import { deliveryWorkflowId, RETRY_NOW_SIGNAL } from '../../src/domain/delivery-contract';
import { freePort } from '../../dev/ports';
import { startMongod, type RunningMongod } from '../../dev/mongod';
import { startRole, type RunningRole } from '../../src/processes/start-role';
import { createLogger } from '../../src/platform/logger';
import { createMongo } from '../../src/platform/mongo';
import { apiClient, type ApiClient } from '../support/api-client';
import { useReceiver } from '../support/build-receiver';
import { buildAccount, buildConfig, FAST_SWEEPERS, UNLIMITED } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { quietTemporal } from '../support/quiet-temporal';
import { serverBinary } from '../support/server-binary';
import { useTemporaryFolder } from '../support/temporary-folder';

// What docs/backup-and-restore.md describes, done: MongoDB goes back to a backup, Temporal and the receivers don't.

const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

const folder = useTemporaryFolder();
const receiver = useReceiver();
/** Refuses until told otherwise. */
const refusing = useReceiver(500);

interface Answer {
  readonly status: number;
  readonly id: number;
}

it('after a restore no event id is given twice, and every known event continues', async () => {
  const site = await openSite(folder());
  try {
    const backup = join(folder(), 'backup');
    const account = await site.account();
    const client = () => apiClient(site.url(), account.key);
    await client().post(ENDPOINTS, { url: receiver.url, events: ['order.*'] });
    const { body: endpoint } = await client().post(ENDPOINTS, { url: refusing.url, events: ['refund.*'] });
    const executionOf = (event: Answer) =>
      site.temporal.workflow.getHandle(deliveryWorkflowId({ eventId: event.id, endpointId: endpoint.id, run: 1 }));
    /** Its execution knows the first answer, and waits for the second attempt. */
    const waits = (event: Answer) =>
      eventually(
        () => executionOf(event).fetchHistory(),
        ({ events }) => events!.some(({ timerStartedEventAttributes: timer }) => timer),
      );

    const early = await ingest(client(), 'order.early', 'early');
    const unfinished = await ingest(client(), 'refund.early');
    await receiver.waitFor(1);
    await refusing.waitFor(1);
    await waits(unfinished);
    await site.restart(async ({ dataDir }) => cp(dataDir, backup, { recursive: true }));

    const lost = await Promise.all([
      ingest(client(), 'order.lost', 'lost'),
      ...Array.from({ length: 20 }, () => ingest(client(), 'order.lost')),
    ]);
    const lostAndUnfinished = await ingest(client(), 'refund.lost');
    await receiver.waitFor(1 + lost.length);
    await refusing.waitFor(2);
    await waits(lostAndUnfinished);
    await site.restart(async ({ dataDir }) => {
      await rm(dataDir, { recursive: true });
      await cp(backup, dataDir, { recursive: true });
    });
    refusing.answerWith(200);
    const before = receiver.requests.length;

    // A key of before the backup finds its event; one of after it makes a new event.
    expect(await ingest(client(), 'order.early', 'early')).toEqual({ status: 200, id: early.id });
    const fresh = await Promise.all([
      ingest(client(), 'order.lost', 'lost'),
      ...Array.from({ length: 20 }, () => ingest(client(), 'order.fresh')),
    ]);
    expect(new Set(fresh.map(({ status }) => status))).toEqual(new Set([202]));
    await receiver.waitFor(before + fresh.length);
    const known = [early, unfinished, lostAndUnfinished, ...lost];
    expect(new Set([...known, ...fresh].map(({ id }) => id)).size).toBe(known.length + fresh.length);
    // Each was delivered under an id that its receiver had not seen.
    const ids = receiver.requests.map(({ headers }) => headers['x-webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);

    // An execution whose event is in the backup continues; one whose event is gone ends, and sends nothing.
    for (const event of [unfinished, lostAndUnfinished]) await executionOf(event).signal(RETRY_NOW_SIGNAL, 2);
    expect(await executionOf(unfinished).result()).toEqual({ state: 'delivered', attempts: 2 });
    expect(await executionOf(lostAndUnfinished).result()).toEqual({ state: 'cancelled', attempts: 1 });
    expect((await client().get(`${EVENTS}/${unfinished.id}`)).body.status).toBe('delivered');
    expect((await client().get(`${EVENTS}/${lostAndUnfinished.id}`)).status).toBe(404);
    expect(refusing.requests.map(({ headers }) => headers['x-webhook-id'])).toEqual(
      [unfinished, lostAndUnfinished, unfinished].map(({ id }) => String(id)),
    );
  } finally {
    await site.close();
  }
});

async function ingest(client: ApiClient, type: string, key?: string): Promise<Answer> {
  const { status, body } = await client.post(EVENTS, {
    type,
    data: {},
    ...(key !== undefined && { idempotency_key: key }),
  });
  return { status, id: body.id };
}

/** A role with its own MongoDB; both end and restart together. */
async function openSite(at: string) {
  quietTemporal();
  const dataDir = join(at, 'mongodb');
  const [binary, port] = [await serverBinary('mongod'), await freePort()];
  const startDatabase = (): Promise<RunningMongod> =>
    startMongod({ binary, dataDir, port, onProgress: () => undefined });
  let mongod = await startDatabase();
  const config: Config = await buildConfig({
    ...UNLIMITED,
    MONGODB_URI: mongod.uri,
    FIRST_ATTEMPT: 'workflow',
    // The second attempt is pulled forward, after the restore.
    RETRY_SCHEDULE: '0s,1h',
  });
  const startSite = (): Promise<RunningRole> => startRole('all', config, createLogger(config.logLevel), FAST_SWEEPERS);
  let role = await startSite();
  const connection = await Connection.connect({ address: config.temporal.address! });
  const temporal = new Client({ connection, namespace: config.temporal.namespace });
  return {
    temporal,
    url: () => role.url!,
    async account() {
      const mongo = createMongo(mongod.uri);
      try {
        return await buildAccount(config, mongo);
      } finally {
        await mongo.close();
      }
    },
    /** Stops all but Temporal, and starts it when `meanwhile` is done with the files of MongoDB. */
    async restart(meanwhile: (site: { dataDir: string }) => Promise<void>) {
      await role.close();
      await mongod.stop();
      await meanwhile({ dataDir });
      mongod = await startDatabase();
      role = await startSite();
      await role.indexesReady;
    },
    async close() {
      await role.close();
      await connection.close();
      await mongod.kill();
    },
  };
}
