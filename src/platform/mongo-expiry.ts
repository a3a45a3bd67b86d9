import { MongoServerError, type Collection, type Document } from 'mongodb';
import { dropIndex } from './mongo-indexes';

const NAME = 'retention';
const INDEX_DIFFERS = 85;
const UNAUTHORIZED = 13;

/**
 * Makes MongoDB remove documents this long after the time in a field, also when the setting changed. Documents without
 * the field stay.
 *
 * @param afterMs undefined keeps them forever
 */
export async function ensureExpiry<T extends Document>(
  collection: Collection<T>,
  field: string,
  afterMs: number | undefined,
): Promise<void> {
  if (afterMs === undefined) {
    await dropIndex(collection, NAME);
    return;
  }
  const expireAfterSeconds = Math.round(afterMs / 1_000);
  const index = { key: { [field]: 1 }, name: NAME, expireAfterSeconds };
  try {
    await collection.createIndexes([index]);
  } catch (error) {
    if (codeOf(error) !== INDEX_DIFFERS) throw error;
    const change = { collMod: collection.collectionName, index: { name: NAME, expireAfterSeconds } };
    await collection.db.command(change).catch(
      // A user with only read and write access may still create indexes.
      async (refusal: unknown) => {
        if (codeOf(refusal) !== UNAUTHORIZED) throw refusal;
        await collection.dropIndex(NAME);
        await collection.createIndexes([index]);
      },
    );
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof MongoServerError ? error.code : undefined;
}
