import { UnprocessableError } from '../domain/errors';
import { isOperationalType } from '../domain/event-pattern';
import { isExternalEndpointId } from '../domain/external-id';
import type { BodyShape } from '../domain/body-form';
import type { Scope } from '../domain/scopes';
import { draftEndpoint, type DraftDeps } from '../endpoints/create-endpoint';
import { decideChange, type DecideDeps } from '../endpoints/decide-change';
import { endpointNotFound, findEndpoint } from '../endpoints/find-endpoints';
import { ENDPOINT_DEFAULTS } from '../endpoints/schema';
import type { Endpoint } from '../stores/endpoint-store';
import type { RehearsedChange, RehearsedEndpoint } from './rehearsal-contract';
import type { ChangeBody, EndpointBody } from './schema';

/** What deciding needs. */
export type DecideRehearsalDeps = DecideDeps & DraftDeps;

/** Who rehearses. */
export interface RehearsalCaller {
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly defaultBody: BodyShape | undefined;
  /** The database's clock. */
  readonly now: Date;
}

/**
 * Decides what a change makes of an endpoint, exactly as PATCH or POST would, and writes nothing.
 *
 * @throws what `changeEndpoint` throws for an existing endpoint, and `createEndpoint` for a new one
 * @throws UnprocessableError for a schema of a reserved type
 */
export async function decideRehearsal(
  deps: DecideRehearsalDeps,
  caller: RehearsalCaller,
  { endpoint, event_type: eventType }: ChangeBody,
): Promise<RehearsedChange> {
  if (eventType) {
    refuseReserved(eventType.name);
    return { kind: 'event_type', name: eventType.name, schema: JSON.stringify(eventType.schema) };
  }
  const { accountId, defaultBody } = caller;
  const about = { kind: 'endpoint', accountId, defaultBody } as const;
  const { id, ...body } = endpoint!;
  if (id === undefined) {
    const { registered } = await draftEndpoint(deps, caller, newEndpoint(body));
    return { ...about, before: undefined, after: rehearsed(registered) };
  }
  const before = await findNamed(deps, accountId, id);
  // The schema refuses what PATCH does not take.
  const { external_id: _id, secret: _secret, enabled: _enabled, ...change } = body;
  const { decide } = await decideChange(deps, caller, change);
  return { ...about, before: rehearsed(before), after: rehearsed({ ...before, ...decide(before)?.set }) };
}

function refuseReserved(name: string): void {
  if (!isOperationalType(name)) return;
  const message = 'must not begin with "everpost.": these types are reserved for events of Everpost itself';
  const path = 'change.event_type.name';
  throw new UnprocessableError(`"${path}" ${message}.`, 'reserved_event_type', [{ path, message }]);
}

/** The schema refuses a new endpoint without a URL. */
function newEndpoint({ url, ...body }: Omit<EndpointBody, 'id'>) {
  const { events, description, enabled } = ENDPOINT_DEFAULTS;
  return {
    ...body,
    url: url!,
    events: body.events ?? events,
    description: body.description ?? description,
    enabled: body.enabled ?? enabled,
  };
}

async function findNamed(deps: DecideRehearsalDeps, accountId: string, id: string): Promise<Endpoint> {
  if (!isExternalEndpointId(id)) return findEndpoint(deps, accountId, id);
  const ours = (await deps.endpoints.findIds(accountId, [id])).get(id);
  if (ours === undefined) throw endpointNotFound();
  return findEndpoint(deps, accountId, ours);
}

/** Without its secrets. */
function rehearsed({ events, options = {} }: Pick<Endpoint, 'events' | 'options'>): RehearsedEndpoint {
  const { filter, body, include, exclude, max_per_second: rate } = options;
  return {
    events,
    options: {
      ...(filter !== undefined && { filter }),
      ...(body !== undefined && { body }),
      ...(include && { include }),
      ...(exclude && { exclude }),
      ...(rate !== undefined && { max_per_second: rate }),
    },
  };
}
