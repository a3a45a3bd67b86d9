import type { MongoClient } from 'mongodb';

/** Connections of this process to MongoDB. */
export interface PoolUse {
  /** Each works on one operation. */
  readonly inUse: number;
  /** Operations that wait for one. */
  readonly waiting: number;
}

/** Counts the connections of a client's pools from now on, by the driver's events. */
export function watchPool(client: MongoClient): () => PoolUse {
  let [inUse, waiting] = [0, 0];
  client.on('connectionCheckOutStarted', () => (waiting += 1));
  client.on('connectionCheckOutFailed', () => (waiting -= 1));
  client.on('connectionCheckedOut', () => {
    waiting -= 1;
    inUse += 1;
  });
  client.on('connectionCheckedIn', () => (inUse -= 1));
  return () => ({ inUse, waiting });
}
