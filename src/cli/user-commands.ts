import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { requireTier } from '../accounts/manage-accounts';
import { urlOf } from '../platform/http-server';
import { createPasswordHasher } from '../platform/password-hash';
import { createIsGuessable } from '../platform/password-strength';
import { createSetupLink } from '../users/set-up-account';
import { createUser, createUserWithAccount } from '../users/create-user';
import { resetPassword } from '../users/change-password';
import { removeUser, setOperator } from '../users/remove-user';
import type { User } from '../users/user-store';
import { findAccount } from '../account-lifecycle/read-accounts';
import { accountIdOf } from './account-id';
import type { CliDeps, CommandLine } from './command-line';

const PASSWORD_STDIN = 'read the password from standard input (default: one is generated and shown once)';

/** `everpost user …` */
export function addUserCommands(cli: Command, { add, run }: CommandLine): void {
  const user = cli.command('user').description('people who sign in to the dashboard');
  add(user, 'create', 'create a user, and an account unless one is named')
    .requiredOption('--email <email>', 'e-mail address to sign in with')
    .option('--account <account>', 'account id, or its external id')
    .option('--tier <tier>', 'tier id of a new account', 'free')
    .option('--operator', 'sees all accounts, and sets their tiers')
    .option('--password-stdin', PASSWORD_STDIN)
    .action(
      run(async (deps, { email, account, tier, operator, passwordStdin }) => {
        const all = withPasswords(deps);
        requireTier(deps.tiers, tier!);
        const given = await readPassword(passwordStdin);
        const password = given ?? newPassword();
        const input = { email: email!, password, operator: operator !== undefined };
        const created =
          account === undefined
            ? await createUserWithAccount(all, { ...input, tier: tier! }, () => deps.by)
            : await createUser(all, { ...input, accountId: await accountIdOf(deps, account) }, deps.by);
        return { ...presentUser(created), ...(given === undefined && { password }) };
      }),
    );
  add(user, 'list', 'list all users').action(run(async ({ users }) => (await users.list()).map(presentUser)));
  add(user, 'reset-password', 'set a new password and end all sessions of the user')
    .requiredOption('--email <email>', 'e-mail address of the user')
    .option('--password-stdin', PASSWORD_STDIN)
    .action(
      run(async (deps, { email, passwordStdin }) => {
        const given = await readPassword(passwordStdin);
        const password = given ?? newPassword();
        const changed = await resetPassword(withPasswords(deps), { email: email!, password }, deps.by);
        return { ...presentUser(changed), ...(given === undefined && { password }) };
      }),
    );
  add(user, 'delete', 'remove a user permanently: no sign-in, no session; says which API keys the user created')
    .requiredOption('--email <email>', 'e-mail address of the user')
    .option('--revoke-keys', 'also revoke the active API keys that the user created')
    .action(
      run(async (deps, { email, revokeKeys }) => {
        const { removed, keys } = await removeUser(
          deps,
          { email: email!, revokesKeys: revokeKeys !== undefined },
          deps.by,
        );
        const ids = keys.map(({ _id }) => _id);
        return { ...presentUser(removed), [revokeKeys === undefined ? 'active_keys' : 'revoked_keys']: ids };
      }),
    );
  for (const [name, operator, about] of OPERATOR_COMMANDS) {
    add(user, name, about)
      .requiredOption('--email <email>', 'e-mail address of the user')
      .action(
        run(async (deps, { email }) => presentUser(await setOperator(deps, { email: email!, operator }, deps.by))),
      );
  }
  add(user, 'setup-link', 'create a one-time link that makes its holder the owner of an account, and an operator')
    .requiredOption('--account <account>', 'account id, or its external id')
    .option('--base-url <url>', 'address of the dashboard (default: PUBLIC_URL, or else HOST and PORT)')
    .action(
      run(async (deps, { account, baseUrl }) => {
        const found = await findAccount(deps, account!);
        const token = await createSetupLink(deps, found._id, deps.by);
        const { publicUrl, host, port } = deps.config;
        const base = baseUrl?.replace(/\/+$/, '') ?? publicUrl ?? urlOf(host, port);
        return { account_id: found._id, url: `${base}/dashboard/setup#${token}`, valid_for: '24 hours, once' };
      }),
    );
}

const OPERATOR_COMMANDS = [
  ['grant-operator', true, 'make a user an operator: sees all accounts, and sets their tiers'],
  ['revoke-operator', false, 'take back what makes a user an operator, at once in every session'],
] as const;

function withPasswords(deps: CliDeps) {
  return { ...deps, hasher: createPasswordHasher(), isGuessable: createIsGuessable() };
}

function presentUser({ _id: id, email, account_id, operator }: User) {
  return { id, email, account_id, operator: operator ? 'yes' : 'no' };
}

/** 120 random bits. */
function newPassword(): string {
  return randomBytes(15).toString('base64url');
}

async function readPassword(isAsked: string | undefined): Promise<string | undefined> {
  return isAsked === undefined ? undefined : (await text(process.stdin)).replace(/\r?\n$/, '');
}
