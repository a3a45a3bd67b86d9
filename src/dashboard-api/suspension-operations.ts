import { z } from 'zod';
import { beginDeletion, type BeginDeletionDeps } from '../account-lifecycle/delete-account';
import type { Account } from '../accounts/account-store';
import { resumeAccount, suspendAccount } from '../account-lifecycle/suspend-account';
import type { By } from '../domain/audit-actions';
import { ConflictError } from '../domain/errors';
import { addOperation, type Api, type Operation } from '../http/operation';
import type { HttpContext } from '../http/request-state';
import { presentListedAccount } from './present';
import { requireOperator } from './require-session';
import { accountView } from './schema';

/** What the operator's page of accounts needs to stop one. */
export type SuspensionPageDeps = BeginDeletionDeps;

const PATH = '/dashboard/api/accounts/{account_id}';

/** Adds what operators do to an account that must end: a suspension, a resume, a deletion. */
export function addSuspensionOperations(api: Api, deps: SuspensionPageDeps): void {
  const add = (
    operation: Pick<Operation, 'id' | 'method' | 'summary' | 'description'> & {
      readonly path: `/dashboard/api/${string}`;
    },
    status: 200 | 202,
    act: (accountId: string, by: By) => Promise<Account>,
  ): void =>
    addOperation(
      api,
      {
        ...operation,
        tag: 'Accounts',
        recordsItself: true,
        params: { account_id: z.string() },
        answers: { [status]: { description: 'The account.', schema: accountView } },
        errors: { 404: 'There is no such account, or the user is no operator.', 409: 'Not possible.' },
      },
      async (ctx) => {
        requireOperator(ctx);
        const { actor, address, now } = ctx.state.caller;
        const account = await act(otherAccount(ctx, ctx.params['account_id']!), { actor, address });
        ctx.status = status;
        ctx.body = presentListedAccount(account, now);
      },
    );
  add(
    {
      id: 'suspendAccount',
      method: 'post',
      path: `${PATH}/suspend`,
      summary: 'Suspend an account',
      description: 'For operators. Its keys, sessions and streams end within a second; what is pending is held.',
    },
    200,
    (accountId, by) => suspendAccount(deps, accountId, by),
  );
  add(
    {
      id: 'resumeAccount',
      method: 'post',
      path: `${PATH}/resume`,
      summary: 'Resume an account',
      description: 'For operators. Its keys work again, and its held deliveries go on.',
    },
    200,
    (accountId, by) => resumeAccount(deps, accountId, by),
  );
  add(
    {
      id: 'deleteAccount',
      method: 'delete',
      path: PATH,
      summary: 'Delete an account',
      description: 'For operators. Suspends the account; a worker removes it and all that is its own, for good.',
    },
    202,
    (accountId, by) => beginDeletion(deps, accountId, by),
  );
}

/** @throws ConflictError for the operator's own account: nobody would be left to take it back */
function otherAccount(ctx: HttpContext, accountId: string): string {
  if (accountId !== ctx.state.caller.accountId) return accountId;
  throw new ConflictError(
    'This is your own account. Another operator, or the command line, can do that.',
    'own_account',
  );
}
