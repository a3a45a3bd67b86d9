import { NotFoundError } from '../domain/errors';
import type { Endpoint, EndpointStore } from '../record/endpoint-store';

/**
 * Finds an account's endpoint.
 *
 * @throws NotFoundError when there is none, or it is another account's: the answers are the same
 */
export async function findEndpoint(
  deps: { endpoints: Pick<EndpointStore, 'find'> },
  accountId: string,
  id: string,
): Promise<Endpoint> {
  const endpoint = await deps.endpoints.find(id);
  if (!endpoint || endpoint.account_id !== accountId) throw endpointNotFound();
  return endpoint;
}

/** What is said of an endpoint that is not there, or not the caller's. */
export function endpointNotFound(): NotFoundError {
  return new NotFoundError('There is no endpoint with this id.', 'endpoint_not_found');
}
