import { z } from 'zod';
import { productOfPath } from '../domain/api-key';
import { errorExamples } from './error-examples';
import { errorView, tooManyRequestsView } from './error-view';
import type { Answer, Operation } from './operation';

type Json = Record<string, unknown>;

/** Every answer of the key-scoped API carries these (api-spec, "Limits"). */
const LIMIT_HEADERS: Record<string, Json> = {
  'X-RateLimit-Limit': count('Per-minute burst limit of the billing tier.', 10),
  'X-RateLimit-Remaining': count('Burst calls left in the current 60-second window.', 9),
  'X-RateLimit-Reset': count('Unix seconds at which the burst window resets.', 1_796_083_260),
  'X-Quota-Used': count('Calls consumed in the current calendar month (UTC).', 1),
  'X-Quota-Limit': {
    description: 'Calls allowed in the current month, or `unlimited`.',
    schema: { type: 'string', pattern: '^([0-9]+|unlimited)$' },
    example: '500',
  },
};
const OTHER_HEADERS: Record<string, Json> = {
  'X-Request-Id': words('Names this request in the log.'),
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  'WWW-Authenticate': words('The scheme of the API key.', 'Bearer'),
};

const COMMON_ERRORS: Record<number, string> = {
  401: 'The key is missing, malformed, unknown, revoked or expired.',
  429: 'Burst limit, monthly quota or budget of deliveries exceeded.',
  500: 'Internal error; safe to retry with a back-off.',
  503: 'The service can not answer right now; `code` says why, and whether it is certain that nothing was done.',
};
const BODY_ERRORS: Record<number, string> = {
  400: 'The body is malformed.',
  413: 'The body is larger than 256 KiB.',
  415: 'The body is not uncompressed application/json.',
};

/** Makes the OpenAPI 3.1 document from the operations that are served and the schemas that validate. */
export function buildOpenApi(operations: readonly Operation[]): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
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
    servers: [{ url: '/', description: 'This installation' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] ?? name })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'svc_live_<prefix>_<32hex>',
          description:
            'An API key of the product, as `Authorization: Bearer <API_KEY>`. What an operation lists beside it are the ' +
            'scopes that the key must hold, all of them; a key that was created without scopes holds each.',
        },
        anyKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: "An API key of any product: the account's limit holds, and its usage is logged.",
        },
      },
      schemas: { Error: schemaOf(errorView, 'output'), TooManyRequests: schemaOf(tooManyRequestsView, 'output') },
      headers: { ...LIMIT_HEADERS, ...OTHER_HEADERS },
    },
  };
}

const TAGS: Record<string, string> = {
  Keys: 'Validity of API keys.',
  Endpoints: 'Destinations that receive deliveries.',
  Events: 'Ingest, and what became of an event.',
  Deliveries: 'One event on its way to one endpoint.',
  Replays: 'Many deliveries sent again, as a durable job.',
  'Cost estimator': 'A catalog of cloud prices, and estimates exact to the cent. Public; a key is optional.',
};

function describe(operation: Operation): Json {
  const { scopes = [], security = scopes.length > 0 ? [{ apiKey: scopes }] : undefined } = operation;
  const needed = `the ${scopes.length > 1 ? 'scopes' : 'scope'} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`;
  const errors = {
    ...COMMON_ERRORS,
    403: productOfPath(operation.path)
      ? `The key is for another product, lacks ${needed}, or its account is suspended.`
      : 'The account of the key is suspended.',
    400:
      operation.method === 'get'
        ? 'A parameter is malformed or unknown.'
        : 'The request has a body or a parameter that it must not have.',
    ...(operation.body && BODY_ERRORS),
    ...operation.errors,
  };
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    // The viewer shows no scopes of bearer keys, so the words name them too.
    description: scopes.length > 0 ? `${operation.description} Needs ${needed}.` : operation.description,
    ...(security && { security }),
    parameters: [
      ...parametersOf(operation.params, 'path'),
      ...parametersOf(operation.query?.shape, 'query'),
      ...parametersOf(operation.headers?.shape, 'header'),
    ],
    ...(operation.body && {
      requestBody: {
        required: !operation.bodyIsOptional,
        content: {
          'application/json': {
            schema: schemaOf(operation.body, 'input'),
            ...(operation.bodyExample !== undefined && { example: operation.bodyExample }),
          },
        },
      },
    }),
    responses: {
      ...Object.fromEntries(Object.entries(operation.answers).map(([status, answer]) => [status, success(answer)])),
      ...Object.fromEntries(
        Object.entries(errors).map(([status, text]) => [status, failure(operation, Number(status), text)]),
      ),
    },
  };
}

function parametersOf(
  schemas: Readonly<Record<string, z.ZodType>> | undefined,
  where: 'path' | 'query' | 'header',
): Json[] {
  return Object.entries(schemas ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schemaOf(schema, 'input');
    return { name, in: where, required: where === 'path', description: description ?? name, schema: rest };
  });
}

function success({ description, mediaType, schema, headers, example }: Answer): Json {
  return {
    description,
    headers: {
      ...commonHeaders(),
      ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, what]) => [name, words(what)])),
    },
    ...(schema && {
      content: {
        [mediaType ?? 'application/json']: {
          schema: schemaOf(schema, 'output'),
          ...(example !== undefined && { example }),
        },
      },
    }),
  };
}

function failure(operation: Operation, status: number, description: string): Json {
  const schema = { $ref: `#/components/schemas/${status === 429 ? 'TooManyRequests' : 'Error'}` };
  const waits = status === 429 || status === 503;
  return {
    description,
    headers: {
      ...commonHeaders(),
      ...(waits && { 'Retry-After': headerRef('Retry-After') }),
      ...(status === 401 && { 'WWW-Authenticate': headerRef('WWW-Authenticate') }),
    },
    content: { 'application/json': { schema, ...errorExamples(operation, status) } },
  };
}

function commonHeaders(): Json {
  return Object.fromEntries([...Object.keys(LIMIT_HEADERS), 'X-Request-Id'].map((name) => [name, headerRef(name)]));
}

function headerRef(name: string): Json {
  return { $ref: `#/components/headers/${name}` };
}

function count(description: string, example: number): Json {
  return { description, schema: { type: 'integer', minimum: 0 }, example };
}

function words(description: string, example?: string): Json {
  return { description, schema: { type: 'string' }, ...(example !== undefined && { example }) };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // zod spells the calendar out as a pattern beside the format; nobody wants to read that.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  return rest;
}
