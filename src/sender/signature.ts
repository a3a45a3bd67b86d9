import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { bodyAround, ENVELOPE, type BodyForm, type EventAround } from '../domain/body-form';
import { maskJson } from '../domain/mask-json';

/** The prefix of every signing secret; the rest is base64, as Standard Webhooks requires. */
const SECRET_PREFIX = 'whsec_';

/** Standard Webhooks allows 24 to 64 random bytes; 24 are 192 bits, more than HMAC-SHA256 needs to be safe. */
const SECRET_BYTES = 24;

/** The secrets of an endpoint. During a rotation both `current` and `next` are valid. */
export interface SigningSecrets {
  readonly current: string;
  readonly next?: string | undefined;
}

/** The content of a delivery's body. */
export interface DeliveredEvent extends EventAround {
  /** The exact bytes the caller sent as `data`. */
  readonly data: Buffer;
}

/** What `signDelivery` signs. */
export interface DeliveryToSign {
  readonly secrets: SigningSecrets;
  /** The bytes that `composeBody` made. */
  readonly body: Buffer;
  readonly eventId: number;
  readonly eventType: string;
  /** The `bodyHeaders`; those of an envelope by default. */
  readonly bodyHeaders?: Readonly<Record<string, string>>;
  /** Unix seconds of this attempt. */
  readonly timestampSeconds: number;
}

/**
 * Composes the delivered body: the same bytes on every attempt.
 *
 * `data` is copied as it was sent and never parsed, because parsing and serializing JSON changes big integers, `1.0`,
 * key order and duplicate keys. Masks cut members from it.
 */
export function composeBody({ data, ...event }: DeliveredEvent, form: BodyForm = ENVELOPE): Buffer {
  const { before, after } = bodyAround(event, form);
  const isMasked = form.include !== undefined || form.exclude !== undefined;
  const sent = isMasked ? Buffer.from(maskJson(data.toString('utf8'), form)) : data;
  return Buffer.concat([Buffer.from(before), sent, Buffer.from(after)]);
}

/**
 * The headers of one delivery attempt: the five of docs/spec.md ("Delivered request") and the three of Standard
 * Webhooks, so that a receiver may verify with either.
 *
 * During a rotation `X-Webhook-Signature` uses the current secret, `X-Webhook-Signature-Next` the next one, and
 * `webhook-signature` has both: every delivery can always be verified.
 */
export function signDelivery(delivery: DeliveryToSign): Record<string, string> {
  const { secrets, body, timestampSeconds } = delivery;
  // The same on every attempt, so that receivers can deduplicate by it.
  const messageId = String(delivery.eventId);
  const standardSignature = (secret: string) => signStandardWebhook(secret, messageId, timestampSeconds, body);

  const headers: Record<string, string> = {
    ...(delivery.bodyHeaders ?? { 'Content-Type': 'application/json' }),
    'X-Webhook-ID': messageId,
    'X-Webhook-Type': delivery.eventType,
    // This attempt's time: otherwise receivers with a tolerance of minutes would refuse every late retry.
    'X-Webhook-Timestamp': String(timestampSeconds),
    'X-Webhook-Signature': signBody(secrets.current, body),
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standardSignature(secrets.current),
  };
  if (secrets.next !== undefined) {
    headers['X-Webhook-Signature-Next'] = signBody(secrets.next, body);
    headers['webhook-signature'] += ` ${standardSignature(secrets.next)}`;
  }
  return headers;
}

/**
 * Whether an `X-Webhook-Signature` header is correct for the raw body, compared in constant time. A missing header, a
 * missing `sha256=` or a duplicate header is just wrong, never an error.
 */
export function verifySignature(
  secret: string,
  rawBody: Buffer,
  header: string | readonly string[] | undefined,
): boolean {
  if (typeof header !== 'string') return false;
  const expected = Buffer.from(signBody(secret, rawBody));
  const given = Buffer.from(header);
  // The length of a correct signature is not secret, and timingSafeEqual throws on different lengths.
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * The headers of an endpoint's options, overridden by our own, however they are spelled. Registration refuses the names
 * of all but `traceparent`, which the option `send_traceparent` may add later.
 */
export function layOver(
  added: Readonly<Record<string, string>>,
  signed: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const extra = Object.entries(added);
  if (extra.length === 0) return signed;
  const ours = new Set(Object.keys(signed).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(extra.filter(([name]) => !ours.has(name.toLowerCase()))), ...signed };
}

/** A new secret: `whsec_` and base64 of random bytes, which any Standard Webhooks library accepts. */
export function generateSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** `sha256=<hex>`, keyed with the whole secret string: the receiver code of the specification uses it as shown. */
function signBody(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** `v1,<base64>` over id, time and body, keyed with the decoded part after `whsec_` (standardwebhooks.com). */
function signStandardWebhook(secret: string, messageId: string, timestampSeconds: number, body: Buffer): string {
  const key = Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64');
  const signature = createHmac('sha256', key).update(`${messageId}.${timestampSeconds}.`).update(body).digest('base64');
  return `v1,${signature}`;
}
