import { causeInWords } from '../../../src/domain/endpoint-health';
import type { EndpointHealth } from '../api/answers';

/** The last error and how many of the failures in a row had it: `HTTP 503, 41 of 42`. Undefined without failures in a row. */
export function failuresInWords({ last_error: error, failed_in_a_row: inARow }: EndpointHealth): string | undefined {
  return error && inARow > 0 ? `${wordsOf(error)}, ${number(error.count)} of ${number(inARow)}` : undefined;
}

/** Why an endpoint fails, or fails now and then. Undefined if it does neither. */
export function reasonInWords(health: EndpointHealth): string | undefined {
  const { state, last_error: error, last_hour: hour } = health;
  if (state === 'failing') return failuresInWords(health);
  if (state !== 'degraded' || !error) return undefined;
  return hour.failed > 0
    ? `${wordsOf(error)}, ${number(hour.failed)} of ${number(hour.attempts)} failed in the last hour`
    : `${wordsOf(error)} at the last attempt`;
}

function wordsOf({ code, status_code: statusCode }: NonNullable<EndpointHealth['last_error']>): string {
  return causeInWords({ code, statusCode });
}

function number(value: number): string {
  return value.toLocaleString('en');
}
