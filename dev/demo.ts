import { randomBytes } from 'node:crypto';
import { ConfigError, loadConfig, type Config } from '../src/config';
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from '../src/domain/retry-schedule';
import { startRole } from '../src/processes/start-role';
import { createLogger } from '../src/platform/logger';
import { sleep } from '../src/platform/sleep';
import { installTemporalRuntime } from '../src/worker';
import { makeCertificate } from './certificate';
import {
  checkDemo,
  isSpecSignatureRight,
  isStandardSignatureRight,
  seconds,
  type EventStatusView,
} from './demo-checks';
import { startDemoReceiver, type Arrival, type DemoReceiver } from './demo-receiver';
import { createFirstAccount } from './first-account';
import { LocalStackError } from './messages';
import { startThrowawayServers, type ThrowawayServers } from './servers';

const ANSWERS = [500, 503, 200];

/** Numbers and key orders that a JSON library would change. */
const DATA = '{"n":12345678901234567890,"x":1.0,"b":1,"a":2,"2":0,"1":0}';

/** The last attempt is due after 6 s; a busy machine may be late. */
const DELIVERED_WITHIN_MS = 25_000;

function print(line: string) {
  process.stdout.write(`${line}\n`);
}

/** The user's own settings have no influence, except for where the servers' programs are. */
function ownSettings(): Config {
  const users = loadConfig();
  const defaults = loadConfig({ NODE_ENV: 'development' });
  return {
    ...defaults,
    ...{ cacheDir: users.cacheDir, host: '127.0.0.1', port: 0, metricsPort: 0 },
    mongodb: { ...defaults.mongodb, binary: users.mongodb.binary },
    temporal: { ...defaults.temporal, binary: users.temporal.binary, namespace: 'default', connection: {} },
    encryptionKeys: [randomBytes(32).toString('base64')],
  };
}

/** The default schedule, the demo's servers, and a rule that allows the one receiver. */
function demoConfig(own: Config, servers: ThrowawayServers, receiver: DemoReceiver, caPem: string): Config {
  const { mongodb, temporal, delivery } = own;
  const policy = { ...delivery.policy, allowTargets: [receiver.target] };
  const schedule = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE);
  return {
    ...own,
    dataDir: servers.folder,
    mongodb: { ...mongodb, uri: servers.mongod.uri },
    temporal: { ...temporal, address: servers.temporal.address },
    delivery: { ...delivery, schedule, policy, extraCaPem: [caPem] },
  };
}

/** Registers, sends and waits, all over the HTTP API; prints what happens while it happens. */
async function deliver(apiUrl: string, key: string, receiver: DemoReceiver) {
  const call = createCaller(apiUrl, key);
  const endpoint = await call('POST', '/endpoints', JSON.stringify({ url: receiver.url, events: ['order.*'] }));
  const { id: endpointId, secret } = endpoint as { id: string; secret: string };
  print(`Registered ${receiver.url} as ${endpointId}.`);
  const startedAtMs = Date.now();
  const event = await call('POST', '/events', `{"type":"order.created","data":${DATA},"idempotency_key":"demo"}`);
  const { id: eventId, timestamp } = event as { id: number; timestamp: number };
  print(`Sent order.created; accepted as event ${eventId}. Its deliveries:\n`);
  const getStatus = async () => (await call('GET', `/events/${eventId}`)) as EventStatusView;
  const status = await untilDelivered(getStatus, receiver, (arrival, index) =>
    print(timelineRow(arrival, index, startedAtMs, secret)),
  );
  const expectedBody = `{"id":${eventId},"type":"order.created","data":${DATA},"timestamp":${timestamp}}`;
  return { arrivals: receiver.arrivals, secret, eventId, expectedBody, status };
}

function createCaller(apiUrl: string, key: string) {
  return async (method: string, path: string, body?: string): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${apiUrl}/api/v1/webhooks${path}`, { method, headers, ...(body && { body }) });
    if (!answer.ok)
      throw new LocalStackError(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
}

async function untilDelivered(
  getStatus: () => Promise<EventStatusView>,
  receiver: DemoReceiver,
  onArrival: (arrival: Arrival, index: number) => void,
): Promise<EventStatusView> {
  const deadline = Date.now() + DELIVERED_WITHIN_MS;
  let shown = 0;
  for (;;) {
    for (; shown < receiver.arrivals.length; shown += 1) onArrival(receiver.arrivals[shown]!, shown);
    const status = shown >= ANSWERS.length || Date.now() > deadline ? await getStatus() : undefined;
    // The record is written some milliseconds after the answer.
    if (status && (status.status === 'delivered' || Date.now() > deadline)) return status;
    await sleep(50);
  }
}

function timelineRow(arrival: Arrival, index: number, startedAtMs: number, secret: string): string {
  const verified = isSpecSignatureRight(secret, arrival) && isStandardSignatureRight(secret, arrival);
  const at = seconds(arrival.atMs - startedAtMs).padStart(8);
  return `  +${at}  attempt ${index + 1}  answered ${arrival.answered}  signature ${verified ? 'verified' : 'WRONG'}`;
}

/** @returns whether every promise was kept */
async function runDemo(): Promise<boolean> {
  print('Everpost demo: an event for a receiver that fails twice.\n');
  const logger = createLogger('error', process.stderr);
  installTemporalRuntime(logger);
  const certificate = await makeCertificate();
  const receiver = await startDemoReceiver(certificate, ANSWERS);
  const onProgress = (line: string) => process.stderr.write(`${line}\n`);
  const own = ownSettings();
  const servers = await startThrowawayServers({ config: own, onProgress });
  const config = demoConfig(own, servers, receiver, certificate.cert);
  try {
    const role = await startRole('all', config, logger);
    try {
      await role.workerReady;
      const account = await createFirstAccount(servers.mongod.uri, config.limits.tiers);
      const checks = checkDemo(await deliver(role.url!, account!.key, receiver));
      print(`\n${checks.map(({ kept, promise }) => `  ${kept ? 'kept  ' : 'BROKEN'}  ${promise}`).join('\n')}\n`);
      return checks.every(({ kept }) => kept);
    } finally {
      await role.close();
    }
  } finally {
    await servers.close();
    await receiver.close();
  }
}

runDemo().then(
  (kept) => {
    print(kept ? 'All as promised.' : 'Not as promised.');
    process.exit(kept ? 0 : 1);
  },
  (error: unknown) => {
    const isExpected = error instanceof LocalStackError || error instanceof ConfigError;
    process.stderr.write(
      `The demo failed: ${isExpected ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
    );
    process.exit(1);
  },
);
