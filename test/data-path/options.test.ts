import { bodyBytesOf, sentHeaders } from '../../src/deliveries/present';
import type { DeliveryRef } from '../../src/domain/delivery-contract';
import type { StoredAnswer } from '../../src/stores/attempt-store';
import { buildAttempt, ownType, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';

// An endpoint's options, as deliveries heed them. Their order is in ordered.test.ts, their rate and schedule in test/time.

const path = useDataPath();
const receiver = useReceiver();
let type: string;

beforeAll(() => path.worker());

beforeEach(() => {
  type = ownType();
});

describe('disable_on_gone', () => {
  it('410 disables the endpoint; its deliveries are held, and continue on schedule after a resume', async () => {
    const id = await path.endpoint(receiver.url, type, { disable_on_gone: true, retry_schedule: [0, 0.1, 0.1] });
    receiver.answerWith(410);
    const { ref } = await path.send(type);
    await path.untilAttempts(ref, 1);
    const other = await path.send(type);
    await path.untilHeld(ref);

    expect(await path.parts.stores.endpoints.find(id)).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
      disabled_at: expect.any(Date),
    });
    const held = { dispatch: 'held', held_for: 'disabled', next_attempt_at: null };
    expect(await path.destination(ref)).toMatchObject({ ...held, state: 'retrying', attempt_count: 1 });
    expect(await path.destination(other.ref)).toMatchObject({ ...held, state: 'pending', attempt_count: 0 });
    expect(receiver.requests).toHaveLength(1);

    receiver.answerWith(200);
    await path.endpoints.updateOne({ _id: id }, { $set: { status: 'active' } });
    expect(await path.lookUntil(ref, 'delivered')).toMatchObject({ attempt_count: 2 });
    expect(await path.lookUntil(other.ref, 'delivered')).toMatchObject({ attempt_count: 1 });
  });

  it('without the option, 410 is an ordinary failure', async () => {
    const id = await path.endpoint(receiver.url, type);
    receiver.answerWith(410);
    await path.attempt(type);
    expect((await path.parts.stores.endpoints.find(id))!.status).toBe('active');
  });

  it("a repeated attempt doesn't disable an endpoint that was resumed meanwhile", async () => {
    const id = await path.endpoint(receiver.url, type, { disable_on_gone: true });
    receiver.answerWith(410);
    const attempt = buildAttempt((await path.promise(type)).ref);
    await path.executor().attemptDelivery(attempt);
    await path.endpoints.updateOne({ _id: id }, { $set: { status: 'active' } });

    await path.executor().attemptDelivery(attempt);

    expect((await path.parts.stores.endpoints.find(id))!.status).toBe('active');
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('headers and authentication', () => {
  const options = {
    headers: { 'X-Tenant': 'blue', 'x-trace': 'on' },
    authentication: { type: 'basic', username: 'everpost', password: 'geheim-päss' },
  } as const;

  it('are sent with each delivery', async () => {
    await path.endpoint(receiver.url, type, options);
    await path.attempt(type);

    const { headers } = receiver.requests[0]!;
    expect(headers).toMatchObject({ 'x-tenant': 'blue', 'x-trace': 'on', 'content-type': 'application/json' });
    const credentials = Buffer.from(headers.authorization!.replace('Basic ', ''), 'base64').toString();
    expect(credentials).toBe('everpost:geheim-päss');
  });

  it('never replace a header of the delivery, however they are spelled', async () => {
    await path.endpoint(receiver.url, type, { headers: { 'x-webhook-id': '666', 'CONTENT-TYPE': 'text/plain' } });
    const { id, ref } = await path.promise(type);
    await path.executor().attemptDelivery(buildAttempt(ref));
    expect(receiver.requests[0]!.headers).toMatchObject({
      'x-webhook-id': String(id),
      'content-type': 'application/json',
    });
  });

  it('their values appear neither in the record of the delivery nor in Temporal', async () => {
    await path.endpoint(receiver.url, type, options);
    const { ref } = await path.send(type);
    const handle = path.handleOf(ref);
    await handle.result();

    const stored = JSON.stringify([await path.history(ref.eventId), await path.event(ref.eventId)]);
    const history = JSON.stringify(await handle.fetchHistory());
    for (const secret of ['blue', 'geheim', receiver.requests[0]!.headers.authorization!.slice(6)]) {
      expect(stored).not.toContain(secret);
      expect(history).not.toContain(secret);
      expect(history).not.toContain(Buffer.from(secret).toString('base64').slice(0, 6));
    }
  });
});

describe('recorded request headers', () => {
  const shownHeaders = async (ref: DeliveryRef, answer: StoredAnswer) => {
    const delivery = { event: await path.event(ref.eventId), destination: await path.destination(ref) };
    return sentHeaders(delivery, answer, bodyBytesOf(delivery));
  };

  it.each([
    ['', {}],
    [', of which one is Accept', { ACCEPT: 'text/plain' }],
  ])("are those that the receiver got, without the values of the endpoint's own headers%s", async (_which, own) => {
    await path.endpoint(receiver.url, type, {
      headers: { 'X-Tenant': 'blue', ...own },
      authentication: { type: 'bearer', token: 'tok_123' },
    });
    const { id, ref } = await path.promise(type);
    await path.executor().attemptDelivery(buildAttempt(ref));

    const { answer } = (await path.history(id))[0]!;
    const shown = await shownHeaders(ref, answer);

    const { headers } = receiver.requests[0]!;
    for (const [name, value] of Object.entries(shown)) {
      if (value !== '[hidden]') expect([name, headers[name.toLowerCase()]]).toEqual([name, value]);
    }
    expect(shown).toMatchObject({ 'X-Tenant': '[hidden]', Authorization: '[hidden]' });
    const names = Object.keys(shown).map((name) => name.toLowerCase());
    expect(names[0]).toBe('host');
    expect(names).toEqual(Object.keys(headers));
  });

  it("don't change when the secret changes", async () => {
    const endpointId = await path.endpoint(receiver.url, type);
    const { id, ref } = await path.promise(type);
    await path.executor().attemptDelivery(buildAttempt(ref));
    const secret = path.parts.secretBox.seal('whsec_bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3', endpointId);
    await path.endpoints.updateOne({ _id: endpointId }, { $set: { secret } });

    const { answer } = (await path.history(id))[0]!;

    expect((await shownHeaders(ref, answer))['X-Webhook-Signature']).toBe(
      receiver.requests[0]!.headers['x-webhook-signature'],
    );
  });
});

it('an endpoint without options waits for no turn, and a success has no side effects', async () => {
  await path.endpoint(receiver.url, type);
  const forbidden = (): never => {
    throw new Error('not asked for');
  };
  const outcome = await path
    .executor({
      rates: { ensureIndexes: forbidden, takeTurn: forbidden, untilNextTurn: forbidden },
      order: {
        ensureIndexes: forbidden,
        firstInLine: forbidden,
        take: forbidden,
        isFree: forbidden,
        release: forbidden,
      },
      autoDisable: { disable: forbidden, noteFailure: forbidden, noteSuccess: forbidden },
      announce: { deliveryFailed: forbidden, endpointDisabled: forbidden },
      optionHeaders: forbidden,
      gate: { look: forbidden, attemptEnded: () => undefined },
    })
    .attemptDelivery(buildAttempt((await path.promise(type)).ref));
  expect(outcome).toMatchObject({ kind: 'answered', succeeded: true });
});
