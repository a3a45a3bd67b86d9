import type { HttpSender, SendResult } from './http-sender';
import { composeBody, layOver, signDelivery, type SigningSecrets } from './signature';

/** Type of the message that asks a host whether it accepts an account's deliveries. */
const CHALLENGE_TYPE = 'endpoint.verification';

/** A challenge and its recipient. */
export interface Challenge {
  readonly url: string;
  readonly secrets: SigningSecrets;
  /** Headers of the endpoint's options. */
  readonly headers: Readonly<Record<string, string>>;
  /** An id that no event has. */
  readonly id: number;
  /** The value that the host must send back. */
  readonly challenge: string;
  readonly timestampSeconds: number;
}

/**
 * Sends a challenge like a delivery: signed in the same way, with the same checks of addresses and the same timeout.
 */
export function sendChallenge(sender: HttpSender, asked: Challenge): Promise<SendResult> {
  const { url, secrets, headers, id, challenge, timestampSeconds } = asked;
  const data = Buffer.from(JSON.stringify({ challenge }));
  const body = composeBody({ id, type: CHALLENGE_TYPE, data, timestamp: timestampSeconds });
  const signed = signDelivery({ secrets, body, eventId: id, eventType: CHALLENGE_TYPE, timestampSeconds });
  return sender.send({ url, headers: layOver(headers, signed), body });
}
