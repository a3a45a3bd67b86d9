import type { FirstAttemptWay } from '../../src/domain/delivery-contract';
import type { Cluster } from './cluster/cluster';
import type { Certificate } from '../sender/certificates';
import type { ReceiverProcess } from './receivers/receivers';
import type { Tenant, TenantOptions } from './tenant';

/** The cluster, receivers and accounts that a fault is injected into. */
export interface Testbed {
  /** Of the repository. */
  readonly root: string;
  /** Who makes first attempts. */
  readonly way: FirstAttemptWay;
  readonly cluster: Cluster;
  readonly receivers: readonly ReceiverProcess[];
  readonly authority: Certificate;
  /** A new account with endpoints at the healthy receivers: rows don't see each other's events. */
  open(name: string, options?: TenantOptions): Promise<Tenant>;
}
