import { setTimeout as pause } from 'node:timers/promises';
import type { System } from './system';

/** As many as 20 minutes of replays made before there was a limit. */
export const ATTEMPTS = 39_000;
const EACH = 3_000;
const RUN_LENGTH = 20;

/** The answer of a hostile receiver: as much of its body and its headers as is stored. */
const HOSTILE = { response_snippet: 'x'.repeat(1_024), response_headers: `X-Long: ${'x'.repeat(2_000)}` };

/** A tenant's event with `ATTEMPTS` attempts, and the paths that read it. */
export interface LongHistory {
  readonly key: string;
  readonly paths: readonly string[];
}

/** Has a tenant's event delivered, and copies its attempt. */
export async function addLongHistory({ addTenant, mongo }: System): Promise<LongHistory> {
  const { url, key, endpointId } = await addTenant();
  const answer = await fetch(`${url}/api/v1/webhooks/events`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'order.created', data: {} }),
  });
  const { id } = (await answer.json()) as { id: number };
  const delivery = `${id}.${endpointId}`;
  const attempts = mongo.db.collection<{ _id: string; answer?: { started_at: Date; sealed?: unknown } }>('attempts');
  let made = await attempts.findOne({ _id: `${delivery}/1/1`, answer: { $exists: true } });
  while (!made) {
    await pause(100);
    made = await attempts.findOne({ _id: `${delivery}/1/1`, answer: { $exists: true } });
  }
  const [first, startedMs] = [made, made.answer!.started_at.getTime()];
  // A sealed answer can only be opened in its place.
  const { sealed: _sealed, ...answerOfFirst } = made.answer!;
  const copyOf = (index: number) => {
    const [run, number] = [2 + Math.floor(index / RUN_LENGTH), 1 + (index % RUN_LENGTH)];
    const own = { ...answerOfFirst, ...HOSTILE, started_at: new Date(startedMs + index) };
    return { ...first, _id: `${delivery}/${run}/${number}`, run, number, answer: own };
  };
  for (let from = 0; from < ATTEMPTS; from += EACH)
    await attempts.insertMany(
      Array.from({ length: EACH }, (_, index) => copyOf(from + index)),
      { ordered: false },
    );
  const webhooks = '/api/v1/webhooks';
  return {
    key,
    paths: [
      `${webhooks}/events/${id}`,
      `${webhooks}/deliveries/${delivery}`,
      `${webhooks}/deliveries/${delivery}/attempts`,
    ],
  };
}
