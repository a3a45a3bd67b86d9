import type { Collection, Db } from 'mongodb';
import { changeAudited } from '../accounts/audit-store';
import { BY_SYSTEM } from '../domain/audit-actions';
import { FAST } from '../platform/mongo';
import { auditEntry, ENDPOINTS_COLLECTION, type DisabledReason, type Endpoint } from '../record/endpoint-store';

export type EndpointHealthStore = ReturnType<typeof createEndpointHealthStore>;

/** What answers say about an endpoint. */
export function createEndpointHealthStore(db: Db) {
  const endpoints: Collection<Endpoint> = db.collection(ENDPOINTS_COLLECTION);
  return {
    /**
     * Moves an active endpoint to `disabled`, unless this very attempt did so before.
     *
     * @param cause `by` is the attempt's id; with `failingForMs` only if it failed for that long, by the database's clock
     * @returns the disabled endpoint; null when nothing was changed
     */
    disable(
      id: string,
      reason: DisabledReason,
      { by, failingForMs }: { readonly by: string; readonly failingForMs?: number },
    ): Promise<Endpoint | null> {
      const isDue = {
        _id: id,
        status: 'active' as const,
        disabled_by: { $ne: by },
        ...(failingForMs !== undefined && {
          failing_since: { $type: 'date' as const },
          $expr: { $lte: ['$failing_since', { $subtract: ['$$NOW', failingForMs] }] },
        }),
      };
      const disabled = {
        $set: { status: 'disabled' as const, disabled_reason: reason, disabled_by: by },
        $inc: { version: 1 },
        $currentDate: { updated_at: true as const, disabled_at: true as const },
      };
      const note = { ...BY_SYSTEM, action: 'endpoint.disabled' } as const;
      return changeAudited(
        db,
        (session) => endpoints.findOneAndUpdate(isDue, disabled, { returnDocument: 'after', session }),
        (after) => ({ ...auditEntry(note, { ...after, status: 'active' }, after), detail: reason }),
      );
    },
    /** Notes that the endpoint fails since now, unless it does so already. */
    async noteFailure(id: string): Promise<void> {
      // Null also finds an endpoint without the field.
      const filter = { _id: id, failing_since: null as never };
      await endpoints.updateOne(filter, { $currentDate: { failing_since: true } }, { writeConcern: FAST });
    },
    /** Notes that the endpoint fails no more. */
    async noteSuccess(id: string): Promise<void> {
      await endpoints.updateOne({ _id: id }, { $unset: { failing_since: true } }, { writeConcern: FAST });
    },
  };
}
