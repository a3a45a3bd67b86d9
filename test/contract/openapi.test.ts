import { areOfManagement } from '../../src/domain/scopes';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { loadConfig } from '../../src/config';
import { HELD_REASONS } from '../../src/domain/delivery-contract';
import { DEFAULT_TIERS } from '../../src/domain/tiers';
import { buildOpenApi } from '../../src/openapi/openapi';
import { composeBody, signDelivery } from '../../src/sender/signature';
import { describeOperations } from '../../src/operations';
import { openApi, operations, paths, problemsOf, strictDocument } from '../support/conformance';
import { useTemporaryFolder } from '../support/temporary-folder';

interface Example {
  readonly where: string;
  readonly schema: object;
  readonly value: unknown;
}

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Record<string, { value: unknown }>;
}

interface Answer {
  readonly description: string;
  readonly headers: Record<string, { $ref?: string; description?: string }>;
  /** Not there for an answer without a body. */
  readonly content?: { 'application/json': Media };
}

interface Described {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: { name: string; description?: string }[];
  readonly requestBody?: { required: boolean; content: { 'application/json': Media } };
  readonly responses: Record<string, Answer>;
  readonly security?: object[];
}

const FREE = DEFAULT_TIERS[0]!;

const described = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation: operation as unknown as Described,
  })),
);

const ajv = new Ajv2020({ strict: false, validateSchema: false });
addFormats(ajv);
ajv.addSchema(strictDocument, 'openapi');

/** A schema of the document, without room for fields that it does not name. */
function compiled(schema: object): ValidateFunction {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object);
}

