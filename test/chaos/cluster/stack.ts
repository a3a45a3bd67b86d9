import type { ReplicaSet } from '../../../bench/topology/replica-set';
import type { Config } from '../../../src/config';
import type { Mongo } from '../../../src/platform/mongo';
import type { RoleSlot } from './role';

/** What a row can break in any testbed. */
export interface Stack {
  readonly folder: string;
  readonly config: Config;
  /** Addresses of the APIs; a restarted one keeps its own. */
  readonly urls: readonly string[];
  /** Every process of Everpost. */
  readonly roles: readonly Pick<RoleSlot, 'kill'>[];
  readonly replicaSet: Pick<ReplicaSet, 'killAll' | 'startAll' | 'running' | 'checkpoint'>;
  readonly temporal: TemporalSwitch;
  /** For what an operator does and sees in the database; the verdict on deliveries is never read from it. */
  readonly mongo: Mongo;
  /** Makes all run that should. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** A Temporal server with its database in a file. */
export interface TemporalSwitch {
  readonly address: string;
  pid(): number;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Forgets everything; only while it is killed. */
  wipe(): Promise<void>;
}
