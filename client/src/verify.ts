import { createHmac, timingSafeEqual } from 'node:crypto';

/** A delivery, as a receiver got it. */
export interface ReceivedDelivery {
  /** The endpoint's signing secret; during a rotation the old one, the new one, or both. */
  readonly secret: string | readonly string[];
  /** The raw body, byte for byte, before any parser. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** Its headers, in the form of any web framework. */
  readonly headers: Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** How old `webhook-timestamp` may be; 5 minutes by default. 0 accepts any age. */
  readonly toleranceSeconds?: number;
  /**
   * Also accepts a delivery without `webhook-signature`, by its `X-Webhook-Signature`. That signature does not cover
   * the time: an attacker who recorded a delivery can send it again at any time.
   */
  readonly acceptUntimed?: boolean;
}

/** The header whose signature was correct. Only `webhook-signature` covers the time. */
export type CheckedSignature = 'webhook-signature' | 'x-webhook-signature';

/** The event in a delivery. */
export interface WebhookEvent<Data = unknown> {
  readonly id: number;
  readonly type: string;
  readonly data: Data;
  /** Unix seconds of the ingest. */
  readonly timestamp: number;
}

/** A verified delivery, and the signature that verified it. */
export interface VerifiedEvent<Data = unknown> extends WebhookEvent<Data> {
  readonly checked: CheckedSignature;
}

/** The delivery is not from Everpost, was changed in transit, or is too old. Answer 401. */
export class SignatureError extends Error {
  static {
    // On the prototype, because the stack is written before the error's fields exist.
    this.prototype.name = 'SignatureError';
  }
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';

/**
 * Checks a delivery's signature in constant time, and parses its body.
 *
 * `webhook-signature` (Standard Webhooks) must be present and correct, because it also covers the time: a delivery
 * without it is refused, unless `acceptUntimed` allows `X-Webhook-Signature` instead. A new secret works as soon as it
 * exists, and the old one as long as it is used.
 *
 * @returns the event, and in `checked` the signature that verified it
 * @throws SignatureError for a delivery that must not be trusted
 * @throws TypeError when a secret is missing or empty, with which anyone can sign, or the body is parsed already
 */
export function verify<Data = unknown>(delivery: ReceivedDelivery): VerifiedEvent<Data> {
  if ([delivery.secret].flat().some((key) => typeof key !== 'string' || bytesOf(key).length === 0)) {
    throw new TypeError('A signing secret is empty.');
  }
  const bytes = rawBytes(delivery.body);
  const signatures = headerOf(delivery, 'webhook-signature');
  const checked =
    signatures === undefined ? checkUntimed(delivery, bytes) : checkTimed(delivery, bytes, signatures.split(' '));
  return { ...(JSON.parse(Buffer.from(bytes).toString('utf8')) as WebhookEvent<Data>), checked };
}

/** Not by `instanceof`: Jest has classes of its own. */
function rawBytes(body: ReceivedDelivery['body']): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return body;
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body);
  throw new TypeError(
    `\`body\` is ${body === undefined || body === null ? 'missing' : 'a parsed one'}, but the signature is over its bytes. ` +
      "Give verify the raw body: express.raw({ type: 'application/json' }) in Express, { rawBody: true } in Nest, " +
      'await request.text() in Next.',
  );
}

function checkTimed(delivery: ReceivedDelivery, body: Uint8Array, given: readonly string[]): CheckedSignature {
  const { secret, toleranceSeconds } = delivery;
  const timestamp = headerOf(delivery, 'webhook-timestamp');
  const before = `${headerOf(delivery, 'webhook-id')}.${timestamp}.`;
  const isGood = [secret].flat().some((key) => {
    const expected = standardOf(key, before, body);
    return given.some((signature) => isEqual(signature, expected));
  });
  if (!isGood) throw new SignatureError('The signature in webhook-signature is wrong.');

  const tolerance = toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS;
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (tolerance > 0 && !(age <= tolerance)) {
    throw new SignatureError(`The delivery is ${Math.round(age)} s old, or from the future.`);
  }
  return 'webhook-signature';
}

function checkUntimed(delivery: ReceivedDelivery, body: Uint8Array): CheckedSignature {
  if (delivery.acceptUntimed !== true) {
    throw new SignatureError('The header webhook-signature is missing: without it the age of the delivery is unknown.');
  }
  const given = ['x-webhook-signature', 'x-webhook-signature-next'].map((name) => headerOf(delivery, name) ?? '');
  const isGood = [delivery.secret]
    .flat()
    .some((key) => given.some((signature) => isEqual(signature, plain(key, body))));
  if (!isGood) throw new SignatureError('The signature in X-Webhook-Signature is wrong.');
  return 'x-webhook-signature';
}

/** The value of a header; undefined if the delivery does not have it. */
function headerOf({ headers }: ReceivedDelivery, wanted: string): string | undefined {
  const value = isOfFetch(headers)
    ? headers.get(wanted)
    : Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
  // A duplicate header is just wrong.
  return typeof value === 'object' && value !== null ? '' : (value ?? undefined);
}

/** Not by `instanceof`: many libraries have a class of their own for the headers of fetch. */
function isOfFetch(headers: ReceivedDelivery['headers']): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function';
}

/** Keyed with the whole secret string. */
function plain(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Keyed with the decoded part after `whsec_`. */
function standardOf(secret: string, before: string, body: Uint8Array): string {
  return `v1,${createHmac('sha256', bytesOf(secret)).update(before).update(body).digest('base64')}`;
}

/** The decoded part after `whsec_`. */
function bytesOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64');
}

function isEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