describe('the document and the router', () => {
  const router = describeOperations().api.router;
  const served = router.stack.flatMap(({ path, methods }) =>
    methods
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${String(path).replaceAll(/:(\w+)/g, '{$1}')}`),
  );

  it('every route is documented, and every documented operation has a route', () => {
    expect(served.length).toBeGreaterThanOrEqual(5);
    expect(served.toSorted()).toEqual(described.map(({ name }) => name).toSorted());
  });

  it('each operation has its own id', () => {
    const ids = described.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations).toHaveLength(ids.length);
  });
});

it('says "or null" in the two ways that generators of clients understand', () => {
  const text = JSON.stringify(openApi);
  expect(text).not.toMatch(/"anyOf":\[[^\]]*\{"type":"null"\}\]/);
  expect(openApi).toMatchObject({
    components: {
      schemas: {
        EndpointOptions: {
          properties: {
            retry_schedule: { type: ['array', 'null'], items: { type: 'number' } },
            authentication: { oneOf: [{ $ref: '#/components/schemas/ShownAuthentication' }, { type: 'null' }] },
          },
        },
      },
    },
  });
});

it('marks the delivered request as no call of a client', () => {
  expect(openApi).toMatchObject({ webhooks: { delivery: { post: { 'x-internal': true, tags: ['Receiver'] } } } });
});

it('names the server that callers reach, or the one that it was loaded from', () => {
  const serversOf = (publicUrl?: string) => buildOpenApi(operations, publicUrl)['servers'];
  expect(serversOf('https://everpost.example.com')).toMatchObject([{ url: 'https://everpost.example.com' }]);
  expect(serversOf()).toMatchObject([{ url: '/' }]);
  expect(loadConfig({ PUBLIC_URL: 'https://everpost.example.com/' }).publicUrl).toBe('https://everpost.example.com');
  expect(() => loadConfig({ PUBLIC_URL: 'everpost' })).toThrow('PUBLIC_URL: must be an http or https URL');
});

describe('the linter', () => {
  const folder = useTemporaryFolder();

  /** Runs redocly on a document, without telemetry. @returns what it complains about */
  async function lint(document: unknown): Promise<string[]> {
    const file = join(folder(), `${Math.random()}.json`);
    await writeFile(file, JSON.stringify(document));
    const program = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
    const rules = join(__dirname, 'redocly.yaml');
    const args = [program, 'lint', file, '--config', rules, '--format', 'json', '--max-problems', '1000'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
    const stdout = await new Promise<string>((resolve) =>
      execFile(process.execPath, args, { env, cwd: folder() }, (_error, output) => resolve(output)),
    );
    const report = JSON.parse(stdout) as {
      totals: object;
      problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
    };
    return report.problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
  }

  it('reports nothing about the document', async () => {
    expect(await lint(openApi)).toEqual([]);
  });

  it('reports a missing summary', async () => {
    const broken = JSON.parse(JSON.stringify(openApi)) as typeof openApi;
    const [path] = Object.keys(broken.paths);
    delete (Object.values(broken.paths[path!]!)[0] as { summary?: string }).summary;
    expect(await lint(broken)).toEqual([expect.stringMatching(/^operation-summary:/)]);
  });
});

/** Every JSON object in a part of the document, with its place. */
function* within(
  part: unknown,
  place = '',
): Generator<{ readonly place: string; readonly value: Record<string, unknown> }> {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) yield { place, value: part as Record<string, unknown> };
  for (const [name, member] of Object.entries(part)) yield* within(member, `${place}/${name}`);
}

/** Every schema of an object whose fields are known. */
function objectsOf(document: typeof openApi) {
  return [...within(document)].filter(({ value }) => value['type'] === 'object' && 'properties' in value);
}

describe('the schemas', () => {
  const placesOf = (document: typeof openApi): string[] =>
    objectsOf(document)
      .map(({ place }) => place)
      // The example of an event type has a schema.
      .filter((place) => !place.includes('/json/example/'));

  it('are named components, for each object and each list of them; none is inline', () => {
    expect(placesOf(openApi).length).toBeGreaterThan(50);
    const inline = placesOf(openApi).filter((place) => !/^\/components\/schemas\/[A-Z]\w+$/.test(place));
    // oapi-codegen leaves out a component that only a webhook refers to.
    expect(inline).toEqual(['/webhooks/delivery/post/requestBody/content/application/json/schema']);
    const answers = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ responses }) => responses));
    const bodies = [...within(answers)].flatMap(({ value }) => (value['application/json'] as Media | undefined) ?? []);
    expect(bodies.length).toBeGreaterThan(200);
    for (const { schema } of bodies) expect(schema).toEqual({ $ref: expect.any(String) });
  });

  it('have one name each', () => {
    const written = Object.values(openApi.components.schemas).map((schema) => JSON.stringify(schema));
    expect(written.filter((text, index) => written.indexOf(text) !== index)).toEqual([]);
  });

  it('of requests refuse unnamed fields; those of answers allow more', () => {
    const reachable = (part: unknown): Set<string> => {
      const names = new Set<string>();
      const follow = (from: unknown): void => {
        for (const { value } of within(from)) {
          const name = String(value['$ref']).split('/components/schemas/')[1];
          if (name === undefined || names.has(name)) continue;
          names.add(name);
          follow(openApi.components.schemas[name]);
        }
      };
      follow(part);
      return names;
    };
    const isClosed = (name: string): boolean => {
      const { additionalProperties } = openApi.components.schemas[name] as { additionalProperties?: unknown };
      return additionalProperties === false;
    };
    const each = Object.values(paths).flatMap((methods) => Object.values(methods));
    const answered = reachable(each.map(({ responses }) => responses));
    expect([...answered].filter(isClosed)).toEqual([]);
    const sent = objectsOf(openApi)
      .map(({ place }) => place.split('/').at(-1)!)
      .filter((name) => reachable(each.map(({ requestBody }) => requestBody)).has(name));
    // Items of an estimate may be whole entries of the catalog.
    expect(sent.filter((name) => !isClosed(name))).toEqual(['EstimateItem']);
  });

  it('have no bounds that only repeat the range of JavaScript integers', () => {
    expect(JSON.stringify(openApi)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });
});

describe('the webhook', () => {
  const { parameters, requestBody } = strictDocument.webhooks['delivery']!['post']! as unknown as {
    parameters: { name: string; required: boolean }[];
    requestBody: NonNullable<Described['requestBody']>;
  };
  const secrets = { current: `whsec_${'A'.repeat(32)}`, next: `whsec_${'B'.repeat(32)}` };

  it('has the headers that are sent', () => {
    const delivery = { body: Buffer.from('{}'), eventId: 1, eventType: 'a', timestampSeconds: 1 };
    const sent = Object.keys(signDelivery({ ...delivery, secrets })).filter((name) => name !== 'Content-Type');
    const always = Object.keys(signDelivery({ ...delivery, secrets: { current: secrets.current } }));
    // Only for an endpoint that asks for them.
    const onWish = ['X-Webhook-Event-Timestamp', 'traceparent'];
    expect(parameters.map(({ name }) => name).toSorted()).toEqual([...sent, ...onWish].toSorted());
    for (const { name, required } of parameters) expect([name, required]).toEqual([name, always.includes(name)]);
  });

  it('has the body that is sent', () => {
    const body = composeBody({ id: 1_001, type: 'a', data: Buffer.from('{"b":1}'), timestamp: 1 });
    const { schema, example } = requestBody.content['application/json'];
    const validate = compiled(schema);
    for (const value of [JSON.parse(body.toString()), example])
      expect([validate(value), validate.errors]).toEqual([true, null]);
    expect(validate({ ...(example as object), more: 1 })).toBe(false);
  });
});

describe('the document and the code agree', () => {
  it('lists every reason for which a delivery is held', () => {
    const descriptions = [...JSON.stringify(openApi).matchAll(/"held_for":\{(.*?)"held_since"/g)].map(
      ([, text]) => text!,
    );
    expect(descriptions.length).toBeGreaterThan(0);
    for (const text of descriptions) {
      const [, words = ''] = /"description":"(.*?)"/.exec(text)!;
      expect(HELD_REASONS.filter((reason) => !words.includes(`\`${reason}\``))).toEqual([]);
    }
  });

  it('shows the limits of the smallest tier in its 429', () => {
    const { examples = {} } = described[0]!.operation.responses['429']!.content!['application/json'];
    const values = Object.values(examples).map(({ value }) => value as Record<string, unknown>);
    expect(values.map(({ code }) => code)).toEqual([
      'rate_limit_exceeded',
      'quota_exceeded',
      'delivery_budget_exceeded',
      'pending_budget_exceeded',
      'filter_budget_exceeded',
      'storage_budget_exceeded',
    ]);
    const limits = [FREE.perMinute, FREE.monthlyQuota, FREE.deliveriesPerMinute, FREE.pendingDeliveries];
    for (const [index, limit] of limits.entries()) expect(values[index]!['error']).toContain(` ${limit} `);
  });
});

