import type { ClientSession, Collection, Db, Filter } from 'mongodb';
import { changeAudited } from '../accounts/audit-store';
import type { AuditAction, By, FieldChange } from '../domain/audit-actions';
import { upsertOnceMore } from '../platform/mongo';

/** A type of events, as its catalog describes it. */
export interface EventType {
  /** The name. */
  readonly _id: string;
  readonly description?: string;
  readonly group?: string;
  /** A JSON Schema of `data`, as JSON: MongoDB refuses names of fields that begin with `$`. */
  readonly schema?: string;
  /** An example of `data`, as JSON. */
  readonly example?: string;
  readonly deprecated: boolean;
  readonly archived: boolean;
  /** 1, and one more after each change of the schema. */
  readonly version: number;
  /** The revision of the catalog that last changed this type. */
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A type in a list: without its schema and its example. */
export type ListedEventType = Omit<EventType, 'schema' | 'example'> & { readonly has_schema: boolean };

/** A type as it was until its next version began. */
type PastVersion = Omit<EventType, '_id' | 'revision'> & { readonly _id: string };

/** The catalog as a whole: one document. */
interface Catalog {
  readonly _id: 'catalog';
  /** Counts the changes, so that each process learns what is new. */
  readonly revision: number;
  readonly types: number;
  /** Of all schemas and examples. */
  readonly bytes: number;
}

/** A change of the catalog. */
export interface EventTypeWrite {
  /** The type as it was read; undefined for a new one. */
  readonly before: EventType | undefined;
  readonly after: Omit<EventType, 'revision' | 'created_at' | 'updated_at'>;
  readonly at: Date;
  readonly changes: readonly FieldChange[];
}

/** The filter of a list. */
export interface EventTypeFilter {
  readonly archived: boolean;
  readonly group?: string | undefined;
}

/** How large the catalog may become: each process of the API has it in memory. */
export const CATALOG_LIMITS = { types: 1000, bytes: 16 * 1024 * 1024, versions: 100 } as const;

export type EventTypeStore = ReturnType<typeof createEventTypeStore>;

/** The catalog of event types: types, what they were before, and a counter of changes. */
export function createEventTypeStore(db: Db) {
  const types: Collection<EventType> = db.collection('event_types');
  const versions: Collection<PastVersion> = db.collection('event_type_versions');
  const catalogs: Collection<Catalog> = db.collection('event_type_catalog');
  const write = (change: EventTypeWrite, by: By): Promise<EventType | null> =>
    changeAudited(
      db,
      async (session) => {
        const revision = await claimRevision(catalogs, change, session);
        if (revision === undefined) return null;
        const after = storedOf(change, revision);
        await keepPast(versions, change, session);
        await replace(types, change.before, after, session);
        return after;
      },
      ({ _id }) => ({ ...by, accountId: null, action: actionOf(change), object: _id, changes: change.changes }),
    );
  return {
    async ensureIndexes(): Promise<void> {
      await types.createIndexes([
        { key: { revision: 1 } },
        { key: { archived: 1, _id: 1 } },
        { key: { archived: 1, group: 1, _id: 1 } },
      ]);
      const empty = { $setOnInsert: { revision: 0, types: 0, bytes: 0 } };
      await upsertOnceMore(() => catalogs.updateOne({ _id: 'catalog' }, empty, { upsert: true }));
    },
    find: (name: string): Promise<EventType | null> => types.findOne({ _id: name }),
    /** The type as it was in an earlier version, if that is kept. */
    async findVersion(name: string, version: number): Promise<PastVersion | null> {
      const past = await versions.findOne({ _id: pastId(name, version) });
      return past && { ...past, _id: name };
    },
    /** Types by name. @param after the name that the page follows */
    page: (filter: EventTypeFilter, limit: number, after: string | undefined): Promise<ListedEventType[]> =>
      types
        .aggregate<ListedEventType>([
          { $match: matching(filter, after) },
          { $sort: { _id: 1 } },
          { $limit: limit },
          { $set: { has_schema: { $gt: ['$schema', null] } } },
          { $unset: ['schema', 'example'] },
        ])
        .toArray(),
    /** All types in use, by name: the limits of the catalog are those of this list. */
    all: (): Promise<EventType[]> => types.find({ archived: false }).sort({ _id: 1 }).toArray(),
    /** The types that changed after a revision, archived ones too. */
    changedSince: (revision: number): Promise<EventType[]> => types.find({ revision: { $gt: revision } }).toArray(),
    /** The revision of the catalog: 0 before the first change. MongoDB reads one document by its id. */
    revision: async (): Promise<number> => (await catalogs.findOne({ _id: 'catalog' }))?.revision ?? 0,
    /**
     * Writes a type with its audit entry, unless it was changed since it was read.
     *
     * @returns the type; `full` if the catalog is full, null if another call changed it meanwhile
     */
    async write(change: EventTypeWrite, by: By): Promise<EventType | 'full' | null> {
      try {
        return (await write(change, by)) ?? 'full';
      } catch (error) {
        if (error instanceof ChangedMeanwhileError) return null;
        throw error;
      }
    },
  };
}

/** Ends the transaction of a change that lost against another one. */
class ChangedMeanwhileError extends Error {}

/** Every change writes the one document, so changes come one after the other. @returns undefined if it is full */
async function claimRevision(
  catalogs: Collection<Catalog>,
  { before, after }: EventTypeWrite,
  session: ClientSession,
): Promise<number | undefined> {
  const bytes = bytesOf(after) - (before ? bytesOf(before) : 0);
  const isNew = before ? 0 : 1;
  const capacity = {
    ...(isNew > 0 && { types: { $lt: CATALOG_LIMITS.types } }),
    ...(bytes > 0 && { bytes: { $lte: CATALOG_LIMITS.bytes - bytes } }),
  };
  const claimed = await catalogs.findOneAndUpdate(
    { _id: 'catalog', ...capacity },
    { $inc: { revision: 1, types: isNew, bytes } },
    { session, returnDocument: 'after' },
  );
  return claimed?.revision;
}

function bytesOf({ schema = '', example = '' }: Pick<EventType, 'schema' | 'example'>): number {
  return Buffer.byteLength(schema) + Buffer.byteLength(example);
}

function storedOf({ before, after, at }: EventTypeWrite, revision: number): EventType {
  return { ...after, revision, created_at: before?.created_at ?? at, updated_at: at };
}

/** Keeps what a new version replaces, and removes the oldest one beyond the limit. */
async function keepPast(
  versions: Collection<PastVersion>,
  { before, after }: EventTypeWrite,
  session: ClientSession,
): Promise<void> {
  if (!before || before.version === after.version) return;
  const { _id: name, revision: _revision, ...past } = before;
  await versions.replaceOne({ _id: pastId(name, past.version) }, past, { upsert: true, session });
  await versions.deleteOne({ _id: pastId(name, after.version - CATALOG_LIMITS.versions) }, { session });
}

/** No name has an `@`. */
function pastId(name: string, version: number): string {
  return `${name}@${version}`;
}

async function replace(
  types: Collection<EventType>,
  before: EventType | undefined,
  after: EventType,
  session: ClientSession,
): Promise<void> {
  const { _id, ...fields } = after;
  if (!before) {
    if (await types.findOne({ _id }, { session })) throw new ChangedMeanwhileError();
    await types.insertOne(after, { session });
    return;
  }
  const { matchedCount } = await types.replaceOne({ _id, revision: before.revision }, fields, { session });
  if (matchedCount === 0) throw new ChangedMeanwhileError();
}

function actionOf({ before }: EventTypeWrite): AuditAction {
  return before ? 'event_type.changed' : 'event_type.created';
}

function matching({ archived, group }: EventTypeFilter, after: string | undefined): Filter<EventType> {
  return { archived, ...(group !== undefined && { group }), ...(after !== undefined && { _id: { $gt: after } }) };
}
