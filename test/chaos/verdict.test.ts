import { createChecks } from './fault';
import { brokenRules, type Call, type DeliveryStory } from './model/delivery-rules';
import type { Received } from './receivers/receiver-log';
import { withNewerRows, type Row } from './report';
import type { Tenant } from './tenant';
import { holdRepeatsInFlight } from './verdict-checks';
import { judge, verify, type FinalDelivery } from './verify';

// A verifier that can't find anything proves nothing: each of these is a fault that it has to see.

const PATH = '/tenant/0';
const EVENT = 7;

function request(changes: Partial<Received> = {}): Received {
  return { path: PATH, id: EVENT, serial: 1, genuine: true, at: 1_000, endedAt: 1_100, status: 200, ...changes };
}

function final(changes: Partial<FinalDelivery> = {}): FinalDelivery {
  return { endpointId: 'ep', state: 'delivered', attemptCount: 1, maxAttempts: 8, answered: 1, ...changes };
}

/** One acknowledged event, delivered by one request. */
function verdictOf(changes: {
  received?: readonly Received[];
  finals?: readonly FinalDelivery[];
  lost?: readonly number[];
  contradicted?: readonly number[];
}) {
  const ledger = {
    lines: [],
    sent: new Set([1]),
    acknowledged: [{ serial: 1, id: EVENT, at: 900 }],
    contradicted: changes.contradicted ?? [],
  };
  const finals = new Map([[EVENT, changes.finals ?? [final()]]]);
  return judge(ledger, changes.received ?? [request()], finals, [{ id: 'ep', path: PATH }], changes.lost ?? []);
}

describe('the verifier', () => {
  test('reports nothing when nothing is wrong', () => {
    expect(verdictOf({})).toMatchObject({
      acknowledged: 1,
      states: { delivered: 1 },
      lost: [],
      unreceived: [],
      unrecorded: [],
      gaveUpEarly: [],
      invented: 0,
      doubled: [],
      repeated: [],
      lagMaxMs: 100,
    });
  });

  test('reports an event recorded as delivered that no receiver answered with 2xx', () => {
    expect(verdictOf({ received: [request({ status: 503 })] }).unreceived).toEqual([EVENT]);
    expect(verdictOf({ received: [] }).unreceived).toEqual([EVENT]);
  });

  test('reports a 2xx that is not in the record', () => {
    expect(verdictOf({ finals: [final({ state: 'cancelled' })] }).unrecorded).toEqual([EVENT]);
  });

  test('reports a delivery that failed before its last attempt', () => {
    const received = [request({ status: 503 })];
    expect(verdictOf({ received, finals: [final({ state: 'failed' })] }).gaveUpEarly).toEqual([EVENT]);
  });

  test('reports requests that no client sent, and wrong signatures', () => {
    expect(verdictOf({ received: [request(), request({ serial: 2, id: 8 })] }).invented).toBe(1);
    expect(verdictOf({ received: [request({ genuine: false })] }).invented).toBe(1);
  });

  test('reports two events for one idempotency key, at the client and at the receiver', () => {
    expect(verdictOf({ contradicted: [1] }).doubled).toEqual([1]);
    expect(verdictOf({ received: [request(), request({ id: 8 })] }).doubled).toEqual([1]);
  });

  test('reports a request that is no recorded attempt', () => {
    const received = [request(), request({ at: 2_000, endedAt: 2_100 })];
    expect(verdictOf({ received }).repeated).toEqual([{ id: EVENT, path: PATH, times: 1 }]);
  });

  test('waits for the answer of an attempt that a cancel did not stop, and reports it when none comes', async () => {
    const now = Date.now();
    const requests = [1, 2].map(() => request({ at: now - 8_600, endedAt: now - 8_500 }));
    const verdict = async (attemptsShown: (asked: number) => number) => {
      let asked = 0;
      const show = () => {
        asked += 1;
        const attempts = Array.from({ length: attemptsShown(asked) }, () => ({}));
        const delivery = { endpoint_id: 'ep', state: 'cancelled', attempt_count: 1, max_attempts: 8, attempts };
        return Promise.resolve({ status: 200, headers: new Headers(), text: '', body: { deliveries: [delivery] } });
      };
      const acknowledged = [{ serial: 1, id: EVENT, at: now }];
      return verify({
        ledger: () => ({ lines: [], sent: new Set([1]), acknowledged, contradicted: [] }),
        received: () => requests,
        api: { call: show, insist: show },
        endpoints: [{ id: 'ep', path: PATH }],
        timeoutMs: 5_000,
      });
    };
    const [late, never] = await Promise.all([verdict((asked) => (asked > 2 ? 2 : 1)), verdict(() => 1)]);
    expect(late.repeated).toEqual([]);
    expect(never.repeated).toEqual([{ id: EVENT, path: PATH, times: 1 }]);
  });
});

