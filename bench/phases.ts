import { deliveryWorkflowId } from '../src/domain/delivery-contract';
import { createLogger } from '../src/platform/logger';
import { createTemporalLink, type TemporalLink } from '../src/platform/temporal';
import type { Ingested } from './load';
import { quantiles } from './statistics';
import type { System } from './system';

/** Histories that are read at a time. */
const READS_IN_FLIGHT = 8;

/** The fields of a recorded attempt that the trace reads. */
interface RecordedAttempt {
  readonly event_id: number;
  readonly endpoint_id: string;
  readonly answer: { readonly started_at: Date; readonly latency_ms: number };
}

type Instant = { readonly seconds?: unknown; readonly nanos?: number | null };

/**
 * Splits the time of a delivery in `workflow` mode into phases, from the records of Temporal, MongoDB, the load and the
 * receiver, which share this machine's clock.
 *
 * @returns milliseconds of each phase
 */
export async function phasesOf(
  { servers, config, mongo }: System,
  ingested: readonly Ingested[],
  arrivals: ReadonlyMap<number, readonly number[]>,
): Promise<Record<string, { p50: number; p99: number }>> {
  const temporal = await connect({ servers, config });
  const sentAt = new Map(ingested.map((event) => [event.eventId, event]));
  const attempts = await mongo.db
    .collection<RecordedAttempt>('attempts')
    .find({ event_id: { $in: [...sentAt.keys()] }, number: 1, answer: { $exists: true } })
    .toArray();
  const spent: Record<string, number[]> = {};
  const lane = async (): Promise<void> => {
    for (let attempt = attempts.shift(); attempt; attempt = attempts.shift()) {
      const event = sentAt.get(attempt.event_id)!;
      const history = await historyOf(temporal, attempt);
      const arrivedAt = arrivals.get(attempt.event_id)![0]!;
      for (const [phase, ms] of Object.entries(phases(event, attempt, arrivedAt, history))) {
        (spent[phase] ??= []).push(ms);
      }
    }
  };
  await Promise.all(Array.from({ length: READS_IN_FLIGHT }, lane));
  await temporal.close();
  return Object.fromEntries(Object.entries(spent).map(([phase, values]) => [phase, quantiles(values)]));
}

/** How many of these events' first deliveries have an execution in Temporal's list, as its Web UI shows it. */
export async function countExecutions(
  { servers, config }: Pick<System, 'servers' | 'config'>,
  ingested: readonly Ingested[],
): Promise<number> {
  const temporal = await connect({ servers, config });
  const ids = ingested.map(({ eventId }) => eventId);
  const query = `EverpostEventId >= '${Math.min(...ids)}' AND EverpostEventId <= '${Math.max(...ids)}'`;
  const { count } = await temporal.call(({ workflow }) => workflow.count(query));
  await temporal.close();
  return count;
}

async function connect({ servers, config }: Pick<System, 'servers' | 'config'>): Promise<TemporalLink> {
  const { namespace } = config.temporal;
  const temporal = createTemporalLink(
    { address: servers.temporal.address, namespace, connection: {} },
    createLogger('warn'),
  );
  await temporal.connected();
  return temporal;
}

function phases(
  { sentAtMs, latencyMs }: Ingested,
  { answer }: RecordedAttempt,
  arrivedAt: number,
  { startedAt, scheduledAt, endedAt }: Awaited<ReturnType<typeof historyOf>>,
): Record<string, number> {
  const postedAt = answer.started_at.getTime();
  const answeredAt = postedAt + answer.latency_ms;
  return {
    'request → 202': latencyMs,
    'request → execution started': startedAt - sentAtMs,
    'started → attempt scheduled by the workflow': scheduledAt - startedAt,
    'started → POST': postedAt - startedAt,
    'POST → arrival': arrivedAt - postedAt,
    'arrival → answer': answeredAt - arrivedAt,
    'answer → execution completed (record)': endedAt - answeredAt,
  };
}

/**
 * Times in milliseconds since 1970: of the history's first and last event, and of the local activity, from its marker.
 */
async function historyOf(temporal: TemporalLink, { event_id: eventId, endpoint_id: endpointId }: RecordedAttempt) {
  const workflowId = deliveryWorkflowId({ eventId, endpointId, run: 1 });
  const { events } = await temporal.call(({ workflow }) => workflow.getHandle(workflowId).fetchHistory());
  const marker = events!.find((event) => event.markerRecordedEventAttributes)?.markerRecordedEventAttributes;
  const local = JSON.parse(Buffer.from(marker!.details!['data']!.payloads![0]!.data!).toString());
  return {
    startedAt: msOf(events![0]!.eventTime!),
    scheduledAt: msOf(local.original_schedule_time),
    endedAt: msOf(events!.at(-1)!.eventTime!),
  };
}

function msOf({ seconds, nanos }: Instant): number {
  return Number(seconds) * 1_000 + (nanos ?? 0) / 1e6;
}
