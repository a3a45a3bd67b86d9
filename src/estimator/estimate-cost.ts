import { closest, distance } from 'fastest-levenshtein';
import { keyOf, PROVIDERS, type CatalogIndex } from '../domain/catalog';
import { estimateCost, type PricedEstimate } from '../domain/cost-estimate';
import { firstDetails, InvalidRequestError, UnprocessableError, type ErrorDetail } from '../domain/errors';
import type { EstimateProblem } from '../domain/estimate-item';

/**
 * Prices the body of a request, or reports everything that is wrong with it at once.
 *
 * @throws InvalidRequestError when something is malformed
 * @throws UnprocessableError when everything is well-formed, but a service or instance is not in the catalog
 */
export function estimateBody(index: CatalogIndex, body: unknown): PricedEstimate {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const detail = { path: '', message: 'must be an object' };
    throw new InvalidRequestError('The body must be an object.', 'invalid_request', [detail]);
  }
  const unknown = Object.keys(body).filter((name) => name !== 'items');
  const unknownFields = firstDetails(unknown.map((path) => ({ path, message: 'is not a known field' })));
  const result = estimateCost(index, (body as { items?: unknown }).items);
  if (result.ok && unknownFields.length === 0) return result;
  const problems = result.ok ? [] : result.problems;
  const details = [...unknownFields, ...problems.map((problem) => detailOf(index, problem))];
  const isMalformed = unknownFields.length > 0 || problems.some(({ kind }) => kind === 'invalid');
  throw isMalformed
    ? new InvalidRequestError(sentenceOf(details, unknown.length + problems.length), 'invalid_request', details)
    : new UnprocessableError(sentenceOf(details, problems.length), problems[0]!.kind, details);
}

function detailOf(index: CatalogIndex, problem: EstimateProblem): ErrorDetail {
  const { path, message } = problem;
  return { path, message: problem.kind === 'invalid' ? message : `${message}${suggestName(index, problem)}` };
}

/** @param count how many problems there are; `details` may have the first of them */
function sentenceOf(details: readonly ErrorDetail[], count: number): string {
  const [first] = details;
  if (count > 1) return `Nothing was priced: the items have ${count} problems; see details.`;
  const text = `"${first!.path}" ${first!.message}`;
  return text.endsWith('?') ? text : `${text}.`;
}

/** Longer texts are not misspelt names. */
const MAX_LENGTH = 60;
const MIN_PREFIX = 3;
const SHOWN_NAMES = 10;

type UnknownName = Exclude<EstimateProblem, { kind: 'invalid' }>;

/** A suggestion for an unknown service or instance, as the end of the message; may be empty. */
function suggestName(index: CatalogIndex, { kind, provider, service, instance }: UnknownName): string {
  if (kind === 'unknown_instance') {
    const instances = index.findService(provider, service)!.entries.map(({ entry }) => entry.instance);
    const near = nearest(instance ?? '', instances);
    return near === undefined ? `; it has ${listOf(instances)}` : `; did you mean "${near}"?`;
  }
  const services = index.servicesOf(provider);
  const near = nearest(
    service,
    services.map(({ name }) => name),
  );
  const elsewhere = PROVIDERS.find((other) => index.findService(other, service));
  if (elsewhere) return `; ${elsewhere} has it`;
  if (near !== undefined) return `; did you mean "${near}"?`;
  const owner = services.find((candidate) => candidate.find(service));
  return owner ? `; it is an instance of "${owner.name}"` : '';
}

/** The name that begins with the given text, or differs from it in at most a third of its letters. */
function nearest(given: string, names: readonly string[]): string | undefined {
  const key = keyOf(given);
  if (key === '' || key.length > MAX_LENGTH) return undefined;
  const nameOf = new Map(names.map((name) => [keyOf(name), name]));
  const keys = [...nameOf.keys()];
  const longer = key.length < MIN_PREFIX ? undefined : keys.find((other) => other.startsWith(key));
  if (longer !== undefined) return nameOf.get(longer);
  const near = closest(key, keys);
  return distance(key, near) <= Math.max(1, Math.floor(near.length / 3)) ? nameOf.get(near) : undefined;
}

function listOf(names: readonly string[]): string {
  return [...names.slice(0, SHOWN_NAMES), ...(names.length > SHOWN_NAMES ? ['…'] : [])].join(', ');
}
