import { forEachFlag, type EndpointFlagName } from '../../../src/domain/endpoint-flags';
import type { Endpoint } from '../api/answers';
import { jsonOf, parseObject } from '../elements/json-text';
import type { BodyChoice } from './body-shapes';
import { differingFields } from './endpoint-fields';

/** What is sent to make or to change an endpoint. */
export interface EndpointBody {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** The form's fields, as the user edits them: texts and switches. */
export interface EndpointDraft extends Readonly<Record<EndpointFlagName, boolean>> {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  readonly metadata: string;
  readonly retrySchedule: string;
  /** In percent. */
  readonly retryJitter: string;
  readonly maxPerSecond: string;
  readonly headers: string;
  readonly filter: string;
  readonly body: BodyChoice;
  readonly include: string;
  readonly exclude: string;
  readonly authentication: 'none' | 'keep' | 'basic' | 'bearer';
  readonly username: string;
  readonly credential: string;
}

/** A field that can't be sent as it is, and why. */
export type DraftProblems = Partial<Record<keyof EndpointDraft, string>>;

/** The form of a new endpoint, or of one that is there. */
export function draftOf(endpoint?: Endpoint): EndpointDraft {
  const options = endpoint?.options;
  return {
    url: endpoint?.url ?? '',
    events: endpoint?.events ?? ['*'],
    description: endpoint?.description ?? '',
    metadata: jsonOf(endpoint?.metadata ?? {}),
    retrySchedule: options?.retry_schedule?.join(', ') ?? '',
    retryJitter: options?.retry_jitter === null || options === undefined ? '' : percentOf(options.retry_jitter),
    maxPerSecond: options?.max_per_second === null || options === undefined ? '' : String(options.max_per_second),
    ...forEachFlag((name) => options?.[name] ?? false),
    headers: Object.entries(options?.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    filter: jsonOf(options?.filter ?? {}),
    body: options?.body ?? 'default',
    include: options?.include?.join('\n') ?? '',
    exclude: options?.exclude?.join('\n') ?? '',
    // What is stored is never shown again, so it can only be kept or replaced.
    authentication: options?.authentication ? 'keep' : 'none',
    username: options?.authentication?.type === 'basic' ? options.authentication.username : '',
    credential: '',
  };
}

/**
 * What to send for a draft; or which fields can't be read. What is merely not allowed, the server says.
 *
 * @param opened what the form was opened with: a field that is still the same is not sent, because another user may have
 *   changed it. Undefined for a new endpoint.
 */
export function bodyOf(
  draft: EndpointDraft,
  opened?: EndpointDraft,
): { readonly body: EndpointBody; readonly problems: DraftProblems } {
  const problems: DraftProblems = {};
  const read = <T>(field: keyof EndpointDraft, text: string, parse: (text: string) => T | undefined, rule: string) => {
    if (text.trim() === '') return null;
    const value = parse(text);
    if (value === undefined) problems[field] = rule;
    return value;
  };
  const options = {
    retry_schedule: read(
      'retrySchedule',
      draft.retrySchedule,
      parseNumbers,
      'Enter seconds separated by commas: 0, 10, 60',
    ),
    retry_jitter: read('retryJitter', draft.retryJitter, parsePercent, 'Enter a number from 0 to 50'),
    max_per_second: read('maxPerSecond', draft.maxPerSecond, parseNumber, 'Enter a number'),
    ...forEachFlag((name) => draft[name]),
    headers: read('headers', draft.headers, parseHeaders, 'Enter one header per line: Name: value'),
    filter: read('filter', draft.filter, parseObject, 'Enter a JSON object, such as {"total": {"$gte": 100}}'),
    body: draft.body === 'default' ? null : draft.body,
    include: read('include', draft.include, parseLines, 'Enter one path per line'),
    exclude: read('exclude', draft.exclude, parseLines, 'Enter one path per line'),
    ...(draft.authentication !== 'keep' && { authentication: credentialOf(draft) }),
  };
  const metadata =
    read('metadata', draft.metadata, parseObject, 'Enter a JSON object of texts, such as {"owner": "payments"}') ?? {};
  const body = { url: draft.url.trim(), events: draft.events, description: draft.description, metadata, options };
  return { body: opened ? onlyNamed(body, differingFields(opened, draft)) : body, problems };
}

function onlyNamed(body: EndpointBody, fields: readonly { readonly name: string }[]): EndpointBody {
  const isNamed = (name: string): boolean => fields.some((field) => field.name === name);
  const { options = {}, ...rest } = body;
  const plain = Object.entries(rest).filter(([name]) => isNamed(name));
  const named = Object.entries(options).filter(([name]) => isNamed(`options.${name}`));
  return { ...Object.fromEntries(plain), ...(named.length > 0 && { options: Object.fromEntries(named) }) };
}

function credentialOf({ authentication, username, credential }: EndpointDraft): object | null {
  if (authentication === 'basic') return { type: 'basic', username, password: credential };
  return authentication === 'bearer' ? { type: 'bearer', token: credential } : null;
}

function parseNumber(text: string): number | undefined {
  const value = Number(text.trim());
  return Number.isFinite(value) ? value : undefined;
}

/** A share in percent, without the errors of binary fractions: 0.07 is 7, and not 7.000000000000001. */
export function percentOf(share: number): string {
  return String(Number((share * 100).toFixed(6)));
}

function parsePercent(text: string): number | undefined {
  const percent = parseNumber(text);
  return percent === undefined ? undefined : Number((percent / 100).toFixed(8));
}

function parseLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function parseNumbers(text: string): number[] | undefined {
  const values = text.split(',').map(parseNumber);
  return values.includes(undefined) ? undefined : (values as number[]);
}

function parseHeaders(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^([^:]+):\s*(.*)$/.exec(line.trim()));
  if (pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair![1]!.trim(), pair![2]!]));
}
