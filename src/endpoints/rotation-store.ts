import type { Collection, Db } from 'mongodb';
import { changeAudited, type NewAuditEntry } from '../accounts/audit-store';
import { BY_SYSTEM } from '../domain/audit-actions';
import { auditEntry, ENDPOINTS_COLLECTION, NEXT_VERSION, type Endpoint } from '../stores/endpoint-store';

export type RotationStore = ReturnType<typeof createRotationStore>;

/** Completes rotations of signing secrets whose time is over, by the database's clock. */
export function createRotationStore(db: Db) {
  const endpoints: Collection<Endpoint> = db.collection(ENDPOINTS_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      // Few endpoints have one, so the index covers only those.
      await endpoints.createIndexes([
        { key: { next_secret_at: 1 }, partialFilterExpression: { next_secret_at: { $gt: new Date(0) } } },
      ]);
    },
    /**
     * Makes the next secret of one endpoint the current one, if it has existed for `afterMs`. One at a time, because each
     * has an entry in its account's log.
     *
     * @returns the endpoint as it was; null if there is none
     */
    activateNext(afterMs: number): Promise<Endpoint | null> {
      const isDue = {
        // The first condition lets MongoDB use the partial index.
        next_secret_at: { $gt: new Date(0) },
        $expr: { $lte: ['$next_secret_at', { $subtract: ['$$NOW', afterMs] }] },
      };
      return changeAudited(db, (session) => endpoints.findOneAndUpdate(isDue, ACTIVATE, { session }), activationOf);
    },
  };
}

const ACTIVATE = [
  { $set: { secret: '$next_secret', secret_since: '$$NOW', ...NEXT_VERSION } },
  { $unset: ['next_secret', 'next_secret_at'] },
];

function activationOf(before: Endpoint): NewAuditEntry {
  const { next_secret: next, ...rest } = before;
  return auditEntry({ ...BY_SYSTEM, action: 'secret.activated' }, before, { ...rest, secret: next ?? before.secret });
}
