import fc from 'fast-check';
import {
  answerSeen,
  causeInWords,
  healthState,
  mergeSeen,
  type AnswersSeen,
  type FailureCause,
} from '../../src/domain/endpoint-health';

// How an endpoint does, by what its attempts said.

const CAUSES: readonly FailureCause[] = [
  { code: 'http_status', statusCode: 503, text: 'The receiver answered 503.' },
  { code: 'timeout', statusCode: null, text: 'No answer within 30s.' },
];
/** Answers, as indexes into `CAUSES`; null for a success. */
const answers = fc.array(fc.option(fc.nat(1)), { minLength: 1, maxLength: 30 });

function seenOf(list: readonly (number | null)[], from = 0): AnswersSeen {
  return list
    .map((cause, index) => answerSeen(new Date((from + index) * 1_000), cause === null ? null : CAUSES[cause]!))
    .reduce(mergeSeen);
}

const ACTIVE = { status: 'active' } as const;
const QUIET = { attempts: 0, succeeded: 0 };

describe('what answers say', () => {
  it('is the run of failures after the last success, its start, its last cause and how many had it', () => {
    fc.assert(
      fc.property(answers, (list) => {
        const { run, cause, succeededAt } = seenOf(list);
        const lastSuccess = list.lastIndexOf(null);
        const failures = list.slice(lastSuccess + 1) as number[];
        expect(succeededAt?.getTime()).toBe(lastSuccess === -1 ? undefined : lastSuccess * 1_000);
        expect(run?.failures ?? 0).toBe(failures.length);
        if (!run) return;
        const last = failures.at(-1)!;
        const differs = failures.findLastIndex((it) => it !== last);
        expect(run.since.getTime()).toBe((lastSuccess + 1) * 1_000);
        expect(cause).toEqual(CAUSES[last]);
        expect(run.sameCause).toBe(failures.length - 1 - differs);
      }),
    );
  });

  it('does not depend on how they are grouped', () => {
    fc.assert(
      fc.property(answers, answers, (one, other) => {
        expect(mergeSeen(seenOf(one), seenOf(other, one.length))).toEqual(seenOf([...one, ...other]));
      }),
    );
  });
});

describe('an active endpoint', () => {
  it.each([
    ['waits before its first attempt', [], 'waiting'],
    ['is healthy after a success', [null], 'healthy'],
    ['fails from its first attempt on, if it never succeeded', [0], 'failing'],
    ['is degraded while retries may mend it', [null, 0], 'degraded'],
    ['is degraded after two failures', [null, 0, 1], 'degraded'],
    ['fails after three in a row', [null, 0, 1, 0], 'failing'],
    ['is healthy again after one success', [0, 0, 0, 0, null], 'healthy'],
  ] as const)('%s', (_title, list, state) => {
    expect(healthState(ACTIVE, list.length === 0 ? null : seenOf(list), QUIET)).toBe(state);
  });

  it('never looks healthy or degraded if every attempt failed', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1), { minLength: 1 }), (list) => {
        const hour = { attempts: list.length, succeeded: 0 };
        expect(healthState(ACTIVE, seenOf(list), hour)).toBe('failing');
      }),
    );
  });

  it.each([
    [1_000, 9, 'healthy'],
    [1_000, 10, 'degraded'],
    [1, 1, 'degraded'],
    [0, 0, 'healthy'],
  ])('of %d attempts in the last hour, %d failures, the last one succeeded: %s', (attempts, failed, state) => {
    expect(healthState(ACTIVE, seenOf([null]), { attempts, succeeded: attempts - failed })).toBe(state);
  });
});

it.each([
  [{ status: 'paused' }, 'paused'],
  [{ status: 'disabled' }, 'disabled'],
  [{ status: 'active', account_suspended: true }, 'waiting'],
  [{ status: 'active', verification: { state: 'unverified' } }, 'waiting'],
  [{ status: 'active', verification: { state: 'verified' } }, 'failing'],
] as const)('an endpoint that fails, and is %j: %s', (endpoint, state) => {
  expect(healthState(endpoint, seenOf([0, 0, 0]), QUIET)).toBe(state);
});

it('names a cause in a few words', () => {
  expect(CAUSES.map(causeInWords)).toEqual(['HTTP 503', 'No answer in time']);
  expect(causeInWords({ code: 'dns_error', statusCode: null })).toBe('DNS: name not resolved');
});
