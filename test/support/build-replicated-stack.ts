import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeThrowawayFolder } from '../../dev/servers';
import { startReplicaSet, type ReplicaSet } from '../../bench/topology/replica-set';
import { buildStack, type Stack, type StackOptions } from './build-stack';
import { useFixture } from './fixture';
import { serverBinary } from './server-binary';

/** A stack on its own three mongods, whose majority can be taken away. */
export interface ReplicatedStack extends Stack {
  readonly replicaSet: ReplicaSet;
}

async function buildReplicatedStack(options: StackOptions): Promise<ReplicatedStack> {
  const folder = await makeThrowawayFolder();
  const replicaSet = await startReplicaSet(await serverBinary('mongod'), join(folder, 'mongodb'));
  const stack = await buildStack({ ...options, env: { ...options.env, MONGODB_URI: replicaSet.uri } });
  return {
    ...stack,
    replicaSet,
    async close() {
      await stack.close();
      await replicaSet.killAll();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Gives the tests of a file one stack on three mongods. */
export function useReplicatedStack(options: StackOptions = {}): ReplicatedStack {
  return useFixture(
    'file',
    () => buildReplicatedStack(options),
    (stack) => stack.close(),
  );
}
