import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildAuthority, type Certificate } from '../sender/certificates';
import type { FirstAttemptWay } from '../../src/domain/delivery-contract';
import { SWEEPER_TIMING, type SweeperTiming } from '../../src/engine/sweeper';
import { HURRIED_SWEEPER, startCluster, type Cluster } from './cluster/cluster';
import type { Load } from './load/load';
import { startSmallCluster, type SmallCluster } from './cluster/small-cluster';
import type { Stack } from './cluster/stack';
import { startReceivers } from './receivers/receivers';
import { say } from './say';
import { openTenant } from './tenant';
import type { SmallTestbed, Testbed } from './testbed';

/** Opens the testbed of each row, with its way of first attempts: the same one until a row is cut short. */
export interface Testbeds {
  open(way: FirstAttemptWay): Promise<Testbed>;
  /**
   * A new one, whose sweeper is as patient as in production: one that looks every second at all that hangs is itself a
   * load. The next row gets another.
   */
  openForTime(way: FirstAttemptWay): Promise<Testbed>;
  /** The small profile, instead of the cluster: the same one until a row is cut short, or another testbed is opened. */
  openSmall(way: FirstAttemptWay): Promise<SmallTestbed>;
  /** Copies the logs and ledgers of the present cluster into the report's folder. */
  keepLogs(): Promise<void>;
  /** Ends the cluster with whatever still happens on it; the next row gets a new one. */
  leave(): Promise<void>;
}

interface Opened<S extends Stack> {
  readonly testbed: Omit<Testbed<S>, 'way'>;
  close(): Promise<void>;
}

/** What is open: a cluster with a sweeper of some timing, or the small profile. */
type Present =
  | (Opened<Cluster> & { readonly kind: 'cluster'; readonly sweeperTiming: SweeperTiming })
  | (Opened<SmallCluster> & { readonly kind: 'small' });

/**
 * @param build of the product, which the roles run
 * @param logs folder for the logs of clusters on which a row failed
 * @param auto whether rows by express run with `FIRST_ATTEMPT=auto`: executions also show what processes finish
 */
export function createTestbeds(
  { root, build, logs, auto }: Readonly<Record<'root' | 'build' | 'logs', string>> & { readonly auto: boolean },
  receiverTimeoutMs: number,
): Testbeds {
  let opened: Present | undefined;
  let clusters = 0;
  const leave = async (): Promise<void> => {
    const { close } = opened ?? {};
    opened = undefined;
    await close?.();
  };
  // A Ctrl-C ends the cluster as the end does.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void leave().then(() => process.exit(130)));
  }
  const openNew = async (way: FirstAttemptWay, sweeperTiming: SweeperTiming): Promise<Testbed> => {
    await leave();
    clusters += 1;
    const start = (authority: Certificate) =>
      startCluster({ build, sweeperTiming, receiverTimeoutMs, way, auto, say, authority });
    opened = { kind: 'cluster', sweeperTiming, ...(await openTestbed(root, start)) };
    return { ...opened.testbed, way };
  };
  return {
    async open(way) {
      if (opened?.kind !== 'cluster' || opened.sweeperTiming !== HURRIED_SWEEPER) return openNew(way, HURRIED_SWEEPER);
      await opened.testbed.cluster.goWay(way);
      return { ...opened.testbed, way };
    },
    openForTime: (way) => openNew(way, SWEEPER_TIMING),
    async openSmall(way) {
      if (opened?.kind !== 'small') {
        await leave();
        clusters += 1;
        const start = (authority: Certificate) => startSmallCluster({ root, authority, receiverTimeoutMs, say });
        opened = { kind: 'small', ...(await openTestbed(root, start)) };
      }
      return { ...opened.testbed, way };
    },
    async keepLogs() {
      if (opened) await copyLogs(opened.testbed.cluster.folder, join(logs, `cluster-${clusters}`));
    },
    leave,
  };
}

async function openTestbed<S extends Stack>(
  root: string,
  start: (authority: Certificate) => Promise<S>,
): Promise<Opened<S>> {
  const authority = await buildAuthority();
  const cluster = await start(authority);
  const receivers = await startReceivers(cluster.folder, authority);
  const loads = new Set<Load>();
  return {
    testbed: {
      root,
      cluster,
      receivers,
      authority,
      open: (name, tenantOptions) => openTenant({ cluster, receivers, loads }, name, tenantOptions),
    },
    async close() {
      await Promise.all([...loads].map((load) => load.kill()));
      await Promise.all(receivers.map(({ child }) => child.kill()));
      await cluster.close();
    },
  };
}

async function copyLogs(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = (await readdir(from)).filter((name) => name.endsWith('.log') || name.endsWith('.jsonl'));
  for (const name of names) await copyFile(join(from, name), join(to, name));
  // Next to its database; it is missing while the disk is being wiped.
  await copyFile(join(from, 'temporal', 'temporal.log'), join(to, 'temporal.log')).catch(() => undefined);
}
