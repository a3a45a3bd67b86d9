import type { AttemptErrorCode } from '../domain/delivery-state';
import { findEndpoint } from '../endpoints/find-endpoints';
import { decodeCursor, encodeCursor, type PageQuery } from '../platform/cursor';
import type { EndpointStore } from '../stores/endpoint-store';
import type { EventStore } from '../stores/event-store';
import type { AttemptListStore, ListedAttempt } from '../stores/list-attempts-store';

/** What listing attempts needs. */
export interface ListAttemptsDeps {
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly events: Pick<EventStore, 'findSummaries'>;
  readonly attemptLists: AttemptListStore;
}

/** Which attempts to an endpoint. Absent fields select everything. */
interface AttemptQuery extends PageQuery {
  readonly outcome?: 'succeeded' | 'failed' | undefined;
  readonly errorCode?: AttemptErrorCode | undefined;
  readonly statusCode?: number | undefined;
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
}

/** An attempt, and the type of its event; null if the event has just been deleted. */
export interface AttemptOfEndpoint {
  readonly attempt: ListedAttempt;
  readonly eventType: string | null;
}

/**
 * One page of the answered attempts to an endpoint, newest first by (start, id).
 *
 * @returns the page, which may be short although more follow, and the cursor of the next page, or null at the end
 * @throws NotFoundError when the account has no such endpoint
 * @throws InvalidRequestError for an invalid cursor
 */
export async function listAttempts(
  deps: ListAttemptsDeps,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  { limit, cursor, outcome, errorCode, statusCode, after, before }: AttemptQuery,
): Promise<{ page: AttemptOfEndpoint[]; nextCursor: string | null }> {
  const from = cursor === undefined ? undefined : decodeCursor('attempts', cursor);
  await findEndpoint(deps, accountId, id);
  const { attempts, next } = await deps.attemptLists.page(
    {
      accountId,
      endpointId: id,
      succeeded: outcome && outcome === 'succeeded',
      cause: { code: errorCode, statusCode },
      after,
      before,
    },
    { limit, from },
  );
  const events = await deps.events.findSummaries(accountId, [
    ...new Set(attempts.map(({ event_id: eventId }) => eventId)),
  ]);
  const types = new Map(events.map(({ _id, type }) => [_id, type]));
  return {
    page: attempts.map((attempt) => ({ attempt, eventType: types.get(attempt.event_id) ?? null })),
    nextCursor: next && encodeCursor('attempts', next),
  };
}
