import { countOf, sumCounts, type AttemptCounts } from '../domain/attempt-counts';
import type { AttemptInput } from '../domain/delivery-contract';
import { answerSeen, mergeSeen, type AnswersSeen } from '../domain/endpoint-health';
import { spanOf } from '../domain/health-windows';
import type { Logger } from '../platform/logger';
import { createTally } from '../platform/tally';
import type { AttemptCountStore } from '../stores/attempt-count-store';
import type { StoredAnswer } from '../stores/attempt-store';
import type { DeliveryLog } from './delivery-log';
import type { EndpointHealthStore } from '../stores/endpoint-health-store';
import type { LoadedDelivery } from '../stores/delivery-store';
import type { Endpoint } from '../stores/endpoint-store';

/** At 20 deliveries a second in one process, this is one command for ten deliveries. */
const FLUSH_MS = 1_000;

/** A recorded answer, and whose it is. */
interface RecordedAnswer {
  readonly endpoint: Pick<Endpoint, '_id' | 'account_id'>;
  readonly input: Pick<AttemptInput, 'number' | 'run' | 'nextDelayMs'>;
  readonly delivery: LoadedDelivery;
  readonly answer: StoredAnswer;
}

export type AnswerLog = ReturnType<typeof createAnswerLog>;

/**
 * Counts recorded answers by endpoint and time, and remembers how each endpoint does, in memory; writes both once a
 * second. It costs three commands a second at most, with those of finished deliveries, however many answers there are.
 */
export function createAnswerLog(deps: {
  readonly attemptCounts: Pick<AttemptCountStore, 'add'>;
  readonly health: Pick<EndpointHealthStore, 'note'>;
  readonly deliveryLog: Pick<DeliveryLog, 'noteAnswer' | 'flush' | 'close'>;
  readonly logger: Logger;
}) {
  const { attemptCounts, health, deliveryLog, logger } = deps;
  const common = { flushMs: FLUSH_MS, logger };
  const states = createTally<{ accountId: string; endpointId: string; seen: AnswersSeen }>({
    ...common,
    merge: (one, other) => ({ ...one, seen: mergeSeen(one.seen, other.seen) }),
    write: (sums) => health.note([...sums.values()]),
    failure: 'the health of endpoints is not written yet',
  });
  const counts = createTally<{ accountId: string; endpointId: string; at: Date; counts: AttemptCounts }>({
    ...common,
    merge: (one, other) => ({ ...one, counts: sumCounts(one.counts, other.counts) }),
    write: async (sums) => {
      // An attempt that is counted has been seen, and a delivery that it finished is counted.
      await Promise.all([states.flush(), deliveryLog.flush()]);
      await attemptCounts.add([...sums.values()]);
    },
    failure: 'attempts are not counted yet',
  });
  return {
    /** Counts a recorded answer; it is written within about a second. */
    note({ delivery, endpoint: { _id: endpointId, account_id: accountId }, input, answer }: RecordedAnswer): void {
      const answeredAt = new Date(answer.started_at.getTime() + answer.latency_ms);
      const { succeeded, error_code: errorCode, status_code: statusCode, latency_ms: latencyMs } = answer;
      const at = spanOf(answeredAt, '5m');
      counts.add(`${endpointId}/${at.getTime()}`, {
        accountId,
        endpointId,
        at,
        counts: countOf({ number: input.number, succeeded, errorCode, statusCode, latencyMs }),
      });
      states.add(endpointId, { accountId, endpointId, seen: answerSeen(answeredAt, causeOf(answer)) });
      deliveryLog.noteAnswer(delivery, input, answer);
    },
    /** Writes what was noted. */
    flush: counts.flush,
    /** The same, for the last time. */
    async close(): Promise<void> {
      await Promise.all([counts.close(), states.close(), deliveryLog.close()]);
    },
  };
}

function causeOf({ succeeded, error_code: code, status_code: statusCode, error }: StoredAnswer) {
  return succeeded ? null : { code: code ?? 'http_status', statusCode, text: error ?? '' };
}
