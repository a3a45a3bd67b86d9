// Shards the record: `mongosh "<address of a mongos>/everpost" deploy/mongodb/shard.js`, as a user with the role
// clusterManager, and dbAdmin of the database. Safe to repeat. docs/sharding.md says why these keys, and what it changes.
/* global db, sh, quit */

/** Every other collection stays on the primary shard of the database. */
const KEYS = {
  events: { _id: 'hashed' },
  attempts: { event_id: 'hashed' },
  idempotency_keys: { _id: 'hashed' },
  attempt_counts: { _id: 'hashed' },
  rates: { _id: 'hashed' },
  ordered_endpoints: { _id: 'hashed' },
};

const database = db.getName();
const known = db.getSiblingDB('config').getCollection('collections');

/** What is in the way of sharding a collection; undefined if nothing is. */
function obstacleOf(collection, key) {
  const { unique, other } = indexesOf(collection);
  // A collection with a hashed shard key has no unique index but that of `_id`.
  if (unique.length > 0) return `its index ${unique.map((it) => it.name).join(', ')} is unique`;
  const field = Object.keys(key)[0];
  if (other.some((it) => it.key[field] === 'hashed' && it.partialFilterExpression))
    return 'its hashed index is partial';
  const sharded = known.findOne({ _id: `${database}.${collection}` });
  if (sharded && !sharded.unsplittable && !isSame(sharded.key, key))
    return `its shard key is ${JSON.stringify(sharded.key)}`;
  return undefined;
}

function indexesOf(collection) {
  const other = db
    .getCollection(collection)
    .getIndexes()
    .filter((it) => it.name !== '_id_');
  return { other, unique: other.filter((it) => it.unique) };
}

function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isSharded(collection) {
  const entry = known.findOne({ _id: `${database}.${collection}` });
  return Boolean(entry && !entry.unsplittable);
}

function shardAll() {
  if (db.hello().msg !== 'isdbgrid') {
    print('This is not a mongos. Nothing was changed.');
    return 1;
  }
  const existing = db.getCollectionNames();
  const missing = Object.keys(KEYS).filter((collection) => !existing.includes(collection));
  if (missing.length > 0) {
    print(`${database} has no ${missing.join(', ')}: start Everpost on it first. Nothing was changed.`);
    return 1;
  }
  const obstacles = Object.entries(KEYS)
    .map(([collection, key]) => [collection, obstacleOf(collection, key)])
    .filter(([, obstacle]) => obstacle);
  if (obstacles.length > 0) {
    for (const [collection, obstacle] of obstacles) print(`${collection} can't be sharded: ${obstacle}.`);
    print('Nothing was changed.');
    return 1;
  }
  for (const [collection, key] of Object.entries(KEYS)) {
    if (isSharded(collection)) {
      print(`${collection} is sharded by ${JSON.stringify(key)} already.`);
      continue;
    }
    // MongoDB makes the index itself only for an empty collection.
    db.getCollection(collection).createIndex(key);
    sh.shardCollection(`${database}.${collection}`, key);
    print(`${collection} is sharded by ${JSON.stringify(key)}.`);
  }
  print('The balancer moves the data now: sh.balancerCollectionStatus() of each collection shows when it is done.');
  return 0;
}

const exitCode = shardAll();
if (exitCode !== 0) quit(exitCode);
