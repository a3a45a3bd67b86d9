import type { Collection, Db } from 'mongodb';
import { changeAudited } from '../accounts/audit-store';
import { BY_SYSTEM } from '../domain/audit-actions';
import { FAST } from '../platform/mongo';
import { HEALTH_COLLECTION, type StoredHealth } from '../stores/endpoint-health-store';
import {
  auditEntry,
  ENDPOINTS_COLLECTION,
  NEXT_VERSION,
  type DisabledReason,
  type Endpoint,
} from '../stores/endpoint-store';

export type AutoDisableStore = ReturnType<typeof createAutoDisableStore>;

/** Disables endpoints because of their answers, and stores since when they only fail. */
export function createAutoDisableStore(db: Db) {
  const endpoints: Collection<Endpoint> = db.collection(ENDPOINTS_COLLECTION);
  const health: Collection<StoredHealth> = db.collection(HEALTH_COLLECTION);
  /**
   * Moves `failing_since` behind the endpoint's last success. `noteSuccess` was not called for a success whose process
   * had read the endpoint before its first failure.
   */
  const failAfterLastSuccess = async (id: string): Promise<void> => {
    const seen = await health.findOne({ _id: id });
    if (!seen?.succeeded_at) return;
    await endpoints.updateOne({ _id: id, failing_since: { $lt: seen.succeeded_at } }, [
      { $set: { failing_since: seen.run ? { $max: ['$failing_since', seen.run.since] } : '$$REMOVE' } },
    ]);
  };
  return {
    /**
     * Changes an active endpoint to `disabled`, unless this attempt did so before.
     *
     * @param cause `by` is the attempt's id; with `failingForMs` only if it failed for that long, by the database's
     *   clock
     * @returns the disabled endpoint; null if nothing was changed
     */
    async disable(
      id: string,
      reason: DisabledReason,
      { by, failingForMs }: { readonly by: string; readonly failingForMs?: number },
    ): Promise<Endpoint | null> {
      if (failingForMs !== undefined) await failAfterLastSuccess(id);
      const isDue = {
        _id: id,
        status: 'active' as const,
        disabled_by: { $ne: by },
        ...(failingForMs !== undefined && {
          failing_since: { $type: 'date' as const },
          $expr: { $lte: ['$failing_since', { $subtract: ['$$NOW', failingForMs] }] },
        }),
      };
      const disabled = [
        {
          $set: {
            ...{ status: 'disabled', disabled_reason: reason, disabled_by: { $literal: by }, disabled_at: '$$NOW' },
            ...NEXT_VERSION,
          },
        },
      ];
      const note = { ...BY_SYSTEM, action: 'endpoint.disabled' } as const;
      return changeAudited(
        db,
        (session) => endpoints.findOneAndUpdate(isDue, disabled, { returnDocument: 'after', session }),
        (after) => ({ ...auditEntry(note, { ...after, status: 'active' }, after), detail: reason }),
      );
    },
    /** Records that the endpoint fails from now on, unless it is failing already. */
    async noteFailure(id: string): Promise<void> {
      // Null also matches an endpoint without the field.
      const filter = { _id: id, failing_since: null as never };
      await endpoints.updateOne(filter, { $currentDate: { failing_since: true } }, { writeConcern: FAST });
    },
    /** Records that the endpoint no longer fails. */
    async noteSuccess(id: string): Promise<void> {
      await endpoints.updateOne({ _id: id }, { $unset: { failing_since: true } }, { writeConcern: FAST });
    },
  };
}
