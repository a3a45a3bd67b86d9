import { createList, type List, type ListQuery } from './list.ts';
import type { CallOptions } from './patience.ts';
import type {
  AcceptedEvent,
  AttemptOfEndpoint,
  AttemptPage,
  CancelledDeliveries,
  CreatedEndpoint,
  DesiredEndpoint,
  Endpoint,
  EndpointChange,
  EndpointHistory,
  EndpointPage,
  EndpointStats,
  EndpointWithHealth,
  NewEndpoint,
  operations,
  Pause,
  Recovery,
  Replay,
  Resumption,
  RevealedSecrets,
  SigningSecrets,
  TestEvent,
  WaitingDeliveries,
} from './schema.ts';
import { segment, type Transport } from './transport.ts';

type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;

/** A test event. */
export type TestEventToSend = Omit<TestEvent, 'data'> & {
  /** Any object, an `interface` too, of which JSON can be made. */
  readonly data?: object;
};

/** Options of a change that may depend on the state of the endpoint. */
export interface ChangeOptions extends CallOptions {
  /** Changes the endpoint only if it has this `ETag`; else the call throws `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

/** Endpoints of one account. An `id` is `ep_…`, or your own `external_id`. */
export interface Endpoints {
  /** Registers an endpoint. The answer has its signing secret. Not sent again after a lost answer: see `put`. */
  create(endpoint: NewEndpoint, options?: CallOptions): Promise<CreatedEndpoint>;
  /** Creates the endpoint with this id of your own, or changes it. The same call again changes nothing. */
  put(externalId: string, endpoint: DesiredEndpoint, options?: ChangeOptions): Promise<Endpoint | CreatedEndpoint>;
  /** Changes the fields that are given. */
  update(id: string, change: EndpointChange, options?: ChangeOptions): Promise<Endpoint>;
  /** The endpoint, with its health. */
  get(id: string, options?: CallOptions): Promise<EndpointWithHealth>;
  /** Endpoints, newest first. */
  list(query?: ListQuery<'listEndpoints'>, options?: CallOptions): List<EndpointWithHealth, EndpointPage>;
  /** Removes the endpoint. */
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Holds its deliveries until `resume`. */
  pause(id: string, pause?: Pause, options?: CallOptions): Promise<Endpoint>;
  /** Delivers again, what was held too. */
  resume(id: string, resumption?: Resumption, options?: CallOptions): Promise<Endpoint>;
  /** Sends a test event to this endpoint alone. */
  test(id: string, event?: TestEventToSend, options?: CallOptions): Promise<AcceptedEvent>;
  /** Asks its host again whether it wants deliveries. */
  verify(id: string, options?: CallOptions): Promise<Endpoint>;
  /** Its signing secrets. */
  getSecret(id: string, options?: CallOptions): Promise<RevealedSecrets>;
  /** Makes the next signing secret. Deliveries keep the old one until `activateSecret`. */
  rotateSecret(id: string, options?: CallOptions): Promise<SigningSecrets>;
  /** Signs with the next secret from now on. */
  activateSecret(id: string, options?: CallOptions): Promise<SigningSecrets>;
  /** Its deliveries and attempts in a window. */
  stats(id: string, query?: Query<'getEndpointStats'>, options?: CallOptions): Promise<EndpointStats>;
  /** Its failures and latency over a window. */
  health(id: string, query?: Query<'getEndpointHealth'>, options?: CallOptions): Promise<EndpointHistory>;
  /** How many of its deliveries wait. */
  waiting(id: string, options?: CallOptions): Promise<WaitingDeliveries>;
  /** Cancels its unfinished deliveries. */
  cancelDeliveries(id: string, options?: CallOptions): Promise<CancelledDeliveries>;
  /** Sends what failed since a time again, as a bulk replay. */
  recover(id: string, recovery: Recovery, options?: CallOptions): Promise<Replay>;
  /** Its attempts, newest first. */
  attempts(
    id: string,
    query?: ListQuery<'listEndpointAttempts'>,
    options?: CallOptions,
  ): List<AttemptOfEndpoint, AttemptPage>;
}

const PATH = '/api/v1/webhooks/endpoints';
const ONE = `${PATH}/{endpoint_id}` as const;

/** Makes the calls about endpoints. */
export function createEndpoints(transport: Transport): Endpoints {
  const { api, call } = transport;
  return {
    create: async (body, options) => call(options, (how) => api.POST(PATH, { body, ...how })),
    put: async (id, body, options) =>
      call(options, (how) => api.PUT(ONE, { ...of(id), ...matching(options), body, ...how })),
    update: async (id, body, options) =>
      call(options, (how) => api.PATCH(ONE, { ...of(id), ...matching(options), body, ...how })),
    get: async (id, options) => call(options, (how) => api.GET(ONE, { ...of(id), ...how })),
    list: (query, options) =>
      createList(
        query,
        (at) => call(options, (how) => api.GET(PATH, { params: { query: at }, ...how })),
        ({ endpoints }) => endpoints,
      ),
    delete: async (id, options) => call(options, (how) => api.DELETE(ONE, { ...of(id), ...how })),
    pause: async (id, body, options) =>
      call(options, (how) => api.POST(`${ONE}/pause`, { ...of(id), ...(body && { body }), ...how })),
    resume: async (id, body, options) =>
      call(options, (how) => api.POST(`${ONE}/resume`, { ...of(id), ...(body && { body }), ...how })),
    test: async (id, body, options) =>
      call(options, (how) => api.POST(`${ONE}/test`, { ...of(id), ...(body && { body: body as TestEvent }), ...how })),
    verify: async (id, options) => call(options, (how) => api.POST(`${ONE}/verify`, { ...of(id), ...how })),
    cancelDeliveries: async (id, options) =>
      call(options, (how) => api.POST(`${ONE}/cancel-deliveries`, { ...of(id), ...how })),
    recover: async (id, body, options) =>
      call(options, (how) => api.POST(`${ONE}/recover`, { ...of(id), body, ...how })),
    ...createSecretCalls(transport),
    ...createReadings(transport),
  };
}

function createSecretCalls({ api, call }: Transport): Pick<Endpoints, 'getSecret' | 'rotateSecret' | 'activateSecret'> {
  const path = `${ONE}/secret` as const;
  return {
    getSecret: async (id, options) => call(options, (how) => api.GET(path, { ...of(id), ...how })),
    rotateSecret: async (id, options) => call(options, (how) => api.POST(`${path}/rotate`, { ...of(id), ...how })),
    activateSecret: async (id, options) => call(options, (how) => api.POST(`${path}/activate`, { ...of(id), ...how })),
  };
}

function createReadings({ api, call }: Transport): Pick<Endpoints, 'stats' | 'health' | 'waiting' | 'attempts'> {
  return {
    stats: async (id, query = {}, options) =>
      call(options, (how) => api.GET(`${ONE}/stats`, { params: { ...of(id).params, query }, ...how })),
    health: async (id, query = {}, options) =>
      call(options, (how) => api.GET(`${ONE}/health`, { params: { ...of(id).params, query }, ...how })),
    waiting: async (id, options) => call(options, (how) => api.GET(`${ONE}/waiting`, { ...of(id), ...how })),
    attempts: (id, query, options) =>
      createList(
        query,
        (at) => call(options, (how) => api.GET(`${ONE}/attempts`, { params: { ...of(id).params, query: at }, ...how })),
        ({ attempts }) => attempts,
      ),
  };
}

function of(id: string) {
  return { params: { path: { endpoint_id: segment(id) } } };
}

function matching(options: ChangeOptions | undefined) {
  return options?.ifMatch === undefined ? {} : { headers: { 'If-Match': options.ifMatch } };
}
