import type { Db, Document } from 'mongodb';
import { CHANGE_KIND_NAMES, CHANGE_KINDS, type ChangeKind } from '../domain/change-kinds';
import { followChanges, type ChangeFollower } from '../platform/mongo-changes';

/** One change. */
export interface Change {
  readonly kind: ChangeKind;
  readonly id: string | number;
  /** Absent if the change itself does not contain it; `accountsOf` finds it. */
  readonly accountId?: string;
}

const KIND_OF = new Map<string, ChangeKind>(CHANGE_KIND_NAMES.map((kind) => [CHANGE_KINDS[kind].collection, kind]));

/** A change after the pipeline. */
interface SeenChange extends Document {
  readonly ns: { readonly coll: string };
  readonly documentKey: { readonly _id: string | number };
  readonly fullDocument?: { readonly account_id?: string };
}

const CHANGED_FIELDS = {
  $map: { input: { $objectToArray: { $ifNull: ['$updateDescription.updatedFields', {}] } }, in: '$$this.k' },
};
/** The mark that a workflow was started changes nothing that the pages show, and is written for many deliveries. */
const IS_START_MARK = {
  $and: [
    { $eq: ['$operationType', 'update'] },
    {
      $allElementsTrue: {
        $map: { input: CHANGED_FIELDS, in: { $regexMatch: { input: '$$this', regex: '\\.started$' } } },
      },
    },
  ],
};
/** Ids leave the database, data does not. */
const PIPELINE: Document[] = [
  {
    $match: {
      'ns.coll': { $in: [...KIND_OF.keys()] },
      operationType: { $in: ['insert', 'update', 'replace', 'delete'] },
    },
  },
  { $match: { $expr: { $not: [IS_START_MARK] } } },
  { $project: { operationType: 1, ns: 1, documentKey: 1, 'fullDocument.account_id': 1 } },
];

const WAIT_MS = 500;

export type ChangeStore = ReturnType<typeof createChangeStore>;

/** Watches the documents that the dashboards show. */
export function createChangeStore(db: Db) {
  return {
    /** Watches until `close`. One watch serves any number of browsers. */
    watch: (follower: ChangeFollower<Change>): { close(): Promise<void> } =>
      followChanges(() => db.watch<Document, SeenChange>(PIPELINE, { maxAwaitTimeMS: WAIT_MS }), {
        ...follower,
        onChange: (change, position) => follower.onChange(changeOf(change), position),
      }),
    /** The accounts of these documents; deleted documents are left out. */
    async accountsOf(kind: ChangeKind, ids: readonly (string | number)[]): Promise<Map<string | number, string>> {
      const collection = db.collection<{ _id: string | number; account_id: string }>(CHANGE_KINDS[kind].collection);
      const found = await collection.find({ _id: { $in: [...ids] } }, { projection: { account_id: 1 } }).toArray();
      return new Map(found.map(({ _id, account_id }) => [_id, account_id]));
    },
  };
}

function changeOf({ ns, documentKey, fullDocument }: SeenChange): Change {
  const accountId = fullDocument?.account_id;
  return { kind: KIND_OF.get(ns.coll)!, id: documentKey._id, ...(accountId !== undefined && { accountId }) };
}
