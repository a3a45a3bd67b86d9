import type { CallOptions } from './patience.ts';
import type {
  AccountHealth,
  ApiKey,
  Catalog,
  DeliveryReport,
  EquivalentsList,
  Estimate,
  EstimateRequest,
  PriceSourceList,
  Usage,
  operations,
} from './schema.ts';
import type { Transport } from './transport.ts';

type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;

/** The results of a month's deliveries. */
export interface Reports {
  /** By day, endpoint, type or key. */
  deliveries(query?: Query<'getDeliveryReport'>, options?: CallOptions): Promise<DeliveryReport>;
  /** The same, as CSV. */
  deliveriesCsv(query?: Query<'exportDeliveryReport'>, options?: CallOptions): Promise<string>;
}

/** What the account used. */
export interface UsageCalls {
  /** Calls, quota and limits. */
  get(query?: Query<'getUsage'>, options?: CallOptions): Promise<Usage>;
}

/** How the endpoints of the account are. */
export interface Health {
  /** Over a window. */
  get(query?: Query<'getHealth'>, options?: CallOptions): Promise<AccountHealth>;
}

/** The API key of the client. */
export interface Keys {
  /** Its product, scopes and expiry. */
  getOwn(options?: CallOptions): Promise<ApiKey>;
}

/** Prices of cloud services. */
export interface CostEstimator {
  /** The catalog of prices. */
  catalog(query?: Query<'getCatalog'>, options?: CallOptions): Promise<Catalog>;
  /** Services of other providers that do the same. */
  equivalents(query?: Query<'listEquivalents'>, options?: CallOptions): Promise<EquivalentsList>;
  /** Where each price comes from, and of which day it is. */
  sources(query?: Query<'listPriceSources'>, options?: CallOptions): Promise<PriceSourceList>;
  /** What the items cost in a month and in a year. */
  estimate(request: EstimateRequest, options?: CallOptions): Promise<Estimate>;
}

/** Makes the calls that read figures of one account. */
export function createFigures({ api, call }: Transport) {
  const report = '/api/v1/reports/deliveries' as const;
  const reports: Reports = {
    deliveries: async (query = {}, options) => call(options, (how) => api.GET(report, { params: { query }, ...how })),
    deliveriesCsv: async (query = {}, options) =>
      call(options, (how) => api.GET(`${report}.csv`, { params: { query }, parseAs: 'text', ...how })),
  };
  const usage: UsageCalls = {
    get: async (query = {}, options) => call(options, (how) => api.GET('/api/v1/usage', { params: { query }, ...how })),
  };
  const health: Health = {
    get: async (query = {}, options) =>
      call(options, (how) => api.GET('/api/v1/webhooks/health', { params: { query }, ...how })),
  };
  const keys: Keys = { getOwn: async (options) => call(options, (how) => api.GET('/api/v1/keys/self', { ...how })) };
  return { reports, usage, health, keys };
}

/** Makes the calls about prices. */
export function createCostEstimator({ api, call }: Transport): CostEstimator {
  const path = '/api/cost-estimator' as const;
  return {
    catalog: async (query = {}, options) => call(options, (how) => api.GET(path, { params: { query }, ...how })),
    equivalents: async (query = {}, options) =>
      call(options, (how) => api.GET(`${path}/equivalents`, { params: { query }, ...how })),
    sources: async (query = {}, options) =>
      call(options, (how) => api.GET(`${path}/sources`, { params: { query }, ...how })),
    estimate: async (body, options) => call(options, (how) => api.POST(path, { body, ...how })),
  };
}
