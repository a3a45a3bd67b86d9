import type { Document } from 'mongodb';
import type { ShardKeys } from './shard-keys';

// Which shards a router (`mongos`) sends a command to, by the rules of MongoDB's manual. Pages without a host are below
// https://www.mongodb.com/docs/manual/.

/** Where a command goes. */
export type Route =
  /** To the one shard that holds the document, or to those that hold the documents of a list of keys. */
  | 'targeted'
  /** To the primary shard of the database: its collection is not sharded. */
  | 'primary shard'
  /** A read that every shard answers. */
  | 'gathered'
  /** A read of some of what matches, in the order of an index alone, which no router merges. */
  | 'gathered without an order'
  /** A write that every shard gets. */
  | 'broadcast'
  /** The router answers with an error, or places the document where no one finds it. */
  | 'refused'
  /** A change stream, which every shard feeds. */
  | 'change stream'
  /** Definitions of collections and indexes. */
  | 'definition'
  /** Of the connection, the session or an open cursor. */
  | 'session';

/** One statement of a command, and where a router sends it. */
export interface Routed {
  readonly collection: string;
  /** As the driver calls it, such as `updateOne`. */
  readonly operation: string;
  /** The filter without its values. */
  readonly shape: string;
  readonly route: Route;
  /** Whether it is part of a transaction. */
  readonly inTransaction: boolean;
}

const DEFINITIONS = ['create', 'drop', 'dropDatabase', 'collMod', 'dropIndexes', 'listIndexes', 'listCollections'];
const SESSION = [
  ...['hello', 'ismaster', 'ping', 'buildInfo', 'endSessions', 'killCursors', 'getMore', 'commitTransaction'],
  ...['abortTransaction', 'saslStart', 'saslContinue', 'profile', 'explain', 'dbStats', 'collStats'],
];

/**
 * Classifies a command.
 *
 * @param command as the driver sends it (`CommandStartedEvent.command`)
 * @throws Error for a command that no rule knows
 */
export function routesOf(command: Document, keys: ShardKeys): Routed[] {
  const [name] = Object.keys(command) as [string];
  const collection = String(command[name]);
  const inTransaction = command['autocommit'] === false;
  const key = keys.get(collection);
  return statementsOf(name, command, key).map(({ operation, filter, route }) => ({
    collection: ['1', 'true'].includes(collection) ? '(database)' : collection,
    operation,
    shape: shapeOf(filter),
    route: route === 'targeted' && key === undefined ? 'primary shard' : route,
    inTransaction,
  }));
}

interface Statement {
  readonly operation: string;
  readonly filter: Document;
  readonly route: Route;
}

function statementsOf(name: string, command: Document, key: string | undefined): Statement[] {
  if (SESSION.includes(name)) return [{ operation: name, filter: {}, route: 'session' }];
  if (DEFINITIONS.includes(name)) return [{ operation: name, filter: {}, route: 'definition' }];
  switch (name) {
    case 'createIndexes':
      return indexStatements(command, key);
    case 'insert':
      return insertStatements(command, key);
    case 'update':
      return (command['updates'] as Document[]).map((it) => updateStatement(it, key));
    case 'delete':
      return (command['deletes'] as Document[]).map((it) => deleteStatement(it, key));
    case 'findAndModify':
      return [findAndModifyStatement(command, key)];
    case 'find':
      return [findStatement(command, key)];
    case 'count':
    case 'distinct':
      return [{ operation: name, ...readOf((command['query'] as Document | undefined) ?? {}, key) }];
    case 'aggregate':
      return [aggregateStatement(command['pipeline'] as Document[], key)];
    default:
      throw new Error(`no rule says where a router sends "${name}"`);
  }
}

/** How far a filter names the shard key: one value, a list of values, or not so that a hash tells the shard. */
type Named = 'one' | 'some' | 'none';

/**
 * A hashed shard key is named by equality alone: "hashed sharding ... range-based queries on the shard key are more likely
 * to be broadcast" (core/hashed-sharding/). A list (`$in`) names the shards of its values. Every branch of an `$or` would
 * have to name it, which no command of ours does.
 */
