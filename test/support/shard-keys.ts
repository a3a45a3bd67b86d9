import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { Document } from 'mongodb';

/** The script that shards an installation: what it says is what the tests check. */
const SHARD_SCRIPT = join(__dirname, '..', '..', 'deploy', 'mongodb', 'shard.js');

/** The shard keys by collection: each is one field, hashed. */
export type ShardKeys = ReadonlyMap<string, string>;

/** An installation as the script finds it. Everything that is absent is as it should be. */
export interface FoundCluster {
  /** What `hello` says of the server: `isdbgrid` is a router. */
  readonly msg?: string;
  readonly collections: readonly string[];
  readonly indexes?: Readonly<Record<string, readonly Document[]>>;
  /** Entries of `config.collections`. */
  readonly known?: readonly Document[];
}

/** What a run of the script did. */
export interface ScriptRun {
  readonly sharded: readonly { readonly namespace: string; readonly key: Document }[];
  readonly indexes: readonly { readonly collection: string; readonly key: Document }[];
  readonly printed: readonly string[];
  readonly exitCode: number;
}

/** Runs the script against stand-ins of the objects that mongosh has, because the registries have no `mongos`. */
export function runShardScript({ msg = 'isdbgrid', collections, indexes = {}, known = [] }: FoundCluster): ScriptRun {
  const run = { sharded: [] as Document[], indexes: [] as Document[], printed: [] as string[], exitCode: 0 };
  const plain = (value: unknown): Document => JSON.parse(JSON.stringify(value)) as Document;
  const db = {
    getName: () => 'everpost',
    hello: () => ({ msg }),
    getCollectionNames: () => [...collections],
    getSiblingDB: () => ({
      getCollection: () => ({ findOne: ({ _id }: Document) => known.find((it) => it['_id'] === _id) ?? null }),
    }),
    getCollection: (collection: string) => ({
      getIndexes: () => [{ name: '_id_', key: { _id: 1 } }, ...(indexes[collection] ?? [])],
      createIndex: (key: Document) => run.indexes.push({ collection, key: plain(key) }),
    }),
  };
  const sh = {
    shardCollection: (namespace: string, key: Document) => run.sharded.push({ namespace, key: plain(key) }),
  };
  const print = (line: string): void => void run.printed.push(line);
  const quit = (code: number): void => void (run.exitCode = code);
  runInNewContext(readFileSync(SHARD_SCRIPT, 'utf8'), { db, sh, print, quit });
  return run as unknown as ScriptRun;
}

/** The keys that the script gives the collections of a database. @param collections all that it has */
export function readShardKeys(collections: readonly string[]): ShardKeys {
  const { sharded, printed, exitCode } = runShardScript({ collections });
  if (exitCode !== 0) throw new Error(printed.join('\n'));
  return new Map(
    sharded.map(({ namespace, key }) => {
      const [[field, kind], ...others] = Object.entries(key) as [[string, unknown], ...unknown[]];
      if (kind !== 'hashed' || others.length > 0)
        throw new Error(`${namespace}: the rules know hashed keys of one field`);
      return [namespace.slice(namespace.indexOf('.') + 1), field];
    }),
  );
}
