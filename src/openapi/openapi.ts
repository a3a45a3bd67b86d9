import type { z } from 'zod';
import {
  DELIVERED_EXAMPLE,
  DELIVERY_TAG,
  DELIVERY_WEBHOOK,
  deliveredHeaders,
  deliveredView,
} from './delivered-request';
import { areOfManagement } from '../domain/scopes';
import { ACCOUNT_HEADER } from '../http/account-header';
import { errorExamples } from './error-examples';
import { errorView, tooManyRequestsView } from '../http/error-view';
import { jsonSchemas, type Json, type JsonSchemas } from './json-schemas';
import type { Answer, Operation, Tag } from '../http/route';
import { ANSWER_HEADERS, headersOf, words } from './openapi-headers';

/** Errors that are the same everywhere: written once under this name, and referred to. */
const SHARED_ERRORS: Readonly<Record<number, { readonly name: string; readonly description: string }>> = {
  400: { name: 'BadRequest', description: 'The body or a parameter is malformed, unknown or not allowed.' },
  401: { name: 'Unauthorized', description: 'The key is missing, malformed, unknown, revoked or expired.' },
  403: {
    name: 'Forbidden',
    description: 'The key is for another product or lacks a scope of the operation, or its account is suspended.',
  },
  404: { name: 'AccountNotFound', description: 'The header `Everpost-Account` names no account.' },
  413: { name: 'PayloadTooLarge', description: 'The body is larger than 256 KiB.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not uncompressed application/json.' },
  429: { name: 'TooManyRequests', description: 'Burst limit, monthly quota or budget of deliveries exceeded.' },
  500: { name: 'InternalError', description: 'Internal error; safe to retry with a back-off.' },
  503: {
    name: 'Unavailable',
    description: "The service can't answer right now; `code` says why, and whether the call certainly had no effect.",
  },
};
const OF_ALL = [400, 401, 403, 429, 500, 503];
const OF_BODIES = [413, 415];
const OF_ACCOUNTS = [404];

/** The schemas of the document: of requests and of answers. */
interface Schemas {
  readonly sent: JsonSchemas;
  readonly answered: JsonSchemas;
}

/**
 * Makes the OpenAPI 3.1 document from the operations that are served and the schemas that validate.
 *
 * @param publicUrl the URL under which callers reach the API; if unknown, the document refers to where it was loaded
 *   from
 */
export function buildOpenApi(operations: readonly Operation[], publicUrl = '/'): Json {
  const schemas = {
    sent: jsonSchemas(operations.flatMap(sentIn), 'input'),
    answered: jsonSchemas([...operations.flatMap(answeredIn), ...ERROR_VIEWS, ...DELIVERED], 'output'),
  };
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Everpost API',
      version: '1',
      summary: 'Durable webhook delivery',
      description:
        'Register HTTPS destinations, post events, and every matching destination gets a signed POST: ' +
        '8 attempts over 26 h 35 min, deduplicated ingest, full attempt history.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: 'This installation' }],
    tags: tagsOf(operations),
    security: [{ apiKey: [] }],
    paths,
    webhooks: { delivery: { post: describeDelivery(schemas.answered) } },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { ...schemas.sent.components, ...schemas.answered.components },
      responses: Object.fromEntries(
        Object.entries(SHARED_ERRORS).map(([status, { name, description }]) => [
          name,
          failure(Number(status), description, errorExamples(Number(status)), schemas),
        ]),
      ),
      headers: ANSWER_HEADERS,
    },
  };
}

/** The groups of the operations, each once. */
function tagsOf(operations: readonly Operation[]): Tag[] {
  const tags = [...operations.map(({ tag }) => tag), DELIVERY_TAG];
  return [...new Map(tags.map((tag) => [tag.name, tag])).values()];
}

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_live_<prefix>_<32hex>',
    description:
      'An API key of the product, as `Authorization: Bearer <API_KEY>`. An operation lists the ' +
      'scopes that the key must have, all of them; a key that was created without scopes has all.',
  },
  managementKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_admin_<32hex>',
    description:
      'A management key of the installation, as `Authorization: Bearer <API_KEY>`. It acts for the account that the ' +
      'header `Everpost-Account` names.',
  },
  anyKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description:
      "An API key of any product, as `x-api-key: <API_KEY>`: the account's limit applies, and its usage is counted.",
  },
};

const ERROR_VIEWS = [errorView, tooManyRequestsView];
const DELIVERED = [deliveredView, ...Object.values(deliveredHeaders.shape)];

function sentIn(operation: Operation): z.ZodType[] {
  const { query, headers, body } = operation;
  const shapes = [pathSchemasOf(operation), query?.shape ?? {}, headers?.shape ?? {}];
  return [...shapes.flatMap((shape) => Object.values(shape)), ...(body ? [body] : [])] as z.ZodType[];
}

