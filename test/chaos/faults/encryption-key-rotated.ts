import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { runProgram, type ProgramResult } from '../../../dev/run-program';
import { DATA_KEY_BYTES } from '../../../src/payloads/account-key';
import { DATA_KEYS_COLLECTION, dataKeyContext, type DataKey } from '../../../src/payloads/data-key-store';
import { createSecretBox } from '../../../src/platform/secret-box';
import type { Cluster } from '../cluster/cluster';
import { kill, type Kill } from '../cluster/kill';
import { createChecks, type Checks, type Fault, quickIn } from '../fault';
import type { Tenant } from '../tenant';
import { holdAllDelivered, holdNothingLost, holdRepeatsInFlight } from '../verdict-checks';
import { inLanes, within } from '../waiting';

/** Each receiver refuses an event so often: its deliveries wait from one step of the rotation to the next. */
const REFUSED = 2;
/** What the receivers answer, with any status. */
const SNIPPET = 'ok';
/** Of a reseal that fails because the primary is killed. */
const RESEALED_WITHIN_MS = 60_000;
const LANES = 8;

export const encryptionKeyRotated: Fault = {
  name: 'encryption-key-rotated',
  title:
    'ENCRYPTION_KEY is replaced as documented in load; kill -9 of APIs, workers, the primary of MongoDB and the reseal',
  criterion:
    '0 lost; data and answers of before, meanwhile and after read right with the new key alone; nothing is left under the old one',
  ways: quickIn('express'),
  nightly: 'test/breakage/encryption-keys rotates the key process by process in load',
  async run({ cluster, ...testbed }, counts) {
    const checks = createChecks();
    const [old = ''] = cluster.encryptionKeys();
    const next = randomBytes(32).toString('base64');
    const tenant = await testbed.open('encryption-key-rotated', {
      endpoints: [{ failFirst: REFUSED }, { failFirst: REFUSED }],
    });
    await addDataKeys(cluster, old, counts.resealed);
    const load = await tenant.load(counts.perSecond);
    const isDelivered = () => tenant.received().some(({ status }) => status === 200);
    checks.hold(await within(60_000, isDelivered), 'nothing was delivered before the rotation');

    const from = Date.now();
    const kills = [await roll(cluster, [old, next]), await roll(cluster, [next, old])];
    await reseal(checks, cluster, { next, old });
    kills.push(await roll(cluster, [next]));
    const to = Date.now();
    const isAccepted = () => tenant.ledger().acknowledged.some(({ at }) => at > to);
    checks.hold(await within(60_000, isAccepted), 'nothing was accepted after the rotation');
    const { gaveUp } = await load.stop();
    checks.hold(gaveUp === 0, `${gaveUp} events were not acknowledged in three minutes of retries`);

    const verdict = await tenant.settle();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict, REFUSED);
    holdRepeatsInFlight(checks, verdict, tenant, kills);
    await holdAllReadRight(checks, tenant, { from, to });
    const check = await secrets(cluster, [next], 'check');
    checks.hold(check.code === 0, `secrets check fails with the new key alone: ${check.stderr}`);
    return checks.outcome();
  },
};

/** Gives accounts that do nothing else a data key, so that a reseal lasts for a while. */
async function addDataKeys({ mongo }: Cluster, sealedWith: string, count: number): Promise<void> {
  const box = createSecretBox([sealedWith]);
  const keys = Array.from({ length: count }, (): DataKey => {
    const id = `acc_${randomBytes(8).toString('hex')}`;
    const key = box.seal(randomBytes(DATA_KEY_BYTES).toString('base64'), dataKeyContext(id));
    return { _id: id, account_id: id, key, created_at: new Date() };
  });
  await dataKeysOf({ mongo }).insertMany(keys);
}

function dataKeysOf({ mongo }: Pick<Cluster, 'mongo'>) {
  return mongo.db.collection<DataKey>(DATA_KEYS_COLLECTION);
}

