import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { readFile } from 'node:fs/promises';
import { BY_COMMAND_LINE } from '../src/domain/audit-actions';
import { createAccountStore } from '../src/accounts/account-store';
import { createKeyStore } from '../src/keys/key-store';
import { createKey } from '../src/keys/manage-keys';
import { createManagementKeyStore } from '../src/keys/management-key-store';
import { createManagementKey } from '../src/keys/manage-management-keys';
import { systemClock } from '../src/platform/clock';
import { cpuSeconds, percentile, quantiles, rounded } from './statistics';
import { startSystem, type System } from './system';

const ENDPOINTS_EACH = 3;
const CONCURRENCY = 16;
const ROUNDS = 7;
const EVENTS_A_ROUND = 1_500;
const READS = 60;

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Whom an event is sent for. */
interface Sender {
  readonly key: string;
  readonly account?: string;
}

/**
 * Measures what many accounts of one platform cost: creating them by the API, an event with a management key against
 * one with the account's own key, and the operators' pages. `--accounts 10000` sets how many.
 */
async function main(): Promise<void> {
  const at = process.argv.indexOf('--accounts');
  const count = at < 0 ? 10_000 : Number(process.argv[at + 1]);
  const system = await startSystem({ say });
  try {
    const { key } = await createManagementKey(
      { managementKeys: createManagementKeyStore(system.mongo.db), clock: systemClock },
      { label: 'bench' },
      BY_COMMAND_LINE,
    );
    const before = await memoryMb(system);
    say(`${count} accounts`);
    const accounts = Array.from({ length: count }, (_, index) => `cus_${index}`);
    const accountsPerS = await rateOf(accounts, (account) =>
      call(system, 'PUT', `/api/v1/accounts/${account}`, { key }, { name: account, tier: 'bench' }),
    );
    say(`${ENDPOINTS_EACH} endpoints each`);
    const wanted = accounts.flatMap((account) =>
      Array.from({ length: ENDPOINTS_EACH }, (_, index) => ({ account, index })),
    );
    // They match no event of this benchmark: an event costs the same with few and with many endpoints elsewhere.
    const endpointsPerS = await rateOf(wanted, ({ account, index }) =>
      call(
        system,
        'POST',
        '/api/v1/webhooks/endpoints',
        { key, account },
        { url: `https://127.0.0.1:${portOf(system)}/${index}`, events: [`type${index}.*`] },
      ),
    );
    const after = await memoryMb(system);
    say('events with a management key, and with keys of the accounts');
    const own = await ownKeys(system, accounts);
    const ingest = await compare(system, {
      one: [[own[0]!], [{ key, account: accounts[0]! }]],
      all: [own, accounts.map((account) => ({ key, account }))],
    });
    say("the operators' pages");
    const reads = await readPages(system);
    const figures = {
      accounts: count,
      endpoints: wanted.length,
      accounts_per_s: rounded(accountsPerS, 0),
      endpoints_per_s: rounded(endpointsPerS, 0),
      memory_mb: { before, after },
      ingest,
      read_ms: reads,
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
  } finally {
    agent.destroy();
    await system.close();
  }
}

/** The port of the receiver, which the system allows. */
function portOf({ config }: System): number {
  return config.delivery.policy.allowPorts[0]!.from;
}

async function memoryMb({ everpost }: System): Promise<number> {
  const status = await readFile(`/proc/${everpost.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}

/** Does something for each, some at a time. @returns how many in a second */
async function rateOf<T>(items: readonly T[], work: (item: T, index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) await work(items[index]!, index);
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  return items.length / ((performance.now() - startedAt) / 1_000);
}

async function ownKeys({ mongo }: System, accounts: readonly string[]): Promise<Sender[]> {
  const deps = { keys: createKeyStore(mongo.db), accounts: createAccountStore(mongo.db), clock: systemClock };
  const keys: Sender[] = [];
  await rateOf(accounts, async (account, index) => {
    const found = await deps.accounts.findNamed(account);
    const input = { accountId: found!._id, product: 'weh', label: 'bench' };
    keys[index] = { key: (await createKey(deps, input, BY_COMMAND_LINE)).key };
  });
  return keys;
}

type Pair = readonly [own: readonly Sender[], management: readonly Sender[]];

/** Sends events in rounds that alternate between the two kinds of keys; each figure is a median of the rounds. */
async function compare(system: System, pairs: Readonly<Record<string, Pair>>) {
  const compared: Record<string, object> = {};
  for (const [name, pair] of Object.entries(pairs)) {
    const seen = pair.map(() => ({ p50: [] as number[], cpu: [] as number[] }));
    // The first round is not counted: it fills caches.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [index, senders] of pair.entries()) {
        const { latencies, cpuS } = await sendRound(system, senders, round);
        if (round === 0) continue;
        seen[index]!.p50.push(percentile(latencies, 0.5));
        seen[index]!.cpu.push((cpuS / EVENTS_A_ROUND) * 1_000);
      }
    }
    const [own, management] = seen.map(({ p50, cpu }) => ({ p50: percentile(p50, 0.5), cpu: percentile(cpu, 0.5) }));
    compared[name] = {
      own_key: { p50_ms: rounded(own!.p50, 2), cpu_s_per_1000: rounded(own!.cpu, 3) },
      management_key: { p50_ms: rounded(management!.p50, 2), cpu_s_per_1000: rounded(management!.cpu, 3) },
      p50_ratio: rounded(management!.p50 / own!.p50, 2),
      cpu_ratio: rounded(management!.cpu / own!.cpu, 2),
    };
  }
  return compared;
}

async function sendRound(system: System, senders: readonly Sender[], round: number) {
  const { pid } = system.everpost;
  const latencies: number[] = [];
  const cpuBefore = cpuSeconds(pid!);
  const events = Array.from({ length: EVENTS_A_ROUND }, (_, index) => senders[(round * 7 + index) % senders.length]!);
  await rateOf(events, async (sender) => {
    const body = { type: 'order.created', idempotency_key: randomUUID(), data: { order_id: 'ord_1' } };
    latencies.push(await call(system, 'POST', '/api/v1/webhooks/events', sender, body));
  });
  return { latencies, cpuS: cpuSeconds(pid!) - cpuBefore };
}

/** How long the operators' pages wait for their data. */
async function readPages(system: System) {
  const credentials = { email: 'operator@example.com', password: `${randomUUID()} of a benchmark` };
  const signedUp = await fetch(`${system.url}/dashboard/api/sign-up`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: system.url, 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify(credentials),
  });
  const cookie = signedUp.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  await system.mongo.db.collection('users').updateOne({ email: credentials.email }, { $set: { operator: true } });
  const figures: Record<string, object> = {};
  for (const path of ['/accounts', '/accounts?q=cus_42', '/accounts?status=suspended', '/installation', '/overview']) {
    const took: number[] = [];
    for (let read = 0; read < READS; read += 1) {
      const startedAt = performance.now();
      const answer = await fetch(`${system.url}/dashboard/api${path}`, { headers: { Cookie: cookie } });
      await answer.text();
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      took.push(performance.now() - startedAt);
    }
    figures[path] = { ...quantiles(took), p95: rounded(percentile(took, 0.95)) };
  }
  return figures;
}

/** @returns milliseconds until the answer. @throws Error for an answer that is not a success */
function call(
  { url }: System,
  method: string,
  path: string,
  { key, account }: Sender,
  content: object,
): Promise<number> {
  const body = JSON.stringify(content);
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(account !== undefined && { 'Everpost-Account': account }),
  };
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const outgoing = request(`${url}${path}`, { method, agent, headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode! < 300) resolve(performance.now() - startedAt);
        else reject(new Error(`${method} ${path} answered ${response.statusCode}`));
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
