import type { HttpSender, SendResult } from './http-sender';
import { composeBody, layOver, signDelivery, type SigningSecrets } from './signature';

/** Type of the message that asks a host whether it wants an account's deliveries. */
const CHALLENGE_TYPE = 'endpoint.verification';

/** A challenge, and whom it goes to. */
export interface Challenge {
  readonly url: string;
  readonly secrets: SigningSecrets;
  /** Headers of the endpoint's options. */
  readonly headers: Readonly<Record<string, string>>;
  /** An id that no event has. */
  readonly id: number;
  /** What the host has to send back. */
  readonly challenge: string;
  readonly timestampSeconds: number;
}

/** Sends a challenge the way that deliveries go: signed alike, to the same addresses, within the same time. */
export function sendChallenge(sender: HttpSender, asked: Challenge): Promise<SendResult> {
  const { url, secrets, headers, id, challenge, timestampSeconds } = asked;
  const data = Buffer.from(JSON.stringify({ challenge }));
  const body = composeBody({ id, type: CHALLENGE_TYPE, data, timestamp: timestampSeconds });
  const signed = signDelivery({ secrets, body, eventId: id, eventType: CHALLENGE_TYPE, timestampSeconds });
  return sender.send({ url, headers: layOver(headers, signed), body });
}
