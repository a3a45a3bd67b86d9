import { PORTAL_ROLE_NAMES, PORTAL_ROLES, type PortalRole } from '../../src/domain/portal-roles';
import { MANAGEMENT_SCOPE_NAMES, type Scope } from '../../src/domain/scopes';
import type { Operation } from '../../src/http/route';
import type { ApiAnswer } from '../support/api-client';
import { buildCaller, type Caller } from '../support/build-caller';
import { UNLIMITED, useStack } from '../support/build-stack';
import { buildPortalSession } from '../support/build-portal-session';
import { operations } from '../support/conformance';
import {
  isForManagers,
  putEventTypes,
  requestOf,
  senderOf,
  type OperationRequest,
} from '../support/operation-requests';
import { cliOf } from '../support/run-cli';

/** Every operation that needs a key: a new route is in the matrix by itself. A stream has no end to wait for. */
const OPERATIONS = operations.filter(({ scopes, id }) => scopes !== undefined && id !== 'listen');

/** In everything that the owner has, and in no answer to anyone else. */
const CANARY = 'canary-of-the-owner';

const stack = useStack({ role: 'api', env: { ...UNLIMITED, MANAGEMENT_PER_MINUTE: '1000000' } });

/** Whoever calls, for the things of an owner. */
interface Someone {
  readonly key: string;
  /** What `Everpost-Account` says. */
  readonly account?: string;
}

/** What an operation answers to a caller: `let in` is anything but a refusal of the caller. */
type Verdict = 'let in' | `${number} ${string}`;

interface Kind {
  readonly build: (owner: Caller) => Promise<Someone>;
  /** By the operation alone. */
  readonly wanted: (operation: Operation) => Verdict;
  /** Whether it may see what the owner has. */
  readonly isOwner?: true;
}

const NO_SCOPE = '403 missing_scope';
const isNamed = ({ path }: Operation): boolean => /\{(endpoint|event|delivery|job|rehearsal|erasure)_id\}/.test(path);

/** Let in by an operation of accounts; refused by one of the installation, and by one that needs a scope of it. */
const asAccount = (operation: Operation): Verdict =>
  operation.forInstallation || isForManagers(operation) ? NO_SCOPE : 'let in';
/** As a management key, but there is nothing of the owner. */
const asStranger = (operation: Operation): Verdict => (isNamed(operation) ? '404 not found' : 'let in');
/** As a key of an account, but there is nothing of the owner. */
const asOtherAccount = (operation: Operation): Verdict => {
  const verdict = asAccount(operation);
  return verdict === 'let in' ? asStranger(operation) : verdict;
};
const always = (verdict: Verdict) => (): Verdict => verdict;
/** A management key is let in by operations that act for no account, whatever account it names. */
const forAccounts =
  (wanted: Kind['wanted']): Kind['wanted'] =>
  (operation) =>
    operation.forInstallation || operation.needsNoAccount ? 'let in' : wanted(operation);
const ofScopes =
  (held: readonly Scope[]) =>
  ({ scopes = [] }: Operation): Verdict =>
    scopes.every((scope) => held.includes(scope)) ? 'let in' : NO_SCOPE;

const expired = { expiresIn: '1ms' };
const revoke = async (keyId: string): Promise<void> => {
  await stack.mongo.db
    .collection<{ _id: string }>('api_keys')
    .updateOne({ _id: keyId }, { $set: { revoked_at: new Date() } });
};

/** A session of the portal reaches the webhooks of its account, and nothing else. */
const inPortal =
  (wanted: Kind['wanted']): Kind['wanted'] =>
  (operation) =>
    operation.path.startsWith('/api/v1/webhooks/') ? wanted(operation) : '403 portal_not_allowed';
const ofRole = (role: PortalRole): Kind['wanted'] =>
  inPortal((operation) => (operation.keyOnly ? '403 portal_not_allowed' : ofScopes(PORTAL_ROLES[role])(operation)));
/** What a role may do to things that are not there. */
const asOtherCustomer =
  (role: PortalRole) =>
  (operation: Operation): Verdict => {
    const verdict = ofRole(role)(operation);
    return verdict === 'let in' ? asStranger(operation) : verdict;
  };
const portalOf = async (accountId: string, role: PortalRole): Promise<Someone> => ({
  key: (await buildPortalSession(stack.mongo, accountId, { role })).token,
});

const PORTAL_CALLERS = PORTAL_ROLE_NAMES.flatMap((role): [string, Kind][] => [
  [
    `a ${role} in the portal of the owner`,
    { build: ({ accountId }) => portalOf(accountId, role), wanted: ofRole(role), isOwner: true },
  ],
  [
    `a ${role} in the portal of another account`,
    { build: async () => portalOf((await stack.account()).accountId, role), wanted: asOtherCustomer(role) },
  ],
  [
    `a ${role} in the portal of a suspended account`,
    {
      build: async () => {
        const { accountId } = await stack.account();
        const someone = await portalOf(accountId, role);
        await cliOf(stack).json('account', 'suspend', '--id', accountId);
        return someone;
      },
      wanted: inPortal(always('403 account_suspended')),
    },
  ],
  [
    `a ${role} whose session has ended`,
    {
      build: async ({ accountId }) => {
        const someone = await portalOf(accountId, role);
        await stack.mongo.db
          .collection('portal_sessions')
          .updateMany({ account_id: accountId, role }, { $set: { ends_at: new Date(0) } });
        return someone;
      },
      wanted: inPortal(always('401 portal_session_ended')),
    },
  ],
]);