describe('the verifier of kills', () => {
  const claim = { eventId: EVENT, endpointId: 'ep', claim: 'of a process', promised: true };
  /** What does not hold where POSTs were made so often, and this was claimed at each of two kills. */
  const failuresOf = (posts: number, claims: readonly (typeof claim)[]) => {
    const received = Array.from({ length: posts }, () => request());
    const kills = claims.map((claimed) => ({ from: 5_000, to: 5_010, claimed: [claimed] }));
    const checks = createChecks();
    const tenant = { received: () => received, endpoints: [{ id: 'ep', path: PATH }] } as unknown as Tenant;
    holdRepeatsInFlight(checks, verdictOf({ received }), tenant, kills);
    return checks.outcome().failures;
  };

  test('allows one repeat for each claim, and reports a second one', () => {
    expect(failuresOf(2, [claim, claim])).toEqual([]);
    expect(failuresOf(3, [claim, claim])).toHaveLength(1);
    expect(failuresOf(3, [claim, { ...claim, claim: 'of another process' }])).toEqual([]);
  });

  test('reports a repeat when nothing was in flight', () => {
    expect(failuresOf(2, [{ ...claim, endpointId: 'another' }])).toHaveLength(1);
  });
});

function call(changes: Partial<Call>): Call {
  return { what: 'cancel', from: 2_000, to: 2_050, status: 202, code: undefined, ...changes };
}

/** Failed once, delivered by the second attempt a second later. */
function story(changes: Partial<DeliveryStory> = {}, delivery: Partial<DeliveryStory['delivery']> = {}): DeliveryStory {
  const attempt = { run: 1, trigger: 'scheduled' } as const;
  return {
    delivery: {
      id: '7.ep',
      state: 'delivered',
      run: 1,
      attempt_count: 2,
      max_attempts: 3,
      attempts: [
        { ...attempt, number: 1, status_code: 503 },
        { ...attempt, number: 2, status_code: 200 },
      ],
      ...delivery,
    },
    calls: [],
    endpointCalls: [],
    requests: [request({ status: 503 }), request({ at: 2_110, endedAt: 2_200 })],
    firstPath: PATH,
    schedule: [0, 1_000, 5_000],
    ...changes,
  };
}

describe('the model of a delivery', () => {
  const late = [request({ status: 503 }), request({ at: 20_000, endedAt: 20_100 })];

  test('reports nothing when nothing is wrong', () => {
    expect(brokenRules(story())).toEqual([]);
  });

  test.each<[string, DeliveryStory]>([
    ['came after 100 ms instead of 1000', story({ requests: [request({ status: 503 }), request({ at: 1_200 })] })],
    ['the receiver 503', story({ requests: [request({ status: 503 })] })],
    ['went on after a 2xx', story({}, { attempts: [200, 200].map((status, at) => madeBy(at + 1, status)) })],
    ['has the attempts 1, 3', story({}, { attempts: [madeBy(1, 503), madeBy(3, 200)] })],
    ['a 2xx was answered, and it is failed', story({}, { state: 'failed' })],
    ['1 manual attempts, and 0 were asked for', story({}, { attempts: [madeBy(1, 503), madeBy(2, 200, 'manual')] })],
    ['cancelled, and no call asked', story({ requests: [request({ status: 503 })] }, endedEarly('cancelled'))],
    ['failed after 1 of 3', story({ requests: [request({ status: 503 })] }, endedEarly('failed'))],
    ['run 2 after 0 replays', story({}, { run: 2 })],
    ['cancel answered 202, and a request was made after it', story({ calls: [call({})], requests: late })],
    [
      'cancel answered 409, and a request was made after it',
      story({ calls: [call({ status: 409, code: 'delivery_finished' })], requests: late }),
    ],
    ['retry answered 500', story({ calls: [call({ what: 'retry', status: 500 })] })],
    ['while the endpoint was paused', story({ endpointCalls: [call({ what: 'pause', status: 200 })], requests: late })],
    [
      'after the endpoint was removed',
      story({ endpointCalls: [call({ what: 'delete', status: 204 })], requests: late }),
    ],
    [
      'where the endpoint was before',
      story({ endpointCalls: [call({ what: 'move', status: 200, path: '/tenant/0/moved' })], requests: late }),
    ],
  ])('reports a broken rule: %s', (sentence, told) => {
    expect(brokenRules(told).join('\n')).toContain(sentence);
  });

  test('allows a request that was under way when the delivery was cancelled', () => {
    expect(brokenRules(story({ calls: [call({})] }))).toEqual([]);
  });
});

function madeBy(number: number, status: number, trigger: 'scheduled' | 'manual' = 'scheduled') {
  return { run: 1, number, trigger, status_code: status };
}

function endedEarly(state: string) {
  return { state, attempt_count: 1, attempts: [madeBy(1, 503)] };
}

test('a report takes newer rows in the place of older ones, and those that it did not have', () => {
  const row = (name: string, seconds: number): Row => ({
    ...{ name, seconds, way: 'express', title: name, criterion: '', startedAt: '2026-11-28' },
    ...{ figures: {}, failures: [] },
  });
  const report = { profile: 'full', machine: 'two cores', rows: [row('a', 1), row('b', 1)] };

  expect(withNewerRows(report, [row('c', 2), row('a', 2)]).rows).toEqual([row('a', 2), row('b', 1), row('c', 2)]);
});
