import type { Config } from '../../src/config';
import { createMongo, type Mongo } from '../../src/platform/mongo';
import { markRouted } from '../../src/platform/mongo-router';
import { uriWith } from './mongo-uri';
import { lookedUpBy, routesOf, type Routed } from './router-rules';
import type { ShardKeys } from './shard-keys';

/** A kind of statement that a process sent, and how often. */
export interface CountedRoute extends Routed {
  readonly count: number;
}

/** The commands of processes that believe that they talk to a router. */
export interface WatchedCommands {
  /** Connects as `createMongo` does, behind a router; every command from now on is noted. */
  connect(config: Config): Mongo;
  /** Each kind of statement, sorted by collection. */
  routes(): CountedRoute[];
  /** Pairs of collections that one aggregation joins: `<reads> → <looks up>`. */
  joins(): string[];
}

/** @param keys the shard keys of the collections that would be sharded */
export function watchCommands(keys: ShardKeys): WatchedCommands {
  const counts = new Map<string, CountedRoute>();
  const joins = new Set<string>();
  const problems: unknown[] = [];
  return {
    connect(config) {
      const mongo = createMongo(uriWith(config.mongodb.uri!, { monitorCommands: true }));
      markRouted(mongo.client);
      mongo.client.on('commandStarted', ({ command }) => {
        try {
          for (const routed of routesOf(command, keys)) {
            const name = JSON.stringify(routed);
            counts.set(name, { ...routed, count: (counts.get(name)?.count ?? 0) + 1 });
          }
          for (const other of lookedUpBy(command)) joins.add(`${String(command['aggregate'])} → ${other}`);
        } catch (error) {
          // Thrown in the driver, it would be lost.
          problems.push(error);
        }
      });
      return mongo;
    },
    routes() {
      if (problems.length > 0) throw new AggregateError(problems, 'commands that could not be classified');
      const order = ({ collection, operation, shape }: Routed): string => `${collection} ${operation} ${shape}`;
      return [...counts.values()].toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
    },
    joins: () => [...joins].toSorted(),
  };
}