function namedBy(filter: Document, key: string): Named {
  const conditions = [filter[key], ...((filter['$and'] as Document[] | undefined) ?? []).map((it) => it[key])].filter(
    (it) => it !== undefined,
  );
  const of = (condition: unknown): Named => {
    if (!isOperators(condition)) return condition instanceof RegExp ? 'none' : 'one';
    if ('$eq' in condition) return 'one';
    return Array.isArray(condition['$in']) ? 'some' : 'none';
  };
  const named = conditions.map(of);
  const nested = ((filter['$and'] as Document[] | undefined) ?? [])
    .filter((it) => '$and' in it)
    .map((it) => namedBy(it, key));
  const all = [...named, ...nested];
  return all.includes('one') ? 'one' : all.includes('some') ? 'some' : 'none';
}

/** Operators, and no value: a value of BSON such as a date or a binary has no name that begins with `$`. */
function isOperators(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && Object.keys(value).some((name) => name.startsWith('$'));
}

/** "For queries that don't include the shard key ... mongos must query all shards" (core/sharded-cluster-query-router/). */
function readOf(filter: Document, key: string | undefined): { readonly filter: Document; readonly route: Route } {
  return { filter, route: key === undefined || namedBy(filter, key) !== 'none' ? 'targeted' : 'gathered' };
}

/**
 * "If the result set is sorted, the mongos merges the results of the shards by that sort"
 * (core/sharded-cluster-query-router/, "How mongos Handles Query Modifiers"). Without a sort, results come as shards answer:
 * a limit then cuts off anything.
 */
function findStatement({ filter = {}, sort, limit, singleBatch }: Document, key: string | undefined): Statement {
  const { route } = readOf(filter as Document, key);
  const asksForAny = limit === 1 && singleBatch === true;
  const isCut = limit !== undefined && sort === undefined;
  const operation = asksForAny ? 'findOne' : 'find';
  return {
    operation,
    filter: filter as Document,
    route: route === 'gathered' && isCut ? `${route} without an order` : route,
  };
}

/**
 * "If the pipeline starts with an exact $match on a shard key, and has no $out or $lookup, the entire pipeline runs on the
 * matching shard only" (core/aggregation-pipeline-sharded-collections/). A `$lookup` of a sharded collection asks its shards for
 * each document: no command of ours may have one, in either place. A change stream is fed by every shard
 * (administration/change-streams-production-recommendations/).
 */
function aggregateStatement(pipeline: Document[], key: string | undefined): Statement {
  const [first = {}] = pipeline;
  if ('$changeStream' in first) return { operation: 'watch', filter: {}, route: 'change stream' };
  const behind = pipeline.findIndex((stage) => !('$match' in stage));
  const matches = pipeline.slice(0, behind < 0 ? pipeline.length : behind).map((stage) => stage['$match'] as Document);
  const filter: Document = matches.length === 1 ? matches[0]! : { $and: matches };
  const looksUp = pipeline.some((stage) => '$lookup' in stage || '$graphLookup' in stage || '$unionWith' in stage);
  if (looksUp && key !== undefined) return { operation: 'aggregate', filter, route: 'refused' };
  return { operation: 'aggregate', ...readOf(filter, key) };
}

/** The other collections that an aggregation reads. */
export function lookedUpBy(command: Document): string[] {
  const text = JSON.stringify(command['pipeline'] ?? []);
  return [...text.matchAll(/"from":"([^"]+)"/g)].map(([, name]) => name!);
}

/**
 * "The document must contain the shard key": without one it would be on the shard of null (core/sharding-shard-key/, "Missing
 * Shard Key Fields").
 */
function insertStatements({ documents }: Document, key: string | undefined): Statement[] {
  const has = (document: Document): boolean => key === undefined || document[key] !== undefined;
  const route = (documents as Document[]).every(has) ? 'targeted' : 'refused';
  return [{ operation: (documents as Document[]).length === 1 ? 'insertOne' : 'insertMany', filter: {}, route }];
}

