import { signDelivery } from '../sender/signature';
import { USER_AGENT } from '../sender/user-agent';
import type { StreamedEvent } from './event-stream';

/** The answer of a receiver on the developer's machine. */
export interface Forwarded {
  /** Null when there was no answer; `error` says why. */
  readonly status: number | null;
  readonly error: string | null;
  readonly latencyMs: number;
}

/** As long as a delivery waits. */
const TIMEOUT_MS = 30_000;

/**
 * Sends an event to a receiver as a delivery would: the same body, and the same headers signed with another secret. A
 * redirect counts as an answer, and is not followed.
 */
export async function forwardEvent(event: StreamedEvent, to: string, secret: string): Promise<Forwarded> {
  const body = Buffer.from(event.body);
  const headers = signDelivery({
    secrets: { current: secret },
    body,
    eventId: event.id,
    eventType: event.type,
    timestampSeconds: Math.floor(Date.now() / 1_000),
  });
  const startedAt = performance.now();
  const latencyMs = (): number => Math.round(performance.now() - startedAt);
  try {
    const answer = await fetch(to, {
      method: 'POST',
      headers: { 'User-Agent': USER_AGENT, ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return { status: answer.status, error: null, latencyMs: latencyMs() };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string } };
    const text = name === 'TimeoutError' ? `no answer in ${TIMEOUT_MS / 1_000} s` : (cause?.code ?? message);
    return { status: null, error: text, latencyMs: latencyMs() };
  }
}
