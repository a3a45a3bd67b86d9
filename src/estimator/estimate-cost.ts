import type { CatalogIndex } from '../domain/catalog';
import { estimateCost, type PricedEstimate } from '../domain/cost-estimate';
import { firstDetails, InvalidRequestError, UnprocessableError, type ErrorDetail } from '../domain/errors';
import type { EstimateProblem } from '../domain/estimate-item';
import { suggestName } from './suggest-name';

/**
 * Prices the body of a request, or says everything that is wrong with it at once.
 *
 * @throws InvalidRequestError when something is malformed
 * @throws UnprocessableError when all is well-formed, and a service or instance is not in the catalog
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
