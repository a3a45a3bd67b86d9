import { causesOf, failureName } from '../../src/domain/failure-causes';

// Why attempts fail, as it is counted.

const MINUTES = 60_000;
const at = (minutes: number): Date => new Date(minutes * MINUTES);
const causes = (series: Parameters<typeof causesOf>[0], until: Date) => causesOf(series, 5 * MINUTES, until);

it('each HTTP status is a cause of its own, and an error without an answer is one', () => {
  const series = [
    { at: at(0), failedBy: { http_500: 2, timeout: 1 } },
    { at: at(5), failedBy: {} },
    { at: at(10), failedBy: { http_500: 1, http_503: 4 } },
  ];
  expect(causes(series, at(60))).toEqual([
    { code: 'http_status', statusCode: 503, failures: 4, firstFrom: at(10), lastUntil: at(15) },
    { code: 'http_status', statusCode: 500, failures: 3, firstFrom: at(0), lastUntil: at(15) },
    { code: 'timeout', statusCode: null, failures: 1, firstFrom: at(0), lastUntil: at(5) },
  ]);
});

it('nothing was seen after the end of the window', () => {
  expect(causes([{ at: at(10), failedBy: { dns_error: 1 } }], at(12))).toMatchObject([{ lastUntil: at(12) }]);
});

it('a receiver that makes up statuses adds no causes beyond those of HTTP', () => {
  const names = Array.from({ length: 1_000 }, (_, statusCode) => failureName({ code: 'http_status', statusCode }));
  expect(new Set(names).size).toBe(501);
  expect(failureName({ code: 'http_status', statusCode: 999 })).toBe('http_status');
});
