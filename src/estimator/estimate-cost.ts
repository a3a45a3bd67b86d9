import { closest, distance } from 'fastest-levenshtein';
import { keyOf, PROVIDERS, type CatalogIndex } from '../domain/catalog';
import { estimateCost, type PricedEstimate } from '../domain/cost-estimate';
import { firstDetails, InvalidRequestError, UnprocessableError, type ErrorDetail } from '../domain/errors';
import type { EstimateItem, EstimateProblem } from '../domain/estimate-item';
import { warningsOf, type EstimateWarning } from '../domain/estimate-warnings';

/** A priced body, and what was ignored or is doubtful in it. */
export interface WarnedEstimate extends PricedEstimate {
  readonly warnings: readonly EstimateWarning[];
}

/**
 * Prices the body of a request, or reports everything that is wrong with it at once.
 *
 * @throws InvalidRequestError when something is malformed
 * @throws UnprocessableError when everything is well-formed, but a service or instance is not in the catalog
 */
export function estimateBody(index: CatalogIndex, body: unknown): WarnedEstimate {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const detail = { path: '', message: 'must be an object' };
    throw new InvalidRequestError('The body must be an object.', 'invalid_request', [detail]);
  }
  const unknown = Object.keys(body).filter((name) => name !== 'items');
  const unknownFields = firstDetails(unknown.map((path) => ({ path, message: 'is not a known field' })));
  const { items } = body as { items?: unknown };
  const result = estimateCost(index, items);
  if (result.ok && unknownFields.length === 0)
    return { ...result, warnings: warningsOf(items as readonly EstimateItem[], result) };
  const problems = result.ok ? [] : result.problems;
  const details = [...unknownFields, ...problems.map((problem) => detailOf(index, problem))];
  const unknownNames = problems.flatMap(({ kind }) => (kind === 'invalid' ? [] : [kind]));
  const isMalformed = unknownFields.length > 0 || unknownNames.length < problems.length;
  throw isMalformed
    ? new InvalidRequestError(sentenceOf(details, unknown.length + problems.length), 'invalid_request', details)
    : new UnprocessableError(sentenceOf(details, problems.length), unknownNames[0]!, details);
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

/** A name of the catalog, and the key by which it is compared. */
interface Name {
  readonly name: string;
  readonly key: string;
}

type UnknownName = Exclude<EstimateProblem, { kind: 'invalid' }>;

/** A suggestion for an unknown service or instance, as the end of the message; may be empty. */
function suggestName(index: CatalogIndex, { kind, provider, service, instance }: UnknownName): string {
  if (kind === 'unknown_instance') {
    const instances = index.findService(provider, service)!.entries.map(({ entry }) => entry.instance);
    const near = nearest(
      instance ?? '',
      instances.map((name) => ({ name, key: keyOf(name) })),
    );
    return near === undefined ? `; it has ${listOf(instances)}` : `; did you mean "${near}"?`;
  }
  if (keyOf(service).length > MAX_LENGTH) return '';
  const services = index.servicesOf(provider);
  const near = nearest(service, services);
  const elsewhere = PROVIDERS.find((other) => index.findService(other, service));
  if (elsewhere) return `; ${elsewhere} has it`;
  if (near !== undefined) return `; did you mean "${near}"?`;
  const owner = services.find((candidate) => candidate.find(service));
  return owner ? `; it is an instance of "${owner.name}"` : '';
}

/** The name that begins with the given text, or differs from it in at most a third of its letters. */
function nearest(given: string, candidates: readonly Name[]): string | undefined {
  const wanted = keyOf(given);
  if (wanted === '' || wanted.length > MAX_LENGTH) return undefined;
  const longer = wanted.length < MIN_PREFIX ? undefined : candidates.find(({ key }) => key.startsWith(wanted));
  if (longer) return longer.name;
  // Texts differ in at least as many letters as their lengths, and lengths cost nothing to compare.
  const alike = candidates.filter(({ key }) => Math.abs(key.length - wanted.length) <= mostDifferent(key));
  if (alike.length === 0) return undefined;
  const near = closest(
    wanted,
    alike.map(({ key }) => key),
  );
  if (distance(wanted, near) > mostDifferent(near)) return undefined;
  return alike.find(({ key }) => key === near)!.name;
}

/** In how many letters a misspelling of a name may differ from it. */
function mostDifferent(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

function listOf(names: readonly string[]): string {
  return [...names.slice(0, SHOWN_NAMES), ...(names.length > SHOWN_NAMES ? ['…'] : [])].join(', ');
}
