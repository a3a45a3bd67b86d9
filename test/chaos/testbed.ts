import type { FirstAttemptWay } from '../../src/domain/delivery-contract';
import type { Cluster } from './cluster/cluster';
import type { Certificate } from '../sender/certificates';
import type { ReceiverProcess } from './receivers/receivers';
import type { SmallCluster } from './cluster/small-cluster';
import type { Stack } from './cluster/stack';
import type { Tenant, TenantOptions } from './tenant';

/** The servers, receivers and accounts that a fault is injected into. */
export interface Testbed<S extends Stack = Cluster> {
  /** Of the repository. */
  readonly root: string;
  /** Who makes first attempts. */
  readonly way: FirstAttemptWay;
  readonly cluster: S;
  readonly receivers: readonly ReceiverProcess[];
  readonly authority: Certificate;
  /** A new account with endpoints at the healthy receivers: rows don't see each other's events. */
  open(name: string, options?: TenantOptions): Promise<Tenant>;
}

/** The small profile instead of the cluster. */
export type SmallTestbed = Testbed<SmallCluster>;