describe.each(described)('$name', ({ name, operation }) => {
  it('has a summary and a description', () => {
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(operation.summary.length).toBeGreaterThan(3);
    expect(operation.description.length).toBeGreaterThan(10);
    expect(operation.tags).toHaveLength(1);
    for (const { description } of operation.parameters) expect(description?.length).toBeGreaterThan(5);
  });

  it("needs a key with its scopes, and says so in words; the estimator's key is optional", () => {
    const { scopes = [], forInstallation } = operations.find(({ id }) => id === operation.operationId)!;
    const isPublic = name.includes('/api/cost-estimator');
    const ofManagement = { managementKey: scopes };
    const ofKeys = forInstallation || areOfManagement(scopes) ? [ofManagement] : [{ apiKey: scopes }, ofManagement];
    expect(operation.security ?? openApi.security).toEqual(isPublic ? [{}, { anyKey: [] }] : ofKeys);
    for (const scope of scopes) {
      expect(operation.description).toContain(`\`${scope}\``);
    }
    expect(scopes.length > 0).toBe(/\/api\/v1\/(webhooks|usage|reports|accounts|event-types)/.test(name));
  });

  it('documents every status that all operations share, with its headers', () => {
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(expect.arrayContaining(['401', '403', '429', '500', '503']));
    if (operation.requestBody) expect(statuses).toEqual(expect.arrayContaining(['400', '413', '415']));
    if (operation.parameters.length > 0) expect(statuses).toContain('400');
    expect(statuses.filter((status) => status.startsWith('2')).length).toBeGreaterThan(0);
    for (const [status, answer] of Object.entries(operation.responses)) {
      const names = Object.keys(answer.headers);
      expect(names).toEqual(
        expect.arrayContaining([
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'X-Quota-Used',
          'X-Quota-Limit',
          'X-Request-Id',
        ]),
      );
      expect(names.includes('Retry-After')).toBe(['429', '503'].includes(status));
      expect(names.includes('WWW-Authenticate')).toBe(status === '401');
      expect(answer.description.length).toBeGreaterThan(5);
    }
  });

  it('has an example of every body, and each fits its schema', () => {
    const examples: Example[] = [];
    const add = (where: string, { schema, example, examples: named }: Media): void => {
      const values = named ? Object.values(named).map(({ value }) => value) : [example];
      for (const value of values) examples.push({ where, schema, value });
    };
    if (operation.requestBody) add('request', operation.requestBody.content['application/json']);
    for (const [status, { content }] of Object.entries(operation.responses))
      for (const media of Object.values(content ?? {})) add(status, media);
    for (const { where, schema, value } of examples) {
      expect([where, value]).toEqual([where, expect.anything()]);
      const validate = compiled(schema);
      expect([where, validate(value), validate.errors]).toEqual([where, true, null]);
    }
  });
});

