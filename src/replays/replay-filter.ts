import type { ReplayableState } from '../domain/replay-contract';
import type { DeliveryListFilter } from '../stores/list-deliveries-store';
import type { ReplayFilter, ReplayJob } from './replay-store';

/** Which deliveries to replay. Absent fields select everything. */
export interface ReplaySelection {
  readonly state: ReplayableState;
  readonly endpointId?: string | undefined;
  readonly type?: string | undefined;
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
  readonly completedAfter?: Date | undefined;
  readonly completedBefore?: Date | undefined;
}

/** The filter of a request, as a job stores it. */
export function toReplayFilter(input: ReplaySelection): ReplayFilter {
  return {
    state: input.state,
    endpoint_id: input.endpointId ?? null,
    type: input.type ?? null,
    after: input.after ?? null,
    before: input.before ?? null,
    completed_after: input.completedAfter ?? null,
    completed_before: input.completedBefore ?? null,
  };
}

/** Events are selected to the second: those of the second in which a job was created are among its own. */
const SECOND_MS = 1_000;

/**
 * A job's deliveries: those finished when it was created. Deliveries that fail again because of it are not among them.
 * Those that are retrying belong to events that were accepted by then.
 */
export function deliveriesOf({
  account_id: accountId,
  filter,
  created_at: createdAt,
}: Pick<ReplayJob, 'account_id' | 'filter' | 'created_at'>): DeliveryListFilter {
  const { endpoint_id: endpointId, type, after, before, completed_after: completedFrom } = filter;
  const { completed_before: completedBefore } = filter;
  const isRetrying = filter.state === 'retrying';
  const acceptedBy = new Date(createdAt.getTime() + SECOND_MS);
  return {
    accountId,
    endpointId: endpointId ?? undefined,
    states: [filter.state],
    type: type ?? undefined,
    after: after ?? undefined,
    before: isRetrying && (!before || before > acceptedBy) ? acceptedBy : (before ?? undefined),
    completedFrom: completedFrom ?? undefined,
    // `completedTo` is inside its range, and `completed_before` is not.
    completedTo: isRetrying
      ? undefined
      : completedBefore && completedBefore <= createdAt
        ? new Date(completedBefore.getTime() - 1)
        : createdAt,
  };
}
