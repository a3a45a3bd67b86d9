import type { HttpSender, SendResult } from './http-sender';
import { composeBody, signDelivery, type SigningSecrets } from './signature';

/** Type of the message that asks a host whether it accepts an account's deliveries. */
const CHALLENGE_TYPE = 'endpoint.verification';

/** A challenge and its recipient. */
export interface Challenge {
  readonly url: string;
  readonly secrets: SigningSecrets;
  /** An id that no event has. */
  readonly id: number;
  /** The value that the host must send back. */
  readonly challenge: string;
  readonly timestampSeconds: number;
}

/**
 * Sends a challenge like a delivery: signed in the same way, with the same checks of addresses and the same timeout. It
 * carries no credentials and no static headers, because the host has not proved yet that they are meant for it.
 */
export function sendChallenge(sender: HttpSender, asked: Challenge): Promise<SendResult> {
  const { url, secrets, id, challenge, timestampSeconds } = asked;
  const data = Buffer.from(JSON.stringify({ challenge }));
  const body = composeBody({ id, type: CHALLENGE_TYPE, data, timestamp: timestampSeconds });
  const signed = signDelivery({ secrets, body, eventId: id, eventType: CHALLENGE_TYPE, timestampSeconds });
  return sender.send({ url, headers: signed, body });
}