const CALLERS: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(PORTAL_CALLERS),
  "the owner's key": { build: async ({ key }) => ({ key }), wanted: asAccount, isOwner: true },
  "the owner's key, with its account": {
    build: async ({ key, accountId }) => ({ key, account: accountId }),
    wanted: asAccount,
    isOwner: true,
  },
  "the owner's key, with another account": {
    build: async ({ key }) => ({ key, account: (await stack.account()).accountId }),
    wanted: always('400 account_not_allowed'),
  },
  "another account's key": { build: () => stack.account(), wanted: asOtherAccount },
  "another account's key, with the owner's account": {
    build: async ({ accountId }) => ({ ...(await stack.account()), account: accountId }),
    wanted: always('400 account_not_allowed'),
  },
  'an expired key': {
    build: () => stack.account(expired),
    wanted: always('401 expired_api_key'),
  },
  'a management key for the account': {
    build: async ({ accountId }) => ({ ...(await stack.managementKey()), account: accountId }),
    wanted: always('let in'),
    isOwner: true,
  },
  'a management key for another account': {
    build: async () => ({ ...(await stack.managementKey()), account: (await stack.account()).accountId }),
    wanted: forAccounts(asStranger),
  },
  'a management key for no account': {
    build: () => stack.managementKey(),
    wanted: forAccounts(({ id }) => (id === 'getOwnKey' ? 'let in' : '400 account_required')),
  },
  'a management key for an unknown account': {
    build: async () => ({ ...(await stack.managementKey()), account: 'nobody' }),
    wanted: forAccounts(always('404 account_not_found')),
  },
  'a management key for a suspended account': {
    build: async () => {
      const { accountId } = await stack.account();
      await cliOf(stack).json('account', 'suspend', '--id', accountId);
      return { ...(await stack.managementKey()), account: accountId };
    },
    wanted: forAccounts(always('403 account_suspended')),
  },
  ...Object.fromEntries(
    MANAGEMENT_SCOPE_NAMES.map((scope): [string, Kind] => [
      `a management key with only ${scope}`,
      {
        build: async ({ accountId }) => ({ ...(await stack.managementKey({ scopes: [scope] })), account: accountId }),
        wanted: ofScopes([scope]),
        isOwner: true,
      },
    ]),
  ),
  'an expired management key': {
    build: async ({ accountId }) => ({ ...(await stack.managementKey(expired)), account: accountId }),
    wanted: always('401 expired_api_key'),
  },
  'a revoked management key': {
    build: async ({ accountId }) => {
      const { key, keyId } = await stack.managementKey();
      await revoke(keyId);
      return { key, account: accountId };
    },
    wanted: always('401 invalid_api_key'),
  },
};

/** The owner of things that carry the canary. */
async function buildOwner(): Promise<Caller> {
  const caller = await buildCaller(stack);
  return {
    ...caller,
    register: (body) => caller.register({ ...body, description: CANARY }),
    ingest: (event) => caller.ingest({ ...event, data: { secret: CANARY } }),
  };
}

let owner: Caller;
const requests = new Map<string, OperationRequest>();

beforeAll(async () => {
  await putEventTypes(stack.url, (await stack.managementKey()).key);
  owner = await buildOwner();
  for (const operation of OPERATIONS) requests.set(operation.id, await requestOf(operation, owner));
});

/** What an answer says about its caller. */
function verdictOf({ status, body }: ApiAnswer): Verdict {
  const code = String(body?.code);
  if (status === 404 && code !== 'account_not_found') return '404 not found';
  const isRefusal = status === 401 || status === 403 || (status < 409 && code.startsWith('account_'));
  return isRefusal ? `${status} ${code}` : 'let in';
}

/** Their bodies' examples do. */
const NAME_NO_ENDPOINT = ['replayEvent', 'createDelivery'];

const leaks: string[] = [];
let cells = 0;

/** What an operation answers to a caller, or what it should, where that is as good. */
async function seenBy({ wanted, build, isOwner }: Kind, operation: Operation, someone: Someone): Promise<Verdict> {
  const verdict = wanted(operation);
  const isLetIn = verdict === 'let in';
  // Some operations use up what they are about.
  const own = isLetIn && (isOwner || operation.forInstallation) ? await buildOwner() : owner;
  const caller = own === owner ? someone : await build(own);
  const request = own === owner ? requests.get(operation.id)! : await requestOf(operation, own);
  const headers = caller.account === undefined ? {} : { 'Everpost-Account': caller.account };

  const answer = await senderOf(operation, stack.url, caller.key)({ ...request, headers });

  cells += 1;
  if (!isOwner && answer.text.includes(CANARY)) leaks.push(operation.id);
  const seen = verdictOf(answer);
  // Once the caller is let in, the example names an endpoint that nobody has.
  return isLetIn && seen === '404 not found' && NAME_NO_ENDPOINT.includes(operation.id) ? verdict : seen;
}

describe('every operation answers as it should to', () => {
  it.each(Object.entries(CALLERS))('%s', async (_name, kind) => {
    const someone = await kind.build(owner);
    const seen: [string, Verdict][] = [];
    for (const operation of OPERATIONS) seen.push([operation.id, await seenBy(kind, operation, someone)]);
    expect(seen).toEqual(OPERATIONS.map((operation) => [operation.id, kind.wanted(operation)]));
  });

  it('all of them, and shows nothing of the owner to others', () => {
    expect(leaks).toEqual([]);
    expect(cells).toBe(Object.keys(CALLERS).length * OPERATIONS.length);
  });
});
