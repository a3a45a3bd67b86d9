import type { AnyBulkWriteOperation, Collection, Document, Filter, MongoClient, UpdateFilter } from 'mongodb';

/** Clients that talk to a router (`mongos`) of a sharded cluster. */
const routed = new WeakSet<MongoClient>();

const ROUTERS = new Set(['Mongos', 'LoadBalancer']);

/** Notes it when a client finds a router at its address, before it sends the first command. */
export function noticeRouter(client: MongoClient): void {
  client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
    if ([...servers.values()].some(({ type }) => ROUTERS.has(type))) markRouted(client);
  });
}

/** Treats a client as one of a router's. Only tests call it: the package registries have no `mongos`. */
export function markRouted(client: MongoClient): void {
  routed.add(client);
}

/**
 * The writes that change many documents alike, found by a key that is their shard key.
 *
 * One update of many costs MongoDB a third of one for each. A router sends it to every shard, though, and does not
 * synchronise it with a migration of chunks (SERVER-101737), so there it is an update for each key, on one shard.
 *
 * @param keyOf the shard key of an item's document
 * @param write the filter, with the shard key, and the update of the documents of some items
 */
export function writesAlike<T extends Document, Item>(
  collection: Collection<T>,
  items: readonly Item[],
  keyOf: (item: Item) => unknown,
  write: (items: readonly Item[]) => { readonly filter: Filter<T>; readonly update: Document[] | UpdateFilter<T> },
): AnyBulkWriteOperation<T>[] {
  if (items.length === 0) return [];
  if (!isRouted(collection)) return [{ updateMany: write(items) }];
  return [...byKey(items, keyOf).values()].map((own) => ({ updateOne: write(own) }));
}

/** The writes that delete documents by their shard key; as `writesAlike`. */
export function deletesOf<T extends Document>(
  collection: Collection<T>,
  field: keyof T & string,
  keys: readonly unknown[],
): AnyBulkWriteOperation<T>[] {
  if (keys.length === 0) return [];
  const each = isRouted(collection) ? keys : [anyOf(keys)];
  return each.map((key) => ({ deleteMany: { filter: { [field]: key } as Filter<T> } }));
}

/** The condition that a field is one of these keys: an equality if it is one, because only that names its shard. */
export function anyOf<Key>(keys: readonly Key[]): Key | { $in: Key[] } {
  const distinct = [...new Set(keys)];
  return distinct.length === 1 ? distinct[0]! : { $in: distinct };
}

function isRouted<T extends Document>(collection: Collection<T>): boolean {
  return routed.has(collection.db.client);
}

function byKey<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Map<unknown, Item[]> {
  const groups = new Map<unknown, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
