import { MongoServerError, type Collection, type Document } from 'mongodb';
import { UnavailableError } from '../domain/errors';
import { isMissingIndex } from './mongo';

const NO_COLLECTION = 26;
const NO_INDEX = 27;

/** Drops an index of an earlier version, by its name. Does nothing if there is none. */
export async function dropIndex<T extends Document>(collection: Collection<T>, name: string): Promise<void> {
  await collection.dropIndex(name).catch((error: unknown) => {
    const code = error instanceof MongoServerError ? error.code : undefined;
    if (code !== NO_COLLECTION && code !== NO_INDEX) throw error;
  });
}

/**
 * Queries name their index, so that no list reads all of an account: without the index there is no list.
 *
 * @throws UnavailableError while the index is built; anything else unchanged
 */
export function rethrowNotReady(error: unknown): never {
  if (!isMissingIndex(error)) throw error;
  throw new UnavailableError(
    'This list is being prepared after an upgrade. Try again in a minute.',
    'list_not_ready',
    LIST_RETRY_SECONDS,
    String(error),
  );
}

const LIST_RETRY_SECONDS = 30;
