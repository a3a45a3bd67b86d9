import { PreconditionFailedError } from '../domain/errors';
import type { Endpoint } from '../stores/endpoint-store';

/**
 * The entity tag of an endpoint: it names the state of everything that its owner can change. `health` changes without it.
 */
export function tagOf({ updated_at: updatedAt }: Pick<Endpoint, 'updated_at'>): string {
  return `"${updatedAt.toISOString()}"`;
}

/** The header of an answer that has one endpoint, for the document. */
export const TAGGED = {
  ETag: 'Names the state of the endpoint: its `updated_at` in quotes. A change can send it as `If-Match`.',
};

/**
 * Refuses a change that was decided on another state.
 *
 * @param tags undefined for a change of any state
 * @throws PreconditionFailedError when the endpoint has none of the tags
 */
export function requireTag(endpoint: Endpoint, tags: readonly string[] | undefined): void {
  if (tags === undefined || tags.includes(tagOf(endpoint))) return;
  throw new PreconditionFailedError(
    'The endpoint has changed since the answer with this ETag. Read it again, and decide on what it is now.',
    'precondition_failed',
  );
}
