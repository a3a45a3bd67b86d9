import { MAX_PER_DESTINATION } from '../../../src/domain/delivery-contract';
import { forEachFlag } from '../../../src/domain/endpoint-flags';
import type { Endpoint } from '../api/answers';
import { remainingTime } from '../elements/time';
import { BODY_IN_WORDS } from './body-shapes';
import { percentOf } from './endpoint-draft';

/**
 * What an endpoint's options mean, as sentences.
 *
 * @param installation the schedule of the installation, in seconds; undefined while it is not known
 */
export function optionsInWords(options: Endpoint['options'], installation: readonly number[] | undefined): string[] {
  return [
    scheduleInWords(options.retry_schedule ?? installation, options.retry_schedule !== null),
    ...jitterInWords(options),
    limitsInWords(options),
    ...Object.values(forEachFlag((name, { on, off }) => (options[name] ? on : off))).filter((it) => it !== undefined),
    ...bodyInWords(options),
    ...headersInWords(options),
    'Signed with HMAC-SHA256, as X-Webhook-Signature and as Standard Webhooks.',
  ];
}

function limitsInWords({ ordered, max_per_second: rate }: Endpoint['options']): string {
  // In order, one request at a time is less than any process may make.
  if (ordered) return rate === null ? 'Without a rate limit.' : `At most ${rate} attempts a second.`;
  const atOnce = `${MAX_PER_DESTINATION} requests at once from each process`;
  return rate === null
    ? `At most ${atOnce}, without a rate limit.`
    : `At most ${rate} attempts a second, and ${atOnce}.`;
}

function scheduleInWords(schedule: readonly number[] | undefined, isOwn: boolean): string {
  if (schedule === undefined) return "Retries by the installation's schedule.";
  const whose = isOwn ? "the endpoint's own schedule" : "the installation's schedule";
  if (schedule.length === 1) return `One attempt and no retry, by ${whose}.`;
  const seconds = schedule.reduce((sum, delay) => sum + delay, 0);
  return `Up to ${schedule.length} attempts over ${remainingTime(seconds * 1_000)}, by ${whose}.`;
}

function jitterInWords({ retry_jitter: share }: Endpoint['options']): string[] {
  if (share === null) return [];
  return [
    share === 0 ? 'Delays are exactly those of the schedule.' : `Each delay is up to ${percentOf(share)} % longer.`,
  ];
}

function bodyInWords({ body, include, exclude }: Endpoint['options']): string[] {
  return [
    ...(body === null ? [] : [BODY_IN_WORDS[body]]),
    ...(include === null ? [] : [`Sends only ${include.join(', ')} of data.`]),
    ...(exclude === null ? [] : [`Sends data without ${exclude.join(', ')}.`]),
  ];
}

function headersInWords({ headers, authentication }: Endpoint['options']): string[] {
  const names = Object.keys(headers ?? {});
  return [
    ...(names.length > 0
      ? [`With the additional ${names.length === 1 ? 'header' : 'headers'} ${names.join(', ')}.`]
      : []),
    ...(authentication?.type === 'basic'
      ? [`Authenticates as ${authentication.username} with a password (Basic).`]
      : []),
    ...(authentication?.type === 'bearer' ? ['Authenticates with a bearer token.'] : []),
  ];
}
