import type { Collection, Db } from 'mongodb';
import { changeAudited } from '../accounts/audit-store';
import type { By } from '../domain/audit-actions';
import { DURABLE } from '../platform/mongo';

/** A link with which the operator claims an account that nobody can sign in to yet. */
export interface SetupLink {
  /** SHA-256 of the link's token, hexadecimal. */
  readonly _id: string;
  readonly account_id: string;
  readonly ends_at: Date;
}

/** Reads and writes set-up links. */
export interface SetupLinkStore {
  ensureIndexes(): Promise<void>;
  /** Replaces every earlier link to the account. */
  replace(hash: string, accountId: string, by: By): Promise<void>;
  /** Takes a link that is not over: of any number of callers one gets it. */
  take(hash: string): Promise<SetupLink | null>;
  /** Gives a taken link back: it was not used after all. */
  giveBack(link: SetupLink): Promise<void>;
}

/** How long a link can be used. */
const LIFETIME_MS = 24 * 3_600_000;

export function createSetupLinkStore(db: Db): SetupLinkStore {
  const links: Collection<SetupLink> = db.collection('setup_links');
  return {
    async ensureIndexes() {
      await links.createIndexes([{ key: { ends_at: 1 }, expireAfterSeconds: 0 }]);
    },
    async replace(hash, accountId, by) {
      await changeAudited(
        db,
        async (session) => {
          await links.deleteMany({ account_id: accountId }, { session });
          return links.updateOne(
            { _id: hash },
            [{ $set: { account_id: accountId, ends_at: { $add: ['$$NOW', LIFETIME_MS] } } }],
            { upsert: true, session },
          );
        },
        () => ({
          ...{ ...by, accountId, action: 'user.setup_link_created', object: accountId },
          // Whoever opens it becomes one.
          changes: [{ field: 'operator', to: 'yes' }],
        }),
      );
    },
    take: (hash) =>
      links.findOneAndDelete({ _id: hash, $expr: { $gt: ['$ends_at', '$$NOW'] } }, { writeConcern: DURABLE }),
    async giveBack(link) {
      await links.insertOne(link, { writeConcern: DURABLE });
    },
  };
}