/**
 * Of one document: "you must include an exact match on the _id field or target a single shard (such as by including the
 * shard key in the filter)"; with `upsert`, "the filter must include the shard key" (reference/method/db.collection.updateOne/,
 * "Sharded Collections"). By `_id` alone it is sent to all shards (SERVER-105800).
 *
 * Of many: "updateMany() and deleteMany() are broadcast operations, unless the query document specifies the shard key in
 * full" (core/sharded-cluster-query-router/). A list of keys is not enough: outside of a transaction, a write that needs more than
 * one shard goes to all of them, and is not synchronised with migrations of chunks (SERVER-101737, DRIVERS-818).
 *
 * "To modify the shard key value ... you must run it in a transaction or as a retryable write" (core/sharding-change-a-document's
 * -shard-key-value/): no command of ours may.
 */
function updateStatement(
  { q: filter, u: update, multi = false, upsert = false }: Document,
  key: string | undefined,
): Statement {
  const operation = multi ? 'updateMany' : isReplacement(update as Document) ? 'replaceOne' : 'updateOne';
  const statement = (route: Route): Statement => ({
    operation: upsert ? `${operation}, upsert` : operation,
    filter,
    route,
  });
  if (key === undefined) return statement('targeted');
  if (setsKey(update, key)) return statement('refused');
  return statement(writeRoute(filter, key, { isMulti: multi, isStrict: upsert }));
}

/** As of updates: "deleteOne() ... must include an exact match on the shard key or _id" (reference/method/db.collection.deleteOne/). */
function deleteStatement({ q: filter, limit }: Document, key: string | undefined): Statement {
  const operation = limit === 0 ? 'deleteMany' : 'deleteOne';
  return {
    operation,
    filter,
    route: key === undefined ? 'targeted' : writeRoute(filter, key, { isMulti: limit === 0, isStrict: false }),
  };
}

/**
 * "Your query filter must include an equality condition on the shard key" (core/sharded-cluster-requirements/). Since MongoDB 7.1 a
 * router asks all shards instead.
 */
function findAndModifyStatement(command: Document, key: string | undefined): Statement {
  const { query: filter = {}, update, remove, upsert } = command;
  const operation = remove ? 'findOneAndDelete' : upsert ? 'findOneAndUpdate, upsert' : 'findOneAndUpdate';
  if (key === undefined) return { operation, filter, route: 'targeted' };
  const isTargeted = namedBy(filter as Document, key) === 'one' && !(update && setsKey(update, key));
  return { operation, filter, route: isTargeted ? 'targeted' : 'refused' };
}

function writeRoute(
  filter: Document,
  key: string,
  { isMulti, isStrict }: { isMulti: boolean; isStrict: boolean },
): Route {
  if (namedBy(filter, key) === 'one') return 'targeted';
  if (isMulti) return 'broadcast';
  return !isStrict && namedBy(filter, '_id') === 'one' ? 'broadcast' : 'refused';
}

/**
 * "You cannot specify a unique constraint on a hashed index", and on a collection sharded by one no index but that of `_id` can be
 * unique (core/sharding-shard-key-indexes/, "Unique Indexes").
 */
function indexStatements({ indexes }: Document, key: string | undefined): Statement[] {
  return (indexes as Document[]).map(({ key: fields, unique }) => ({
    operation: unique ? 'createIndexes, unique' : 'createIndexes',
    filter: fields as Document,
    route: unique && key !== undefined ? 'refused' : 'definition',
  }));
}

function isReplacement(update: Document): boolean {
  return !Array.isArray(update) && !Object.keys(update).some((name) => name.startsWith('$'));
}

/** Whether an update gives the shard key a value. */
function setsKey(update: unknown, key: string): boolean {
  const stages = (Array.isArray(update) ? update : [update]) as Document[];
  const setters = ['$set', '$addFields', '$unset', '$inc', '$rename', '$currentDate', '$min', '$max'];
  return stages.some((stage) => setters.some((name) => Object.keys((stage[name] as Document) ?? {}).includes(key)));
}

/** A filter without its values: `account_id =, type $in`. */
function shapeOf(filter: Document): string {
  const parts = Object.entries(filter).map(([name, condition]) => {
    if (name === '$and') return (condition as Document[]).map((it) => shapeOf(it)).join(', ');
    if (name.startsWith('$')) return name;
    return isOperators(condition) ? `${name} ${Object.keys(condition).join(' ')}` : `${name} =`;
  });
  return [...new Set(parts.filter((part) => part !== '').flatMap((part) => part.split(', ')))].join(', ');
}
