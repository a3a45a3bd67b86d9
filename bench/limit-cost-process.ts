import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { createAccount } from '../src/accounts/manage-accounts';
import { createAccountStore } from '../src/accounts/account-store';
import { mergeTiers } from '../src/domain/tiers';
import { createAuthenticate } from '../src/keys/authenticate-middleware';
import { mapErrors } from '../src/http/error-mapper';
import type { RequestState } from '../src/http/request-state';
import { createKey } from '../src/keys/manage-keys';
import { createKeyCache } from '../src/keys/key-cache';
import { createKeyStore } from '../src/keys/key-store';
import { createUsageLog } from '../src/keys/usage-log';
import { createUsageStore } from '../src/keys/usage-store';
import { createAddressLimiter } from '../src/limits/address-limiter';
import { createLimiter } from '../src/limits/limiter';
import { createAdmit } from '../src/limits/middleware';
import { createLimitStore } from '../src/limits/limit-store';
import { systemClock } from '../src/platform/clock';
import { createLogger } from '../src/platform/logger';
import { createMongo } from '../src/platform/mongo';
import { BY_COMMAND_LINE } from '../src/domain/audit-actions';

const ACCOUNTS = 1_000;
const AT_ONCE = 50;

/** A server with one route twice: bare, and behind the middleware of every call of the API with keys. */
async function serve(mongodbUri: string): Promise<{ port: number; keys: string[] }> {
  const logger = createLogger('warn');
  const mongo = createMongo(mongodbUri);
  const stores = {
    accounts: createAccountStore(mongo.db),
    keys: createKeyStore(mongo.db),
    usage: createUsageStore(mongo.db),
  };
  const tiers = mergeTiers([{ id: 'bench', name: 'Bench', monthlyQuota: null, perMinute: 10_000_000 }]);
  const deps = { ...stores, tiers, clock: systemClock };
  const keys: string[] = [];
  for (let index = 0; index < ACCOUNTS; index += AT_ONCE) {
    const made = Array.from({ length: AT_ONCE }, async (_, offset) => {
      const account = await createAccount(
        deps,
        { email: `limit-${index + offset}@example.com`, tier: 'bench' },
        BY_COMMAND_LINE,
      );
      return (await createKey(deps, { accountId: account._id, product: 'weh', label: 'bench' }, BY_COMMAND_LINE)).key;
    });
    keys.push(...(await Promise.all(made)));
  }
  const limiter = createLimiter(createLimitStore(mongo.db, tiers));
  const authenticate = createAuthenticate(
    {
      keys: createKeyCache({ keys: stores.keys, logger }),
      limiter,
      authFailures: createAddressLimiter({ perMinute: 600, quotaLimit: 0, clock: systemClock }),
      clientAddress: () => 'bench',
    },
    () => Promise.reject(new Error('the benchmark has keys alone')),
  );
  const admit = createAdmit({
    limiter,
    usage: createUsageLog({ ...stores, logger }),
    countsItself: () => false,
    managementCalls: createAddressLimiter({ perMinute: 600, quotaLimit: null, clock: systemClock }),
    clientAddress: () => 'bench',
  });
  const app = new Koa<RequestState>();
  app.use(async (ctx, next) => {
    Object.assign(ctx.state, { log: logger, identify: () => undefined });
    await next();
  });
  app.use(mapErrors);
  app.use((ctx, next) => (ctx.path === '/bare' ? answer(ctx) : next()));
  app.use(authenticate);
  app.use(admit);
  app.use(answer);
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { port: (server.address() as AddressInfo).port, keys };
}

function answer(ctx: { body: unknown }): void {
  ctx.body = { status: 'ok' };
}

process.once('message', ({ mongodbUri }: { mongodbUri: string }) => {
  void serve(mongodbUri).then((listening) => process.send?.({ kind: 'listening', ...listening }));
});
process.on('disconnect', () => process.exit(0));
