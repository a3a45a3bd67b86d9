import type { AccountStore } from '../accounts/account-store';
import { hostOf } from '../domain/destination-url';
import type { GateStore } from '../stores/gate-store';
import type { Endpoint, EndpointStore, Verification } from '../stores/endpoint-store';

/** What changing an endpoint's verification needs. */
export interface VerificationAccess {
  readonly endpoints: EndpointStore;
  readonly accounts: AccountStore;
  readonly gates: Pick<GateStore, 'open'>;
}

/** Asks hosts whether they accept an account's deliveries. */
export interface HostVerifier {
  /** Asks the host of an unverified endpoint. Does not wait, and never throws: the endpoint shows the result. */
  begin(access: VerificationAccess, endpoint: Endpoint): void;
  /** The same, and waits for the answer. @throws TooManyRequestsError when the account's budget is used up */
  ask(access: VerificationAccess, endpoint: Endpoint): Promise<Endpoint>;
}

/**
 * The initial verification of an endpoint at this URL: verified if another endpoint of the account at the same host is.
 *
 * @returns undefined if hosts need not be verified
 */
export async function markOf(
  { endpoints, verifier }: { readonly endpoints: EndpointStore; readonly verifier?: HostVerifier | undefined },
  accountId: string,
  url: string,
): Promise<Verification | undefined> {
  if (!verifier) return undefined;
  // With its port: another port belongs to another service.
  const host = hostOf(url);
  const all = await endpoints.listByAccount(accountId);
  const known = all.find(({ verification: it }) => it?.state === 'verified' && it.host === host);
  return known?.verification ?? { host, state: 'unverified', asked_at: null, error: null };
}
