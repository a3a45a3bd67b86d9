import { join } from 'node:path';
import { startChild } from '../cluster/child';

/** What the load process sends, and where. */
export interface LoadSettings {
  readonly tenant: string;
  readonly urls: readonly string[];
  readonly key: string;
  readonly type: string;
  readonly perSecond: number;
  /** Random bytes, in base64, that each event's data is longer by. */
  readonly padding: number;
  readonly ledgerFile: string;
}

export type LoadMessage =
  | { readonly kind: 'start'; readonly settings: LoadSettings }
  | { readonly kind: 'stop' }
  | { readonly kind: 'progress' };

/** Counted after it was synced to the ledger. */
export interface LoadProgress {
  readonly sent: number;
  readonly acknowledged: number;
  /** Not acknowledged after three minutes of tries, or refused with a 4xx. */
  readonly gaveUp: number;
}

/** A load that runs. */
export interface Load {
  progress(): Promise<LoadProgress>;
  /** Sends nothing new, and waits until what was sent is answered or given up. */
  stop(): Promise<LoadProgress>;
  /** Ends it at once. */
  kill(): Promise<void>;
}

export async function startLoad(settings: LoadSettings): Promise<Load> {
  const child = await startChild(join(__dirname, 'load-process.js'));
  const tell = (message: LoadMessage): Promise<LoadProgress> => child.ask(message);
  await tell({ kind: 'start', settings });
  return {
    progress: () => tell({ kind: 'progress' }),
    async stop() {
      const last = await tell({ kind: 'stop' });
      await child.kill();
      return last;
    },
    kill: child.kill,
  };
}
