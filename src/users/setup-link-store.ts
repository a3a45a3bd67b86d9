import type { ClientSession, Collection, Db } from 'mongodb';
import { changeAudited } from '../accounts/audit-store';
import type { By } from '../domain/audit-actions';

/** A link with which the operator claims an account without users. */
export interface SetupLink {
  /** SHA-256 of the link's token, hexadecimal. */
  readonly _id: string;
  readonly account_id: string;
  readonly ends_at: Date;
}

/** How long a link can be used. */
const LIFETIME_MS = 24 * 3_600_000;

export type SetupLinkStore = ReturnType<typeof createSetupLinkStore>;

/** Reads and writes set-up links. */
export function createSetupLinkStore(db: Db) {
  const links: Collection<SetupLink> = db.collection('setup_links');
  return {
    async ensureIndexes(): Promise<void> {
      await links.createIndexes([{ key: { ends_at: 1 }, expireAfterSeconds: 0 }]);
    },
    /** Replaces every earlier link to the account. */
    async replace(hash: string, accountId: string, by: By): Promise<void> {
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
          // The user of the link becomes an operator.
          changes: [{ field: 'operator', to: 'yes' }],
        }),
      );
    },
    /** The link of a token's hash, unless it has expired. */
    find: (hash: string): Promise<SetupLink | null> =>
      links.findOne({ _id: hash, $expr: { $gt: ['$ends_at', '$$NOW'] } }),
    /** Removes a link. @returns false if it is gone: it was used or replaced meanwhile */
    async remove(hash: string, session: ClientSession): Promise<boolean> {
      return (await links.deleteOne({ _id: hash }, { session })).deletedCount === 1;
    },
  };
}
