import { createHmac } from 'node:crypto';
import type { Arrival } from './demo-receiver';

/** One promise, and whether it was kept. */
export interface Check {
  readonly promise: string;
  readonly kept: boolean;
}

/** The fields of `GET /events/{id}` that the demo reads. */
export interface EventStatusView {
  readonly status: string;
  readonly deliveries: readonly {
    readonly state: string;
    readonly attempt_count: number;
    readonly attempts: readonly { readonly number: number; readonly status_code: number | null }[];
  }[];
}

export interface DemoResult {
  readonly arrivals: readonly Arrival[];
  readonly secret: string;
  readonly eventId: number;
  /** The body that should be delivered. */
  readonly expectedBody: string;
  readonly status: EventStatusView;
}

/** The promised waits between the attempts, and how late a busy machine may be. */
const WAITS_MS = [1_000, 5_000];
const TOLERANCE_EARLY_MS = 50;
const TOLERANCE_LATE_MS = 2_500;

/**
 * Whether the specification's header is correct, computed by hand as a receiver would: HMAC-SHA256 over the raw body,
 * with the whole secret as shown as its key.
 */
export function isSpecSignatureRight(secret: string, { headers, body }: Arrival): boolean {
  return headers['x-webhook-signature'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Whether the Standard Webhooks headers are correct, computed by hand as its libraries do. */
export function isStandardSignatureRight(secret: string, { headers, body }: Arrival): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
  const signature = createHmac('sha256', key).update(signed).update(body).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${signature}`);
}

/** Compares the results with the promises. */
export function checkDemo(result: DemoResult): Check[] {
  const { arrivals, secret, status, eventId } = result;
  const answers = arrivals.map(({ answered }) => answered);
  const waits = arrivals.slice(1).map(({ atMs }, index) => atMs - arrivals[index]!.atMs);
  const recorded = status.deliveries[0]?.attempts.map(({ status_code: code }) => code) ?? [];
  return [
    { promise: `three attempts: ${answers.join(', ')}`, kept: answers.join() === '500,503,200' },
    { promise: `waits of about 1 s and 5 s: ${waits.map(seconds).join(', ')}`, kept: areWaitsRight(waits) },
    {
      promise: 'X-Webhook-Signature is right on every attempt',
      kept: arrivals.length > 0 && arrivals.every((arrival) => isSpecSignatureRight(secret, arrival)),
    },
    {
      promise: 'webhook-signature (Standard Webhooks) is right on every attempt',
      kept: arrivals.length > 0 && arrivals.every((arrival) => isStandardSignatureRight(secret, arrival)),
    },
    {
      promise: 'every body has exactly the bytes of data that were sent',
      kept: arrivals.length > 0 && arrivals.every(({ body }) => body.toString('utf8') === result.expectedBody),
    },
    {
      promise: `GET /events/${eventId} says "${status.status}" after attempts answered ${recorded.join(', ')}`,
      kept: status.status === 'delivered' && recorded.join() === '500,503,200',
    },
  ];
}

function areWaitsRight(waits: readonly number[]): boolean {
  return (
    waits.length === WAITS_MS.length &&
    WAITS_MS.every((ms, index) => waits[index]! >= ms - TOLERANCE_EARLY_MS && waits[index]! <= ms + TOLERANCE_LATE_MS)
  );
}

/** Milliseconds as seconds with two decimals. */
export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
