import type { Config } from '../config';
import { readBuiltInCatalog } from '../estimator/built-in-catalog';
import { createCurrentCatalog } from '../estimator/current-catalog';
import { createCatalogStore } from '../estimator/catalog-store';
import type { AppDeps } from '../app';
import { createAddressLimiter } from '../limits/address-limiter';
import { createLimiter } from '../limits/limiter';
import { createLimitStore } from '../limits/limit-store';
import { systemClock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import type { Mongo } from '../platform/mongo';
import { createUsageStore } from '../keys/usage-store';
import { createUsageLog } from '../keys/usage-log';

/** Wires the cost estimator: its catalog in memory, limits of its own, and the log of usage. */
export function composeEstimator(
  { config, logger, mongo }: { config: Config; logger: Logger; mongo: Mongo },
  { keys, authFailures, clientAddress }: AppDeps['authenticate'],
): { readonly app: AppDeps['estimator']; close(): Promise<void> } {
  const { tiers, estimatorPerMinute } = config.limits;
  const catalogs = createCatalogStore(mongo.db);
  const catalog = createCurrentCatalog({ catalogs, builtIn: readBuiltInCatalog(), logger });
  const usage = createUsageLog({ usage: createUsageStore(mongo.db), logger });
  const withoutQuota = new Map([...tiers.values()].map((tier) => [tier.id, { ...tier, monthlyQuota: null }]));
  const access = {
    keys,
    limiter: createLimiter(createLimitStore(mongo.db, withoutQuota, 'estimator_limits')),
    anonymous: createAddressLimiter({ perMinute: estimatorPerMinute, quotaLimit: null, clock: systemClock }),
    authFailures,
    usage,
    clientAddress,
  };
  return {
    app: { catalog, clock: systemClock, access },
    close: async () => void (await Promise.all([catalog.close(), usage.close()])),
  };
}
