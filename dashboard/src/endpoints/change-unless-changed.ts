import type { AuditList, Endpoint } from '../api/answers';
import { ApiProblem, callApi } from '../api/call-api';
import { surface } from '../api/surface';
import { draftOf, type EndpointBody } from './endpoint-draft';
import { differingFields, ENDPOINT_FIELDS, type EndpointField } from './endpoint-fields';

/** What another user or program did to an endpoint while its form was open. */
export interface ChangedMeanwhile {
  readonly endpoint: Endpoint;
  /** The fields of the form that were changed. */
  readonly fields: readonly EndpointField[];
  /** Who changed what, newest first. */
  readonly entries: AuditList['entries'];
}

/**
 * Changes an endpoint that is what the form was opened with.
 *
 * @returns undefined if it did; otherwise what others changed in the form's fields, and then nothing is saved
 */
export async function changeUnlessChanged(
  path: string,
  body: EndpointBody,
  opened: Endpoint,
): Promise<ChangedMeanwhile | undefined> {
  if (Object.keys(body).length === 0) return undefined;
  // Not the header ETag of an answer: a proxy that compresses changes it.
  const headers = { 'If-Match': `"${opened.updated_at}"` };
  try {
    await callApi(path, { method: 'PATCH', body, headers });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 412)) throw error;
    const endpoint = await callApi<Endpoint>(path);
    if (endpoint.updated_at === opened.updated_at) throw error;
    const entries = await changesSince(opened);
    const fields = fieldsChanged(opened, endpoint, entries);
    // It was paused, or the like: nothing of that is in the form.
    return fields.length === 0 ? changeUnlessChanged(path, body, endpoint) : { endpoint, fields, entries };
  }
}

function fieldsChanged(before: Endpoint, after: Endpoint, entries: AuditList['entries']): EndpointField[] {
  const shown = differingFields(draftOf(before), draftOf(after));
  const names = new Set(entries.flatMap(({ changes }) => changes.map(({ field }) => field)));
  return ENDPOINT_FIELDS.filter((field) => shown.includes(field) || (field.isHidden && names.has(field.name)));
}

/** A transaction of MongoDB lasts no longer. */
const TRANSACTION_MS = 60_000;

async function changesSince({ id, updated_at: since }: Endpoint): Promise<AuditList['entries']> {
  // Customers see no audit log.
  if (surface().isPortal) return [];
  const query = new URLSearchParams({ object: id, after: since });
  const { entries, next_cursor: more } = await callApi<AuditList>(`/dashboard/api/audit?${query}`);
  // The change that led to the state before is written with its entry, which is a little later and the first one.
  const first = more === null ? entries.at(-1) : undefined;
  const isItsOwn = first !== undefined && Date.parse(first.at) - Date.parse(since) < TRANSACTION_MS;
  return (isItsOwn ? entries.slice(0, -1) : entries).filter(({ changes }) => changes.length > 0);
}
