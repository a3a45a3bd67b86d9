import { z } from 'zod';
import { addOperation } from '../http/operation';
import { readBody } from '../http/read-body';
import type { Api, WrittenOperation } from '../http/route';
import type { HttpContext } from '../http/request-state';
import type { CurrentCatalog } from './current-catalog';
import { estimateBody } from './estimate-cost';
import { CATALOG_EXAMPLE, EQUIVALENTS_EXAMPLE, ESTIMATE_EXAMPLE, SOURCES_EXAMPLE } from './examples';
import { presentCatalog, presentEquivalents, presentEstimate, presentSources, type CatalogAnswer } from './present';
import {
  catalogQuery,
  catalogView,
  EQUIVALENTS_PATH,
  equivalentsView,
  estimateRequest,
  estimateView,
  ESTIMATOR_OPERATIONS,
  ESTIMATOR_PATH,
  SOURCES_PATH,
} from './schema';
import { sourcesView } from './source-schema';

export interface EstimatorRouteDeps {
  readonly catalog: CurrentCatalog;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The answers of a list that is made once and cached. */
function cachedList(
  description: string,
  schema: z.ZodType,
  example: unknown,
): Pick<WrittenOperation, 'answers' | 'errorExamples'> {
  const headers = { ETag: 'Names this answer.', 'Cache-Control': 'How long it may be cached.' };
  const unchanged = 'Nothing has changed since the answer with the `ETag` in `If-None-Match`.';
  return {
    answers: { 200: { description, schema, example, headers }, 304: { description: unchanged } },
    errorExamples: {
      400: {
        error: '"provider" must be one of aws, azure, gcp (or cloud_a, cloud_b, cloud_c).',
        code: 'invalid_request',
      },
    },
  };
}

/** The common parts of all operations: anyone may call them, with any product's key or without one. */
const common = {
  path: ESTIMATOR_PATH,
  tag: {
    name: 'Cost estimator',
    description: 'A catalog of cloud prices, and estimates exact to the cent. Public; a key is optional.',
  },
  security: [{}, { anyKey: [] }],
} satisfies Partial<WrittenOperation>;

const GET_CATALOG = {
  ...common,
  id: ESTIMATOR_OPERATIONS[`GET ${ESTIMATOR_PATH}`]!,
  method: 'get',
  summary: 'List the priced services',
  description:
    'The catalog, in a stable order: the usual choice of each service comes first. Both filters can be combined. ' +
    'Send `If-None-Match` with the `ETag` of the previous answer to get 304 while nothing has changed.',
  query: catalogQuery,
  ...cachedList('The entries.', catalogView, CATALOG_EXAMPLE),
} satisfies WrittenOperation;

const LIST_EQUIVALENTS = {
  ...common,
  path: EQUIVALENTS_PATH,
  id: ESTIMATOR_OPERATIONS[`GET ${EQUIVALENTS_PATH}`]!,
  method: 'get',
  summary: 'List what may be compared',
  description:
    'For each entry of the catalog, what the other two providers have in its place, with the reason: the same engine, ' +
    'as many vCPUs, memory within 10 %, the same copies, a complete price, in the same part of the world. Where there ' +
    'is no such entry, `offers` is empty and `reason` says why.',
  query: catalogQuery,
  ...cachedList('The entries, each with its equivalents.', equivalentsView, EQUIVALENTS_EXAMPLE),
} satisfies WrittenOperation;

const LIST_SOURCES = {
  ...common,
  path: SOURCES_PATH,
  id: ESTIMATOR_OPERATIONS[`GET ${SOURCES_PATH}`]!,
  method: 'get',
  summary: 'List where the prices come from',
  description:
    'For each entry of the catalog, the source of its price, the date of the source, and how it was derived.',
  query: catalogQuery,
  ...cachedList('The entries, each with its source.', sourcesView, SOURCES_EXAMPLE),
} satisfies WrittenOperation;

const ESTIMATE_COST: WrittenOperation = {
  ...common,
  id: ESTIMATOR_OPERATIONS[`POST ${ESTIMATOR_PATH}`]!,
  method: 'post',
  summary: 'Estimate monthly and annual cost',
  description:
    'Multiplies and adds exact decimals, and rounds half up at the end: the total is the sum of the exact ' +
    'lines. Names ignore case. Nothing is priced in part: with one wrong item, the answer lists ' +
    'all problems. Other fields of an item are ignored, so whole catalog entries can be pasted; `warnings` lists ' +
    'fields that were ignored and say something else than the estimate, and quantities that are doubtful.',
  body: estimateRequest,
  // Names are compared with the catalog, so the estimate has messages of its own.
  readsBody: true,
  bodyExample: {
    items: [
      { provider: 'aws', service: 'EC2', instance: 't3.medium', quantity: 2 },
      { provider: 'cloud_a', service: 'S3', quantity: 1, gbPerMonth: 500 },
    ],
  },
  answers: { 200: { description: 'The estimate.', schema: estimateView, example: ESTIMATE_EXAMPLE } },
  errors: {
    413: 'The body is larger than 64 KiB, or has more than 2,000 values.',
    422: 'A service or an instance is not in the catalog.',
  },
  errorExamples: {
    413: { error: 'The body is larger than 65536 bytes (64 KiB).', code: 'payload_too_large' },
    400: { error: '"items[0].quantity" must be a number from 0 to 1000000000.', code: 'invalid_request' },
    422: {
      error: '"items[0].service" is not a service of aws in the catalog; did you mean "Lambda"?',
      code: 'unknown_service',
    },
  },
};

/** Private, because the headers have the caller's limits, and a call with a key is counted. */
const CATALOG_CACHING = { 'Cache-Control': 'private, max-age=60', Vary: 'X-Api-Key' };
const JSON_TYPE = 'application/json; charset=utf-8';
const anyJson = z.unknown();
/**
 * Twice the size of 100 whole catalog entries, and 20 values for each of them, and no more, because anyone may send it:
 * 64 KiB of small values would take longer to parse than a stranger may cost.
 */
const ESTIMATE_LIMITS = { maxBytes: 64 * 1_024, maxValues: 2_000 };

/** Adds the operations of the cost estimator. */
export function addEstimatorRoutes(api: Api, deps: EstimatorRouteDeps): void {
  type List = typeof GET_CATALOG | typeof LIST_EQUIVALENTS | typeof LIST_SOURCES;
  const addList = (operation: List, present: typeof presentCatalog): void =>
    addOperation(api, operation, ({ query, ctx }) => {
      sendCached(ctx, present(deps.catalog.get(), query));
    });
  addList(GET_CATALOG, presentCatalog);
  addList(LIST_EQUIVALENTS, presentEquivalents);
  addList(LIST_SOURCES, presentSources);
  addOperation(api, ESTIMATE_COST, async ({ ctx }) => {
    const { value } = await readBody(ctx, anyJson, ESTIMATE_LIMITS);
    const estimate = estimateBody(deps.catalog.get().index, value);
    ctx.set({ 'Cache-Control': 'no-store', 'Content-Type': JSON_TYPE });
    return presentEstimate(estimate, new Date(deps.clock()));
  });
}

function sendCached(ctx: HttpContext, { body, etag }: CatalogAnswer): void {
  ctx.set({ ...CATALOG_CACHING, ETag: etag });
  if (namesTag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  ctx.set('Content-Type', JSON_TYPE);
  ctx.body = body;
}

/**
 * Whether `If-None-Match` contains the tag (RFC 9110, 13.1.2). Not koa's `fresh`, which answers 200 if the request has
 * `Cache-Control: no-cache`, as Node's fetch sends it: that header is for caches, and there is none here.
 */
function namesTag(header: string, etag: string): boolean {
  return header === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
