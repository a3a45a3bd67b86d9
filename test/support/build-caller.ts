import { apiClient, type ApiAnswer, type ApiClient } from './api-client';
import { buildEndpointId } from './build-events';
import type { Stack } from './build-stack';
import { eventually } from './eventually';
import { useFixture } from './fixture';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';

/** An account's client, with the account's id and key. */
export interface Caller extends ApiClient {
  readonly accountId: string;
  readonly key: string;
  readonly keyId: string;
  /** Makes the client of a new management key. A call for the account needs the header `Everpost-Account`. */
  manager(): Promise<ApiClient>;
  /** Registers an endpoint, and expects 201. @returns the answer's body */
  register(body: object): Promise<ApiAnswer['body']>;
  /** Ingests an event, and expects 202. @returns the answer's body */
  ingest(event?: object): Promise<ApiAnswer['body']>;
  /** Waits until a run of a delivery is in a state. @returns the delivery */
  untilDelivery(id: string, state: string, run?: number): Promise<ApiAnswer['body']>;
  /** Waits until an event has one of the given statuses. @returns the event */
  untilEvent(id: number, ...statuses: string[]): Promise<ApiAnswer>;
}

/** @param options `url` calls another API on the stack's database; the rest describes the account */
export async function buildCaller(
  stack: Pick<Stack, 'url' | 'account'> & Partial<Pick<Stack, 'managementKey'>>,
  { url = stack.url, ...options }: { url?: string; tier?: string; product?: string } = {},
): Promise<Caller> {
  const account = await stack.account(options);
  const api = apiClient(url, account.key);
  const take = async (status: number, path: string, body: object): Promise<ApiAnswer['body']> => {
    const answer = await api.post(path, body);
    if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    ...account,
    ...api,
    manager: async () => apiClient(url, (await stack.managementKey!()).key),
    register: (body) => take(201, ENDPOINTS, body),
    ingest: (event) => take(202, EVENTS, { type: 'order.created', data: { n: 1 }, ...event }),
    untilDelivery: async (id, state, run = 1) => {
      const wanted = ({ body }: ApiAnswer): boolean => body.state === state && body.run === run;
      return (await eventually(() => api.get(`/api/v1/webhooks/deliveries/${id}`), wanted)).body;
    },
    untilEvent: (id, ...statuses) =>
      eventually(
        () => api.get(`${EVENTS}/${id}`),
        ({ body }) => statuses.includes(body.status),
      ),
  };
}

/** Gives the tests of a file a caller, or each test its own. */
export function useCaller(stack: Stack, scope: 'file' | 'test' = 'file'): Caller {
  return useFixture(
    scope,
    () => buildCaller(stack),
    async () => undefined,
  );
}

/** Fills places of an account with copies of its first endpoint. @returns ids */
export async function takeEndpointPlaces({ mongo }: Stack, accountId: string, count: number): Promise<string[]> {
  const endpoints = mongo.db.collection<{ _id: string; account_id: string; slot: number }>('endpoints');
  const first = (await endpoints.findOne({ account_id: accountId }))!;
  const free = Array.from({ length: count + 1 }, (_, slot) => slot).filter((slot) => slot !== first.slot);
  const more = free.slice(0, count).map((slot) => ({ ...first, _id: buildEndpointId(), slot }));
  await endpoints.insertMany(more);
  return more.map(({ _id }) => _id);
}
