import { createHmac, timingSafeEqual } from 'node:crypto';

/** A delivery, as a receiver got it. */
export interface ReceivedDelivery {
  /** The endpoint's signing secret; during a rotation the old one, the new one, or both. */
  readonly secret: string | readonly string[];
  /** The body as it came, before any parser touched it. */
  readonly body: string | Uint8Array;
  /** Its headers, in whichever form the web framework has them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** How old `webhook-timestamp` may be; 5 minutes unless given. 0 takes any age. */
  readonly toleranceSeconds?: number;
}

/** What a delivery brought. */
export interface WebhookEvent<Data = unknown> {
  readonly id: number;
  readonly type: string;
  readonly data: Data;
  /** Unix seconds of the ingest. */
  readonly timestamp: number;
}

/** The delivery is not from Everpost, was changed on its way, or is too old. Answer 401. */
export class SignatureError extends Error {}

const DEFAULT_TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';

/**
 * Checks a delivery's signature in constant time, and parses its body.
 *
 * `webhook-signature` (Standard Webhooks) is checked where it is there, since it covers the time as well; otherwise
 * `X-Webhook-Signature`. A new secret is good as soon as it exists, and the old one as long as it is used.
 *
 * @throws SignatureError for a delivery that must not be believed
 */
export function verify<Data = unknown>(delivery: ReceivedDelivery): WebhookEvent<Data> {
  const { body, headers, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = delivery;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const secrets = [delivery.secret].flat();
  const get = (name: string): string => headerOf(headers, name);

  const standard = get('webhook-signature');
  const isGood =
    standard === ''
      ? secrets.some((secret) =>
          [get('x-webhook-signature'), get('x-webhook-signature-next')].some((given) =>
            isEqual(given, plain(secret, bytes)),
          ),
        )
      : secrets.some((secret) => {
          const expected = standardOf(secret, `${get('webhook-id')}.${get('webhook-timestamp')}.`, bytes);
          return standard.split(' ').some((given) => isEqual(given, expected));
        });
  if (!isGood) throw new SignatureError('The signature is not right.');

  const age = Math.abs(Date.now() / 1_000 - Number(get('webhook-timestamp')));
  if (standard !== '' && toleranceSeconds > 0 && !(age <= toleranceSeconds)) {
    throw new SignatureError(`The delivery is ${Math.round(age)} s old or from the future.`);
  }
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as WebhookEvent<Data>;
}

function headerOf(headers: ReceivedDelivery['headers'], wanted: string): string {
  if (headers instanceof Headers) return headers.get(wanted) ?? '';
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
  // A header that came twice is simply wrong.
  return typeof value === 'string' ? value : '';
}

/** Keyed with the whole secret string. */
function plain(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Keyed with the decoded part after `whsec_`. */
function standardOf(secret: string, before: string, body: Uint8Array): string {
  const key = Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64');
  return `v1,${createHmac('sha256', key).update(before).update(body).digest('base64')}`;
}

function isEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
