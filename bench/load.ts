import { fork } from 'node:child_process';
import { join } from 'node:path';
import { ask } from './child';

/** One ingest as the client saw it. */
export interface Ingested {
  readonly eventId: number;
  readonly sentAtMs: number;
  readonly latencyMs: number;
}

/** Posts events with keys over kept-alive connections, from a separate process. */
export interface Load {
  readonly pid: number;
  /** Posts `count` events with `concurrency` at a time, as fast as they are accepted. */
  burst(count: number, concurrency: number): Promise<Ingested[]>;
  /** Posts `perSecond` events a second for `seconds`, whether earlier ones are answered or not (an open loop). */
  openLoop(perSecond: number, seconds: number): Promise<Ingested[]>;
  close(): void;
}

/** The URL and the key of a load, and the size of each event's data. */
export interface LoadTarget {
  readonly url: string;
  /** Several are used in turn. */
  readonly key: string | readonly string[];
  readonly dataBytes: number;
  /** The data itself, in place of one of that size. */
  readonly data?: object;
  /** Events that are answered 503 are left out; otherwise they end the load. */
  readonly skipsRefused?: boolean;
}

/** What the load's process should send. */
export type LoadTask =
  | { readonly kind: 'burst'; readonly count: number; readonly concurrency: number }
  | { readonly kind: 'open loop'; readonly perSecond: number; readonly seconds: number };

export function startLoad(target: LoadTarget): Load {
  const child = fork(join(__dirname, 'load-process.js'), [JSON.stringify(target)]);
  const send = async (task: LoadTask): Promise<Ingested[]> => {
    const { ingested } = await ask<{ ingested: Ingested[] }>(child, task, 'ingested');
    return ingested;
  };
  return {
    pid: child.pid!,
    burst: (count, concurrency) => send({ kind: 'burst', count, concurrency }),
    openLoop: (perSecond, seconds) => send({ kind: 'open loop', perSecond, seconds }),
    close: () => void child.kill('SIGKILL'),
  };
}
