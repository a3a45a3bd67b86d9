import { isEventPattern } from '../../../src/domain/event-pattern';
import { REPLAYABLE_STATES, type ReplayableState } from '../../../src/domain/replay-contract';
import { spanOf, type ListFilter } from '../elements/list-filter';
import { fromLocalField, toLocalField } from '../elements/local-time';
import { timeBefore } from '../elements/time-before';

/** The fields of the dialog for a bulk replay. */
export interface ReplayDraft {
  readonly state: string;
  readonly endpointId: string | null;
  readonly type: string;
  /** What the two times are compared with. */
  readonly timesOf: 'ended' | 'accepted';
  /** As in a field of type `datetime-local`; empty for any time. */
  readonly from: string;
  readonly to: string;
}

/** What the server takes as a filter. */
export type ReplayFilter = { readonly state: string } & Readonly<
  Partial<
    Record<'endpoint_id' | 'type' | 'after' | 'before' | 'completed_after' | 'completed_before', string | undefined>
  >
>;

/** The deliveries that failed since a time, by default in the last day: to all endpoints, or to one. */
export function newDraft(endpointId: string | null = null, since = timeBefore(24)): ReplayDraft {
  return { state: 'failed', endpointId, type: '', timesOf: 'ended', from: toLocalField(since), to: '' };
}

/** The deliveries to an endpoint that are still retried. They have not ended, so they have no such time. */
export function retryDraft(endpointId: string | null): ReplayDraft {
  return { state: 'retrying', endpointId, type: '', timesOf: 'accepted', from: '', to: '' };
}

/** The same draft: what is still retried has not ended, so only the times of acceptance select it. */
export function rightTimes(draft: ReplayDraft): ReplayDraft {
  return draft.state === 'retrying' ? { ...draft, timesOf: 'accepted' } : draft;
}

/** What a list of deliveries shows. Its times are those of acceptance. */
export function draftOfList({ state, endpoint_id: endpointId, type, after, before, last }: ListFilter): ReplayDraft {
  const hours = spanOf(last)?.hours;
  const since = hours === undefined ? after : timeBefore(hours);
  return {
    state: REPLAYABLE_STATES.find((it) => it === state) ?? 'failed',
    endpointId: endpointId ?? null,
    type: type ?? '',
    timesOf: 'accepted',
    from: since === undefined ? '' : toLocalField(since),
    to: before === undefined ? '' : toLocalField(before),
  };
}

/** The deliveries that a replay may take of the events with a status. */
const STATE_OF_STATUS: Readonly<Record<string, ReplayableState>> = {
  delivered: 'delivered',
  failed: 'failed',
  partially_failed: 'failed',
};

/**
 * What a list of events shows, as deliveries: those that failed, or were delivered. Undefined for a list that a replay
 * can't select: by data, by an idempotency key, or without such a status.
 */
export function draftOfEvents({
  status = '',
  data,
  idempotency_key: key,
  ...rest
}: ListFilter): ReplayDraft | undefined {
  const state = STATE_OF_STATUS[status];
  return state === undefined || data !== undefined || key !== undefined ? undefined : draftOfList({ ...rest, state });
}

/** Whether a bulk replay can select exactly what a list of deliveries shows. */
export function canReplayList({ state, replay_id: replayId }: ListFilter): boolean {
  return replayId === undefined && REPLAYABLE_STATES.some((it) => it === state);
}

/** Whether a text selects event types: empty and `*` select all. */
export function isTypeFilter(type: string): boolean {
  return type === '' || isEventPattern(type);
}

/** Whether a filter's times select nothing, because they end before they start: the server refuses them. */
export function endsBeforeStart(filter: ReplayFilter): boolean {
  const start = filter.after ?? filter.completed_after;
  const end = filter.before ?? filter.completed_before;
  return start !== undefined && end !== undefined && end <= start;
}

/** The filter of a draft. */
export function filterOfDraft({ state, endpointId, type, timesOf, from, to }: ReplayDraft): ReplayFilter {
  const [start, end] = [fromLocalField(from), fromLocalField(to)];
  const times = timesOf === 'ended' ? { completed_after: start, completed_before: end } : { after: start, before: end };
  const filter = {
    endpoint_id: endpointId ?? undefined,
    type: type === '' || type === '*' ? undefined : type,
    ...times,
  };
  return { state, ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) };
}
