import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { describeOperations } from '../../src/operations';
import { buildOpenApi } from '../../src/openapi/openapi';
import { OPEN_ENUM } from '../../src/http/open-enum';
import type { Operation } from '../../src/http/route';

/** The parts of an answer that are checked. Header names are in lower case. */
export interface SeenAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The body as text; empty when there is none. */
  readonly text: string;
}

interface DocumentedAnswer {
  readonly $ref?: string;
  readonly headers?: Record<string, { $ref?: string; schema?: object }>;
  readonly content?: Record<string, unknown>;
}

interface DocumentedOperation {
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly security?: readonly object[];
  readonly responses: Record<string, DocumentedAnswer>;
}

/** The parts of the document that tests read. */
export interface OpenApiDocument {
  readonly paths: Record<string, Record<string, DocumentedOperation>>;
  readonly webhooks: Record<string, Record<string, DocumentedOperation>>;
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly responses: Record<string, DocumentedAnswer>;
    readonly headers: Record<string, { schema: object }>;
  };
  readonly security: readonly object[];
}

/** The operations of the product; their handlers are never called here. */
export const operations: readonly Operation[] = describeOperations().api.operations;
export const openApi = buildOpenApi(operations) as unknown as OpenApiDocument;

/** The document with shared answers inlined. */
export const paths = JSON.parse(JSON.stringify(openApi.paths), (_key, value: unknown) => {
  const [, name] = /^#\/components\/responses\/(\w+)$/.exec((value as DocumentedAnswer | null)?.$ref ?? '') ?? [];
  return name === undefined ? value : openApi.components.responses[name];
}) as OpenApiDocument['paths'];

/**
 * The document without any freedom: its objects have only the fields that it names, and its open lists only the values.
 * The document itself does not say so, because an answer may gain fields, and a list values.
 */
export const strictDocument = JSON.parse(JSON.stringify({ ...openApi, paths }), (_key, value: unknown) => {
  const { type, properties, additionalProperties, [OPEN_ENUM]: known } = (value ?? {}) as Record<string, unknown>;
  if (known !== undefined) return { ...(value as object), enum: known };
  const isOpen = type === 'object' && properties !== undefined && additionalProperties === undefined;
  return isOpen ? { ...(value as object), additionalProperties: false } : value;
}) as OpenApiDocument;

const LIMIT_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-quota-used',
  'x-quota-limit',
];
const WINDOW_SECONDS = 60;

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
addFormats(ajv);
ajv.addSchema(strictDocument, 'openapi');
const validators = new Map<string, ValidateFunction>();

function validatorOf(...pointer: readonly string[]): ValidateFunction {
  const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  let validate = validators.get(path);
  if (!validate) {
    validate = ajv.compile({ $ref: `openapi#/${path}` });
    validators.set(path, validate);
  }
  return validate;
}

/** Paths without parameters first, as OpenAPI requires: `events/batch` is not an event. */
const templates = Object.keys(paths)
  .toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
  .map((template) => ({ template, pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }));

/**
 * Finds contradictions between an answer and the OpenAPI document, or the rules for every answer of the API.
 *
 * @returns one line for each problem; empty for a correct answer
 */
export function problemsOf(answer: SeenAnswer): string[] {
  const path = answer.path.split('?')[0] ?? '';
  const template = templates.find(({ pattern }) => pattern.test(path))?.template;
  const method = answer.method.toLowerCase();
  const documented = template === undefined ? undefined : paths[template]?.[method];
  const problems = answer.headers.has('x-request-id') ? [] : ['X-Request-Id is missing'];
  if (/^\/api\/(v1|cost-estimator)(\/|$)/.test(path)) problems.push(...problemsOfLimits(answer));
  if (answer.method === 'HEAD') return problems;
  if (documented && template !== undefined)
    return [...problems, ...problemsOfOperation(answer, template, method, documented)];
  if (answer.status >= 400 && path !== '/readyz') problems.push(...problemsOfError(answer));
  return problems;
}

/** Whether the text is the body of an error, as the document describes it. */
export function problemsOfError(answer: Pick<SeenAnswer, 'status' | 'headers' | 'text'>): string[] {
  const schema = answer.status === 429 ? 'TooManyRequests' : 'ApiError';
  const problems = problemsOfBody(answer, validatorOf('components', 'schemas', schema));
  const requestId = answer.headers.get('x-request-id');
  if (problems.length === 0 && (JSON.parse(answer.text) as { request_id: string }).request_id !== requestId) {
    problems.push('request_id is not X-Request-Id');
  }
  return problems;
}