function answeredIn({ answers }: Operation): z.ZodType[] {
  return Object.values(answers).flatMap(({ schema }) => (schema ? [schema] : []));
}

function describe(operation: Operation, schemas: Schemas): Json {
  const { scopes = [], security = securityOf(operation) } = operation;
  const needed = `the ${scopes.length > 1 ? 'scopes' : 'scope'} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`;
  const statuses = [
    ...OF_ALL,
    ...(operation.body ? OF_BODIES : []),
    ...(actsForAccount(operation) ? OF_ACCOUNTS : []),
    ...Object.keys(operation.errors ?? {}).map(Number),
  ];
  return {
    operationId: operation.id,
    tags: [operation.tag.name],
    summary: operation.summary,
    // Viewers show no scopes of bearer keys, so the description names them too.
    description: scopes.length > 0 ? `${operation.description} Needs ${needed}.` : operation.description,
    ...(security && { security }),
    parameters: [
      ...parametersOf(pathSchemasOf(operation), 'path', schemas.sent),
      ...parametersOf(operation.query?.shape, 'query', schemas.sent),
      ...parametersOf(operation.headers?.shape, 'header', schemas.sent),
      ...(actsForAccount(operation) ? [ACCOUNT_PARAMETER] : []),
    ],
    ...(operation.body && {
      requestBody: {
        required: !operation.bodyIsOptional,
        content: {
          'application/json': {
            schema: schemas.sent.of(operation.body),
            ...(operation.bodyExample !== undefined && { example: operation.bodyExample }),
          },
        },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, answer]) => [status, success(answer, schemas)]),
      ),
      ...Object.fromEntries(statuses.map((status) => [status, failureOf(operation, status, schemas)])),
    },
  };
}

/** Whether a management key has to name an account. */
function actsForAccount({ scopes, forInstallation, needsNoAccount }: Operation): boolean {
  return scopes !== undefined && !forInstallation && !needsNoAccount;
}

const ACCOUNT_PARAMETER = {
  name: ACCOUNT_HEADER,
  in: 'header',
  required: false,
  description: 'With a management key: the account, by its `external_id` or its id.',
  schema: { type: 'string' },
  example: 'cus_42',
};

/** The keys that an operation accepts; undefined for those of most operations. */
function securityOf({ scopes, forInstallation }: Operation): Operation['security'] {
  if (scopes === undefined) return undefined;
  const ofManagement = { managementKey: scopes };
  return forInstallation || areOfManagement(scopes) ? [ofManagement] : [{ apiKey: scopes }, ofManagement];
}

function pathSchemasOf({ params = {} }: Operation): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(params).map(([name, { schema }]) => [name, schema]));
}

/** The parameters of a place, by name. */
export function parametersOf(
  schemas: Readonly<Record<string, z.ZodType>> | undefined,
  where: 'path' | 'query' | 'header',
  json: JsonSchemas,
): Json[] {
  return Object.entries(schemas ?? {}).map(([name, schema]) => {
    const { description, ...rest } = json.of(schema);
    const required = !schema.safeParse(undefined).success;
    return { name, in: where, required, description: description ?? name, schema: rest };
  });
}

function success({ description, mediaType, schema, headers = {}, example }: Answer, { answered }: Schemas): Json {
  return {
    description,
    headers: {
      ...headersOf(),
      ...Object.fromEntries(Object.entries(headers).map(([name, what]) => [name, words(what)])),
    },
    ...(schema && {
      content: {
        [mediaType ?? 'application/json']: {
          schema: answered.of(schema),
          ...(example !== undefined && { example }),
        },
      },
    }),
  };
}

/** An operation's own description or example, if it has one; otherwise the shared ones. */
function failureOf({ errors = {}, errorExamples: own = {} }: Operation, status: number, schemas: Schemas): Json {
  const shared = SHARED_ERRORS[status];
  if (shared && errors[status] === undefined && !own[status]) return { $ref: `#/components/responses/${shared.name}` };
  return failure(status, errors[status] ?? shared!.description, errorExamples(status, own[status]), schemas);
}

function failure(status: number, description: string, examples: object, { answered }: Schemas): Json {
  const schema = answered.of(status === 429 ? tooManyRequestsView : errorView);
  return { description, headers: headersOf(status), content: { 'application/json': { schema, ...examples } } };
}

/** What receivers get, and what they answer. */
function describeDelivery(json: JsonSchemas): Json {
  return {
    ...DELIVERY_WEBHOOK,
    security: [],
    parameters: parametersOf(deliveredHeaders.shape, 'header', json),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: json.of(deliveredView), example: DELIVERED_EXAMPLE } },
    },
  };
}
