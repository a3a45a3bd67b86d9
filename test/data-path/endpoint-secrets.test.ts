import { verifySignature } from '../../src/sender/signature';
import { startRole } from '../../src/processes/start-role';
import { createLogger } from '../../src/platform/logger';
import { ownType } from '../support/build-data-path';
import { useReceiver, type ReceivedRequest } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { ENDPOINTS, useEndpointTestbed } from '../support/build-endpoint-testbed';

const DAY_MS = 24 * 3_600_000;

const WITHOUT_NEXT = { next_secret: null, next_secret_activates_at: null, headers: null };

const testbed = useEndpointTestbed('0s,1h,1h,1h');
const receiver = useReceiver();

interface Secrets {
  readonly secret: string;
  readonly next_secret: string | null;
  readonly next_secret_activates_at: string | null;
}

async function secretsOf(id: string, verb: '' | '/rotate' | '/activate' = ''): Promise<Secrets> {
  return (await testbed.act(verb === '' ? 'GET' : 'POST', id, `/secret${verb}`)) as Secrets;
}

/** Which of the secrets each signature header of a request is right for. */
function signedWith({ headers, body }: ReceivedRequest, secrets: Record<string, string>) {
  const nameOf = (value: string | string[] | undefined): string | undefined =>
    Object.keys(secrets).find((name) => verifySignature(secrets[name]!, body, value));
  return {
    present: nameOf(headers['x-webhook-signature']),
    next: nameOf(headers['x-webhook-signature-next']),
    standard: String(headers['webhook-signature']).split(' ').length,
  };
}

/** As if the rotation had started that long ago. */
async function ageRotation(id: string, ageMs: number): Promise<void> {
  await testbed.path.endpoints.updateOne({ _id: id }, [{ $set: { next_secret_at: { $subtract: ['$$NOW', ageMs] } } }]);
}

it('each attempt of a delivery in flight is signed with the current secrets: old, both, new', async () => {
  receiver.answerWith(503);
  const type = ownType();
  const id = await testbed.register(receiver.url, { events: [type] });
  const ref = await testbed.send(id, { type });
  await testbed.untilState(ref, 'retrying', 1);

  const rotated = await secretsOf(id, '/rotate');
  await testbed.retryNow(ref, 2);
  await testbed.untilState(ref, 'retrying', 2);
  const activated = await secretsOf(id, '/activate');
  await testbed.retryNow(ref, 3);
  await testbed.untilState(ref, 'retrying', 3);

  const secrets = { old: rotated.secret, new: rotated.next_secret! };
  expect(secrets.old).not.toBe(secrets.new);
  expect(activated).toEqual({ secret: secrets.new, next_secret: null, next_secret_activates_at: null });
  expect(receiver.requests.map((request) => signedWith(request, secrets))).toEqual([
    { present: 'old', next: undefined, standard: 1 },
    { present: 'old', next: 'new', standard: 2 },
    { present: 'new', next: undefined, standard: 1 },
  ]);
  await testbed.act('DELETE', id);
});

