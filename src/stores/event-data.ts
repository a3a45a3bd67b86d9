import { ConflictError } from '../domain/errors';
import type { StoredEvent } from './event-store';

/** The bytes of an event's `data`. @throws ConflictError `data_erased` once they were erased */
export function dataOf({ data }: Pick<StoredEvent, 'data'>): Buffer {
  if (!data) throw dataErased();
  return Buffer.from(data.value());
}

/** @throws ConflictError `data_erased` for an event whose data was erased: there is nothing to send */
export function refuseErased({ data_erased_at: at }: Pick<StoredEvent, 'data_erased_at'>): void {
  if (at) throw dataErased();
}

function dataErased(): ConflictError {
  return new ConflictError(
    'The data of this event was erased: there is nothing to send or to look at. Its deliveries and attempts stay.',
    'data_erased',
  );
}
