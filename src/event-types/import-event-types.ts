import type { By } from '../domain/audit-actions';
import { AppError, InvalidRequestError, type ErrorDetail } from '../domain/errors';
import { CATALOG_LIMITS } from './event-type-store';
import { readNewName } from './event-type-name';
import { planEventType, putEventType, type PutEventTypeDeps } from './put-event-type';
import { readWebhook } from './read-webhooks';
import { putEventTypeBody, type ImportResult } from './schema';

/** An import of event types. */
export interface ImportRequest {
  /** An OpenAPI document, 3.1 or 3.2. */
  readonly openapi: Readonly<Record<string, unknown>>;
  /** Tells what would change, and changes nothing. */
  readonly dryRun: boolean;
}

/**
 * Creates or changes an event type for each webhook of an OpenAPI document. What the document does not say stays as it
 * is, and so do types that it does not have. The same document again changes nothing.
 *
 * @throws InvalidRequestError for what is no OpenAPI document of version 3.1 or 3.2 with webhooks
 */
export async function importEventTypes(
  deps: PutEventTypeDeps,
  { openapi, dryRun }: ImportRequest,
  by: By,
): Promise<ImportResult> {
  const result: ImportResult = { dry_run: dryRun, created: [], changed: [], unchanged: [], refused: [] };
  for (const name of namesOf(openapi)) {
    try {
      const body = bodyOf(openapi, readNewName(name));
      const { isNew, changes } = dryRun ? await dryPut(deps, name, body) : await putEventType(deps, name, body, by);
      if (isNew) result.created.push(name);
      else if (changes.length > 0) result.changed.push({ name, fields: changes.map(({ field }) => field) });
      else result.unchanged.push(name);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      result.refused.push({ name, error: error.message, code: error.code });
    }
  }
  return result;
}

/** What a PUT would do. */
async function dryPut(...put: Parameters<typeof planEventType>) {
  const { before, changes } = await planEventType(...put);
  return { isNew: !before, changes };
}

/** The names of the webhooks. */
function namesOf({ openapi: version, webhooks }: ImportRequest['openapi']): string[] {
  if (typeof version !== 'string' || !/^3\.[12](\.|$)/.test(version)) {
    throw refused({ path: 'openapi.openapi', message: 'must be 3.1 or 3.2: older documents have no webhooks' });
  }
  const names = typeof webhooks === 'object' && webhooks !== null ? Object.keys(webhooks) : [];
  if (names.length === 0) throw refused({ path: 'openapi.webhooks', message: 'must have at least one webhook' });
  if (names.length <= CATALOG_LIMITS.types) return names;
  throw refused({ path: 'openapi.webhooks', message: `must have at most ${CATALOG_LIMITS.types} webhooks` });
}

/** @throws InvalidRequestError for fields that no event type can have */
function bodyOf(openapi: ImportRequest['openapi'], name: string) {
  const read = putEventTypeBody.safeParse(readWebhook(openapi, name));
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw refused({ path: path.map(String).join('.'), message });
}

function refused(detail: ErrorDetail): InvalidRequestError {
  return new InvalidRequestError(`"${detail.path}" ${detail.message}.`, 'invalid_request', [detail]);
}
