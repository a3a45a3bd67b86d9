import { LRUCache } from 'lru-cache';
import type { Endpoint, EndpointStore } from '../stores/endpoint-store';

const MAX_ACCOUNTS = 10_000;
/** Covers the one case that a version can't show: a registration that died before it increased the version. */
const MAX_AGE_MS = 10_000;

export type EndpointCache = ReturnType<typeof createEndpointCache>;

/** Finds an account's endpoints without a query to MongoDB for each event. */
export function createEndpointCache(endpoints: EndpointStore) {
  const cache = new LRUCache<string, { version: number; list: Promise<readonly Endpoint[]> }>({
    max: MAX_ACCOUNTS,
    ttl: MAX_AGE_MS,
  });
  return {
    /**
     * @param version the account's `endpoints_version`, as the limiter just read it: an endpoint that another process
     *   registered a moment ago has increased it, so it is matched
     */
    async endpointsOf(accountId: string, version: number): Promise<readonly Endpoint[]> {
      const cached = cache.get(accountId);
      // A newer version in the cache is as good: the list was read after that version was.
      if (cached && cached.version >= version) return cached.list;
      const list = endpoints.listByAccount(accountId);
      const entry = { version, list };
      cache.set(accountId, entry);
      list.catch(() => cache.get(accountId) === entry && cache.delete(accountId));
      return list;
    },
  };
}
