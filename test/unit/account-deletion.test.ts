import { runDeletions } from '../../src/account-lifecycle/delete-account';
import type { Account } from '../../src/accounts/account-store';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { createLogger } from '../../src/platform/logger';

it('a worker that is told to stop does not finish the deletion of a large account first', async () => {
  const account = { _id: 'acc_1', deleting_by: BY_COMMAND_LINE } as Account;
  let steps = 0;
  let reachSecondStep = (): void => undefined;
  const secondStep = new Promise<void>((resolve) => (reachSecondStep = resolve));
  const deletions = runDeletions({
    accounts: { find: () => Promise.resolve(account) },
    deletions: {
      ensureIndexes: () => Promise.resolve(),
      begin: () => Promise.resolve(account),
      begun: () => Promise.resolve(['acc_1', 'acc_2']),
      suspendedForMs: () => Promise.resolve(Number.POSITIVE_INFINITY),
      removeSome: async () => {
        steps += 1;
        if (steps === 2) reachSecondStep();
        await new Promise(setImmediate);
        // As many as the events of a large account.
        return steps < 10_000 ? { events: 500 } : {};
      },
      end: () => Promise.reject(new Error('nothing has ended')),
    },
    logger: createLogger('silent'),
  });
  await secondStep;

  await deletions.close();

  expect(steps).toBe(2);
});
