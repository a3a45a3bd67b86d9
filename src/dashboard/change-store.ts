import { setTimeout } from 'node:timers/promises';
import type { ChangeStream, Db, Document } from 'mongodb';

/** What the pages show and somebody changed. */
export const CHANGE_KINDS = ['events', 'endpoints', 'replays', 'keys'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One change. */
export interface Change {
  readonly kind: ChangeKind;
  readonly id: string | number;
  /** Absent where the change itself does not say; `accountsOf` knows. */
  readonly accountId?: string;
}

export interface ChangeListener {
  onChange(change: Change): void;
  /** Every change from the watch's beginning up to now was told; comes some times a second. */
  onCaughtUp(): void;
  /** Changes were missed; it goes on from now. */
  onBroken(error: unknown): void;
}

/** Watches what the dashboards show. */
export interface ChangeStore {
  /** Watches until `close`. One watch serves any number of browsers. */
  watch(listener: ChangeListener): { close(): Promise<void> };
  /** Whose these things are; what is gone is left out. */
  accountsOf(kind: ChangeKind, ids: readonly (string | number)[]): Promise<Map<string | number, string>>;
}

const COLLECTIONS: Readonly<Record<ChangeKind, string>> = {
  events: 'events',
  endpoints: 'endpoints',
  replays: 'replays',
  keys: 'api_keys',
};
const KIND_OF = new Map(CHANGE_KINDS.map((kind) => [COLLECTIONS[kind], kind]));

/** A change as the pipeline leaves it. */
interface SeenChange extends Document {
  readonly ns: { readonly coll: string };
  readonly documentKey: { readonly _id: string | number };
  readonly fullDocument?: { readonly account_id?: string };
}

const CHANGED_FIELDS = {
  $map: { input: { $objectToArray: { $ifNull: ['$updateDescription.updatedFields', {}] } }, in: '$$this.k' },
};
/** That a workflow was started changes nothing that is shown, and comes with every delivery. */
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
const REOPEN_MS = 1_000;

export function createChangeStore(db: Db): ChangeStore {
  return {
    watch: (listener) => watchChanges(db, listener),
    async accountsOf(kind, ids) {
      const collection = db.collection<{ _id: string | number; account_id: string }>(COLLECTIONS[kind]);
      const found = await collection.find({ _id: { $in: [...ids] } }, { projection: { account_id: 1 } }).toArray();
      return new Map(found.map(({ _id, account_id }) => [_id, account_id]));
    },
  };
}

/** Asks again and again, as the watch on keys does, and for its reason: the driver mends a broken stream in silence. */
function watchChanges(db: Db, listener: ChangeListener): { close(): Promise<void> } {
  const closing = new AbortController();
  let stream: ChangeStream<Document, SeenChange> | undefined;
  const follow = async (): Promise<void> => {
    stream = db.watch<Document, SeenChange>(PIPELINE, { maxAwaitTimeMS: WAIT_MS });
    while (!closing.signal.aborted) {
      const change = await stream.tryNext();
      if (change) listener.onChange(changeOf(change));
      if (stream.bufferedCount() === 0) listener.onCaughtUp();
    }
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await follow().catch((error: unknown) => {
        if (!closing.signal.aborted) listener.onBroken(error);
      });
      await stream?.close().catch(() => undefined);
      await setTimeout(REOPEN_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    close: async () => {
      closing.abort();
      await stream?.close().catch(() => undefined);
      await running;
    },
  };
}

function changeOf({ ns, documentKey, fullDocument }: SeenChange): Change {
  const accountId = fullDocument?.account_id;
  return { kind: KIND_OF.get(ns.coll)!, id: documentKey._id, ...(accountId !== undefined && { accountId }) };
}
