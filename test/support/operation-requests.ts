import { randomBytes } from 'node:crypto';
import { areOfManagement } from '../../src/domain/scopes';
import type { Operation } from '../../src/http/route';
import { apiClient, type ApiAnswer } from './api-client';
import type { Caller } from './build-caller';

const REPLAYS = '/api/v1/webhooks/replays';
const REHEARSALS = '/api/v1/webhooks/rehearsals';

const ERASURES = '/api/v1/webhooks/erasures';

const accountOf = ({ accountId }: Caller) => ({ 'Everpost-Account': accountId });

/** Queries of operations that need one. */
const QUERIES: Readonly<Record<string, string>> = { getAccountUsage: '?after=2026-11-01&before=2026-11-02' };

const EVENT_TYPE = 'order.created';
const ARCHIVED_TYPE = 'order.archived';

/** Creates the event types that requests name. @param key a management key */
export async function putEventTypes(url: string, key: string): Promise<void> {
  const api = apiClient(url, key);
  for (const name of [EVENT_TYPE, ARCHIVED_TYPE]) await api.put(`/api/v1/event-types/${name}`, { archived: false });
}

/** Gives the caller's account a search field, and an erasure by it. @returns its id */
async function buildErasure(caller: Caller): Promise<string> {
  const manager = await caller.manager();
  await manager.put(`/api/v1/accounts/${caller.accountId}`, { search_fields: ['customer_id'] });
  return (await manager.post(ERASURES, { data: 'customer_id:cus_123' }, accountOf(caller))).body.id;
}

/** A valid request, made from the examples in the document. */
export interface OperationRequest {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends requests of an operation with a key. Without a key the estimator admits everyone, so there it sends `none`. */
export function senderOf(operation: Operation, url: string, key: string | undefined) {
  return ({ path, body, headers }: OperationRequest): Promise<ApiAnswer> => {
    const anyKey = operation.security && { 'X-Api-Key': key ?? 'none' };
    return apiClient(url, key).call(operation.method.toUpperCase(), path, body, { ...anyKey, ...headers });
  };
}

/** Whether only a management key may call an operation of accounts. */
export function isForManagers({ scopes = [], forInstallation }: Operation): boolean {
  return !forInstallation && areOfManagement(scopes);
}

/** Creates the object of an operation, and a valid request for it. */
export async function requestOf(operation: Operation, caller: Caller): Promise<OperationRequest> {
  const params: Record<string, string> = {};
  const has = (name: string): boolean => operation.path.includes(`{${name}}`);
  if (has('endpoint_id') || has('delivery_id')) {
    params['endpoint_id'] = (await caller.register({ url: 'https://example.com/' })).id;
  }
  if (has('event_id') || has('delivery_id')) params['event_id'] = String((await caller.ingest()).id);
  params['delivery_id'] = `${params['event_id']}.${params['endpoint_id']}`;
  if (has('job_id')) params['job_id'] = (await caller.post(REPLAYS, { filter: {} })).body.job_id;
  if (has('rehearsal_id')) {
    const change = { endpoint: { url: 'https://example.com/' } };
    params['rehearsal_id'] = (await caller.post(REHEARSALS, { change })).body.id;
  }
  if (operation.path.startsWith(ERASURES)) params['erasure_id'] = await buildErasure(caller);
  params['external_id'] = caller.accountId;
  // It must not be the one that others read.
  params['name'] = operation.id === 'archiveEventType' ? ARCHIVED_TYPE : EVENT_TYPE;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!);
  const { bodyExample } = operation;
  const headers = isForManagers(operation) ? accountOf(caller) : {};
  if (!operation.body) return { path: path + (QUERIES[operation.id] ?? ''), headers };
  const isEvent = operation.id === 'ingestEvent';
  const unique = { idempotency_key: randomBytes(8).toString('hex') };
  return { path, headers, body: isEvent ? { ...(bodyExample as object), ...unique } : bodyExample };
}