it('a rotation returns the same next secret and end time until it ends; the secret is sealed in the database', async () => {
  const id = await testbed.register(receiver.url, { events: ['none'] });
  const rotated = await testbed.here.post(`${ENDPOINTS}/${id}/secret/rotate`);

  expect([rotated.status, rotated.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  expect(rotated.body.next_secret).toMatch(/^whsec_[A-Za-z0-9+/]{32,44}={0,2}$/);
  expect(await secretsOf(id)).toEqual({ ...rotated.body, headers: null });
  const endpoint = (await testbed.path.endpoints.findOne({ _id: id }))!;
  expect(Date.parse(rotated.body.next_secret_activates_at)).toBe(endpoint.next_secret_at!.getTime() + DAY_MS);
  const stored = JSON.stringify(endpoint);
  for (const secret of [rotated.body.secret, rotated.body.next_secret]) {
    expect(stored).not.toContain(secret.slice('whsec_'.length));
  }
});

it('409 for a second rotation while one is under way, and for an activation without a rotation', async () => {
  const id = await testbed.register(receiver.url, { events: ['none'] });
  const none = await testbed.here.post(`${ENDPOINTS}/${id}/secret/activate`);
  expect([none.status, none.body.code]).toEqual([409, 'no_rotation']);

  const { next_secret: next } = await secretsOf(id, '/rotate');
  const second = await testbed.here.post(`${ENDPOINTS}/${id}/secret/rotate`);
  expect([second.status, second.body.code]).toEqual([409, 'rotation_under_way']);
  expect(second.text).not.toContain('whsec_');

  expect(await secretsOf(id, '/activate')).toMatchObject({ secret: next });
  expect((await testbed.here.post(`${ENDPOINTS}/${id}/secret/activate`)).status).toBe(409);
});

it('of concurrent rotations exactly one starts, and its secret is the one that reads show', async () => {
  const id = await testbed.register(receiver.url, { events: ['none'] });
  const apis = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? testbed.here : testbed.there));
  const answers = await Promise.all(apis.map((api) => api.post(`${ENDPOINTS}/${id}/secret/rotate`)));

  const begun = answers.filter(({ status }) => status === 200);
  expect(begun).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  expect(await secretsOf(id)).toEqual({ ...begun[0]!.body, headers: null });
});

describe('a rotation that is not completed', () => {
  it("ends after 24 hours by the database's clock, not earlier, and once", async () => {
    const { rotations } = testbed.path.parts.stores;
    const [due, early, none] = [
      await testbed.register(receiver.url, { events: ['none'] }),
      await testbed.register(receiver.url, { events: ['none'] }),
      await testbed.register(receiver.url, { events: ['none'] }),
    ];
    const { next_secret: next } = await secretsOf(due, '/rotate');
    const kept = await secretsOf(early, '/rotate');
    const untouched = await secretsOf(none);
    await ageRotation(due, DAY_MS);
    await ageRotation(early, DAY_MS - 60_000);

    const activated = await Promise.all([rotations.activateNext(DAY_MS), rotations.activateNext(DAY_MS)]);

    expect(activated.filter((it) => it !== null)).toMatchObject([{ _id: due }]);
    expect(await secretsOf(due)).toEqual({ secret: next, ...WITHOUT_NEXT });
    expect(await secretsOf(early)).toMatchObject({ secret: kept.secret, next_secret: kept.next_secret });
    expect(await secretsOf(none)).toEqual(untouched);
    expect(await secretsOf(due, '/rotate')).toMatchObject({ secret: next });
  });

  it('ends when a worker next looks, and deliveries are then signed with the next secret alone', async () => {
    const type = ownType();
    const id = await testbed.register(receiver.url, { events: [type] });
    const { secret: old, next_secret: next } = await secretsOf(id, '/rotate');
    // From now on the process knows the endpoint.
    await testbed.untilState(await testbed.send(id, { type }), 'delivered', 1);
    // A change of it tells every process that the account's endpoints changed.
    const versionNow = async () =>
      (await testbed.path.parts.stores.accounts.find(testbed.accountId))!.endpoints_version;
    const version = await versionNow();
    await ageRotation(id, DAY_MS);

    // A worker looks when it starts, and then every few seconds.
    const worker = await startRole('worker', testbed.path.config, createLogger('silent'));
    try {
      await eventually(versionNow, (now) => now > version);
    } finally {
      await worker.close();
    }
    expect(await secretsOf(id)).toEqual({ secret: next, ...WITHOUT_NEXT });
    const ref = await testbed.send(id, { type });
    await testbed.untilState(ref, 'delivered', 1);
    expect(receiver.requests.map((request) => signedWith(request, { old, new: next! }))).toEqual([
      { present: 'old', next: 'new', standard: 2 },
      { present: 'new', next: undefined, standard: 1 },
    ]);
  });
});
