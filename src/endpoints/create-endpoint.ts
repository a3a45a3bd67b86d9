import type { AccountStore } from '../accounts/account-store';
import type { By } from '../domain/audit-actions';
import { ConflictError } from '../domain/errors';
import type { Tier } from '../domain/tiers';
import { newId } from '../platform/ids';
import type { SecretBox } from '../platform/secret-box';
import type { KeyCheck } from './check-keys';
import { mergeOptions } from './endpoint-options';
import type { CreateEndpointBody } from './schema';
import { markOf, type HostVerifier } from './host-verification';
import type { GateStore } from '../stores/gate-store';
import { limitsOf } from '../limits/windows';
import type { Endpoint, EndpointStore } from '../stores/endpoint-store';

/** What the operations on endpoints need. */
export interface EndpointDeps {
  readonly endpoints: EndpointStore;
  readonly accounts: AccountStore;
  readonly tiers: ReadonlyMap<string, Tier>;
  readonly gates: Pick<GateStore, 'open'>;
  readonly secretBox: SecretBox;
  /** Checks a destination's URL, and returns it as it should be stored. */
  readonly checkUrl: (url: string) => string;
  readonly generateSecret: () => string;
  /** Whether this process may seal. */
  readonly keyCheck: KeyCheck;
  /** Undefined if hosts need not be verified. */
  readonly verifier?: HostVerifier | undefined;
}

/**
 * Registers a destination; events ingested from now on are matched against its patterns.
 *
 * @param caller `now` is the database's clock, so that lists have one order whichever process wrote
 * @returns the endpoint, and its signing secret, which only this answer shows
 * @throws InvalidRequestError when `url` is not an absolute HTTPS URL
 * @throws UnprocessableError when deliveries to that URL are refused
 * @throws UnavailableError when this process has another encryption key than the others
 * @throws ConflictError when the account has the maximum number of endpoints, or one with this external id
 */
export async function createEndpoint(
  deps: EndpointDeps,
  caller: By & { accountId: string; now: Date },
  body: CreateEndpointBody,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { registered, secret } = await draftEndpoint(deps, caller, body);
  const limit = await limitOf(deps, caller.accountId);
  const endpoint = await deps.endpoints.insert(registered, limit, { actor: caller.actor, address: caller.address });
  if (endpoint === 'limit reached') {
    throw new ConflictError(
      `This account can have ${limit} endpoints, and it has them. Remove one first.`,
      'endpoint_limit_reached',
    );
  }
  if (endpoint === 'external id taken') {
    throw new ConflictError(
      `The account has an endpoint with the external_id "${body.external_id}". Change that one, or choose another id.`,
      'external_id_taken',
    );
  }
  await deps.accounts.bumpEndpointsVersion(caller.accountId);
  deps.verifier?.begin(deps, endpoint);
  return { endpoint, secret };
}

/** What drafting a new endpoint needs. */
export type DraftDeps = Pick<
  EndpointDeps,
  'endpoints' | 'checkUrl' | 'keyCheck' | 'secretBox' | 'generateSecret' | 'verifier'
>;

/**
 * A new endpoint as it would be stored, with its secret. It is not written: a rehearsal drafts as a registration does.
 *
 * @throws InvalidRequestError, UnprocessableError, UnavailableError as `createEndpoint` does
 */
export async function draftEndpoint(
  deps: DraftDeps,
  caller: { readonly accountId: string; readonly now: Date },
  body: CreateEndpointBody,
): Promise<{ readonly registered: Omit<Endpoint, 'slot'>; readonly secret: string }> {
  const url = deps.checkUrl(body.url);
  await deps.keyCheck.requireOurs();
  const id = newId('ep');
  const secret = body.secret ?? deps.generateSecret();
  const verification = await markOf(deps, caller.accountId, url);
  const registered: Omit<Endpoint, 'slot'> = {
    _id: id,
    account_id: caller.accountId,
    ...(body.external_id !== undefined && { external_id: body.external_id }),
    url,
    events: body.events,
    description: body.description,
    ...(body.metadata && { metadata: JSON.stringify(body.metadata) }),
    status: body.enabled ? 'active' : 'paused',
    ...(verification && { verification }),
    ...(body.options && { options: mergeOptions({ ...deps, endpointId: id, current: undefined }, body.options) }),
    secret: deps.secretBox.seal(secret, id),
    created_at: caller.now,
    updated_at: caller.now,
  };
  return { registered, secret };
}

/** The most endpoints of an account. Read anew, so that a raised limit applies at once. */
async function limitOf({ accounts, tiers }: Pick<EndpointDeps, 'accounts' | 'tiers'>, accountId: string) {
  return limitsOf(tiers, (await accounts.find(accountId)) ?? { tier: 'free' }).endpoints;
}