/** Of a window that begins now, in Unix seconds. */
const endOfWindow = (): string => String(Math.floor(Date.now() / 1_000) + 60);

describe('the check on every answer in test/api', () => {
  const headers = {
    'x-request-id': 'req_1',
    'content-type': 'application/json; charset=utf-8',
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': '9',
    'x-ratelimit-reset': endOfWindow(),
    'x-quota-used': '1',
    'x-quota-limit': '500',
  };
  const right = {
    method: 'GET',
    path: '/api/v1/keys/self',
    status: 200,
    headers: new Map(Object.entries(headers)),
    text: '{"product":"weh","label":"x","account_id":"acc_1","scopes":[],"expires_at":null,"tier":"free"}',
  };
  const withHeaders = (changes: Record<string, string | undefined>) =>
    new Map(
      Object.entries({ ...headers, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );

  it('accepts a correct answer', () => {
    // The file may have been loaded more than a window ago.
    expect(problemsOf({ ...right, headers: withHeaders({ 'x-ratelimit-reset': endOfWindow() }) })).toEqual([]);
  });

  it.each<[what: string, changes: Partial<typeof right>, problem: RegExp]>([
    ['an undocumented status', { status: 418 }, /status 418 is not documented/],
    ['a missing field', { text: right.text.replace(',"tier":"free"', '') }, /tier/],
    ['an undocumented field', { text: right.text.replace('}', ',"hash":"x"}') }, /additional/],
    ['a wrong type', { text: right.text.replace('"free"', '1') }, /tier/],
    ['no JSON', { text: 'ok' }, /not JSON/],
    ['another type of content', { headers: withHeaders({ 'content-type': 'text/html' }) }, /Content-Type/],
    ['no request id', { headers: withHeaders({ 'x-request-id': undefined }) }, /X-Request-Id/],
    ['a missing limit header', { headers: withHeaders({ 'x-quota-used': undefined }) }, /x-quota-used is missing/],
    ['a limit that is not a number', { headers: withHeaders({ 'x-ratelimit-limit': 'ten' }) }, /X-RateLimit-Limit/],
    ['more left than the limit', { headers: withHeaders({ 'x-ratelimit-remaining': '11' }) }, /11 of 10/],
    ['a window in the past', { headers: withHeaders({ 'x-ratelimit-reset': '1' }) }, /window/],
    ['Retry-After for no reason', { headers: withHeaders({ 'retry-after': '1' }) }, /Retry-After/],
    ['an error without a code', { status: 500, text: '{"error":"x","request_id":"req_1"}' }, /code/],
    [
      'an error with another request id',
      { status: 500, text: '{"error":"x","code":"internal_error","request_id":"req_2"}' },
      /request_id/,
    ],
    [
      '401 without WWW-Authenticate',
      { status: 401, text: '{"error":"x","code":"invalid_api_key","request_id":"req_1"}' },
      /WWW-Authenticate/,
    ],
    [
      'a burst 429 without retry_after',
      {
        status: 429,
        text: '{"error":"x","code":"invalid_api_key","request_id":"req_1","remaining":0}',
        headers: withHeaders({ 'retry-after': '1' }),
      },
      /schema/,
    ],
    ['an unknown path without an error', { path: '/api/v1/x', status: 404, text: '{}' }, /schema/],
  ])('refuses %s', (_what, changes, problem) => {
    expect(problemsOf({ ...right, ...changes }).join('\n')).toMatch(problem);
  });
});
