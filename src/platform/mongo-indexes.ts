import { MongoServerError, type Collection, type Document } from 'mongodb';

const NO_COLLECTION = 26;
const NO_INDEX = 27;

/** Drops an index of an earlier version, by its name. Does nothing if there is none. */
export async function dropIndex<T extends Document>(collection: Collection<T>, name: string): Promise<void> {
  await collection.dropIndex(name).catch((error: unknown) => {
    const code = error instanceof MongoServerError ? error.code : undefined;
    if (code !== NO_COLLECTION && code !== NO_INDEX) throw error;
  });
}
