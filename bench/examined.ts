import type { Collection } from 'mongodb';
import type { Mongo } from '../src/platform/mongo';

/** What the queries of one plan read at most. */
export interface Examined {
  readonly collection: string;
  /** As mongod sums it up: `IXSCAN { account_id: 1, … }`. */
  readonly plan: string;
  readonly queries: number;
  readonly keys: number;
  readonly documents: number;
  readonly ms: number;
}

const PROFILE_BYTES = 200_000_000;
const ALL_OPERATIONS = 2;

/** Notes the plans of everything that mongod does while `work` runs. @returns the plans, by what they read */
export async function examinedDuring({ db }: Mongo, work: () => Promise<unknown>): Promise<Examined[]> {
  const profile: Collection = await db.createCollection('system.profile', {
    capped: true,
    size: PROFILE_BYTES,
  });
  await db.command({ profile: ALL_OPERATIONS });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  const plans = await profile
    .aggregate<Omit<Examined, 'collection' | 'plan'> & { _id: { ns: string; plan: string } }>([
      {
        $match: {
          planSummary: { $exists: true },
          ns: { $ne: `${db.databaseName}.system.profile` },
          // It follows the oplog, which has no index.
          'originatingCommand.pipeline.$changeStream': { $exists: false },
        },
      },
      {
        $group: {
          _id: { ns: '$ns', plan: '$planSummary' },
          queries: { $sum: 1 },
          keys: { $max: '$keysExamined' },
          documents: { $max: '$docsExamined' },
          ms: { $max: '$millis' },
        },
      },
      { $sort: { keys: -1, documents: -1 } },
    ])
    .toArray();
  return plans.map(({ _id: { ns, plan }, ...rest }) => ({
    ...rest,
    collection: ns.slice(db.databaseName.length + 1),
    plan: withoutRepeats(plan),
  }));
}

/** A query of several ranges, such as `$in` in the order of an index, names its index once for each. */
function withoutRepeats(plan: string): string {
  return [...new Set(plan.split(/, (?=[A-Z]+ \{)/))].join(', ');
}