/** Restarts every process with these keys, an API and a worker at a time: the first two are killed, the others end. */
async function roll(cluster: Cluster, keys: readonly string[]): Promise<Kill> {
  const [killed, ended] = [0, 1].map((index) => [cluster.apis[index]!, cluster.workers[index]!]);
  cluster.setEncryptionKeys(keys);
  const seen = await kill(cluster, killed!);
  await Promise.all(killed!.map((role) => role.start()));
  await Promise.all(ended!.map((role) => role.restart()));
  return seen;
}

/** Seals everything with the new key: the command is killed in the middle, and so is the primary when it runs again. */
async function reseal(checks: Checks, cluster: Cluster, { next, old }: Record<'next' | 'old', string>): Promise<void> {
  const [nextId, oldId] = createSecretBox([next, old]).keyIds;
  const under = (keyId = '') => dataKeysOf(cluster).countDocuments({ 'key.key_id': keyId });
  const total = await under(oldId);
  const killer = new AbortController();
  const cut = secrets(cluster, [next, old], 'reseal', killer.signal);
  await within(RESEALED_WITHIN_MS, async () => (await under(nextId)) > total / 4, 20);
  killer.abort();
  checks.hold((await cut).code === null, 'the reseal was not killed');
  checks.figure('data keys resealed when it was killed', `${await under(nextId)} of ${total}`);
  const early = await secrets(cluster, [next], 'check');
  checks.hold(early.code === 1, 'secrets check passes without a key that is needed');

  const member = await cluster.replicaSet.killPrimary();
  let last: ProgramResult | undefined;
  await within(RESEALED_WITHIN_MS, async () => (last = await secrets(cluster, [next, old], 'reseal')).code === 0);
  await cluster.replicaSet.start(member);
  const report = last?.code === 0 ? (JSON.parse(last.stdout) as { key_id: string; use: string }[]) : [];
  const isRetired = report.some(({ key_id: id, use }) => id === oldId && use === 'may be retired');
  checks.hold(isRetired, `the old key may not be retired: ${last?.stdout}${last?.stderr}`);
}

/** Runs `everpost secrets check` or `reseal` with these keys. */
function secrets(cluster: Cluster, keys: readonly string[], command: 'check' | 'reseal', signal?: AbortSignal) {
  return runProgram(process.execPath, [join(cluster.build, 'src', 'cli.js'), 'secrets', command, '--json'], {
    env: { PATH: '/usr/bin:/bin', MONGODB_URI: cluster.replicaSet.uri, ENCRYPTION_KEY: keys.join(',') },
    ...(signal && { signal }),
  });
}

/** Reads every acknowledged event from the API: what its client sent, and what its receivers answered. */
async function holdAllReadRight(checks: Checks, tenant: Tenant, rotation: { from: number; to: number }): Promise<void> {
  const read = { before: 0, meanwhile: 0, after: 0 };
  const wrong: number[] = [];
  await inLanes(tenant.ledger().acknowledged, LANES, async ({ id, serial, at }) => {
    const { body } = await tenant.api.insist('GET', `/events/${id}`);
    const deliveries = body.deliveries as { attempts: { response_snippet: string | null; status_code: number }[] }[];
    const answers = deliveries.flatMap(({ attempts }) => attempts);
    const isRight =
      JSON.stringify(body.data) === JSON.stringify({ serial }) &&
      answers.filter(({ response_snippet: snippet }) => snippet === SNIPPET).length > 0 &&
      answers.every(
        ({ response_snippet: snippet, status_code: status }) => snippet === (status === null ? null : SNIPPET),
      );
    if (!isRight) wrong.push(id);
    read[at < rotation.from ? 'before' : at < rotation.to ? 'meanwhile' : 'after'] += 1;
  });
  for (const [when, count] of Object.entries(read)) {
    checks.figure(`events of ${when}`, count);
    checks.hold(count > 0, `no event is of ${when}`);
  }
  checks.hold(wrong.length === 0, `read wrongly with the new key: ${wrong.slice(0, 5).join(', ')}`);
}
