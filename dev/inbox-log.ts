import type { IncomingHttpHeaders } from 'node:http';
import { verifySignature } from '../src/sender/signature';

/**
 * The result for a request's signature. `unknown` until the secrets were looked up, and permanently if the event's
 * destinations are not known here.
 */
export type SignatureVerdict = 'verified' | 'wrong' | 'missing' | 'unknown';

/** A request that the inbox received, as in `GET /requests`. */
export interface InboxRequest {
  readonly number: number;
  readonly received_at: string;
  readonly path: string;
  readonly answered: number;
  readonly headers: IncomingHttpHeaders;
  /** The raw body; bytes that are not UTF-8 show as U+FFFD. */
  readonly body: string;
  /** The raw body again, byte for byte. */
  readonly body_base64: string;
  signature: SignatureVerdict;
}

/** Signing secrets that may have signed an event's delivery; empty for an unknown event. */
export type SecretsFor = (eventId: number) => Promise<readonly string[]>;

const KEPT = 200;

export type InboxLog = ReturnType<typeof createInboxLog>;

/** The last requests, newest first. In memory only, because they may contain anything. */
export function createInboxLog(secretsFor: SecretsFor) {
  const requests: InboxRequest[] = [];
  let count = 0;
  return {
    add({ body, ...rest }: { path: string; answered: number; headers: IncomingHttpHeaders; body: Buffer }): void {
      const request: InboxRequest = {
        number: (count += 1),
        received_at: new Date().toISOString(),
        ...rest,
        body: body.toString('utf8'),
        body_base64: body.toString('base64'),
        signature: 'unknown',
      };
      requests.unshift(request);
      requests.length = Math.min(requests.length, KEPT);
      // The sender has its answer already: looking up secrets must not delay deliveries.
      judge(rest.headers, body, secretsFor).then(
        (verdict) => (request.signature = verdict),
        () => undefined,
      );
    },
    list: (): readonly InboxRequest[] => requests,
  };
}

async function judge(headers: IncomingHttpHeaders, body: Buffer, secretsFor: SecretsFor): Promise<SignatureVerdict> {
  const signatures = [headers['x-webhook-signature'], headers['x-webhook-signature-next']].filter(
    (value) => value !== undefined,
  );
  if (signatures.length === 0) return 'missing';
  const eventId = Number(headers['x-webhook-id']);
  const secrets = Number.isSafeInteger(eventId) ? await secretsFor(eventId) : [];
  if (secrets.length === 0) return 'unknown';
  const isRight = signatures.every((signature) => secrets.some((secret) => verifySignature(secret, body, signature)));
  return isRight ? 'verified' : 'wrong';
}