function problemsOfOperation(
  answer: SeenAnswer,
  template: string,
  method: string,
  documented: DocumentedOperation,
): string[] {
  const description = documented.responses[String(answer.status)];
  if (!description) return [`status ${answer.status} is not documented`];
  const problems: string[] = [];
  for (const [name, header] of Object.entries(description.headers ?? {})) {
    const value = answer.headers.get(name.toLowerCase());
    if (value === undefined) {
      problems.push(`header ${name} is documented and missing`);
      continue;
    }
    const pointer = ['paths', template, method, 'responses', String(answer.status), 'headers', name, 'schema'];
    const validate = header.$ref ? validatorOf('components', 'headers', name, 'schema') : validatorOf(...pointer);
    // In HTTP every header is text.
    const fits = validate(value) || (/^\d+$/.test(value) && validate(Number(value)));
    if (!fits) problems.push(`header ${name}: ${String(value)} ${ajv.errorsText(validate.errors)}`);
  }
  if (answer.status >= 400) return [...problems, ...problemsOfError(answer)];
  if (!description.content) return [...problems, ...(answer.text === '' ? [] : ['an answer without a body has one'])];
  const [mediaType = ''] = Object.keys(description.content);
  const content = ['content', mediaType, 'schema'];
  const schema = validatorOf('paths', template, method, 'responses', String(answer.status), ...content);
  const isJson = mediaType === 'application/json';
  return [...problems, ...(isJson ? problemsOfBody(answer, schema) : problemsOfText(answer, mediaType, schema))];
}

function problemsOfBody(answer: Pick<SeenAnswer, 'headers' | 'text'>, validate: ValidateFunction): string[] {
  const type = answer.headers.get('content-type') ?? 'none';
  if (!/^application\/json(;|$)/.test(type)) return [`Content-Type is ${type}`];
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    return [`the body is not JSON: ${answer.text.slice(0, 200)}`];
  }
  return validate(body) ? [] : [`the body does not fit its schema: ${ajv.errorsText(validate.errors)}`];
}

function problemsOfText(
  { headers, text }: Pick<SeenAnswer, 'headers' | 'text'>,
  mediaType: string,
  validate: ValidateFunction,
): string[] {
  const type = headers.get('content-type') ?? 'none';
  if (type.split(';')[0] !== mediaType) return [`Content-Type is ${type}`];
  return validate(text) ? [] : [`the text does not fit its schema: ${ajv.errorsText(validate.errors)}`];
}

/** The rules of the limit headers that a schema can't express. */
function problemsOfLimits({ headers, status }: SeenAnswer): string[] {
  const missing = LIMIT_HEADERS.filter((name) => !headers.has(name)).map((name) => `${name} is missing`);
  if (missing.length > 0) return missing;
  const [limit, remaining, reset, used] = LIMIT_HEADERS.map((name) => Number(headers.get(name))) as [
    number,
    number,
    number,
    number,
  ];
  const quota = headers.get('x-quota-limit');
  const nowSeconds = Date.now() / 1_000;
  const rules: [boolean, string][] = [
    [Number.isInteger(remaining) && remaining >= 0 && remaining <= limit, `${remaining} of ${limit} calls are left`],
    [
      Number.isInteger(reset) && reset > nowSeconds - 5 && reset < nowSeconds + WINDOW_SECONDS + 5,
      `the window ends at ${reset}`,
    ],
    [Number.isInteger(used) && used >= 0, `${used} calls are used`],
    [quota === 'unlimited' || /^\d+$/.test(quota ?? ''), `the quota is ${quota}`],
    [
      headers.has('retry-after') === (status === 429 || status === 503),
      `Retry-After is ${headers.get('retry-after')} with ${status}`,
    ],
    [
      headers.has('www-authenticate') === (status === 401),
      `WWW-Authenticate is ${headers.get('www-authenticate')} with ${status}`,
    ],
    [headers.has('allow') === (status === 405), `Allow is ${headers.get('allow')} with ${status}`],
  ];
  return rules.filter(([holds]) => !holds).map(([, text]) => text);
}
