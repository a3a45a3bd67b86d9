import { spawn } from 'node:child_process';
import { setTimeout as pass } from 'node:timers/promises';
import { endWithUs } from '../../dev/reaper';
import type { ThrowawayServers } from '../../dev/servers';

/** Shorter than any timeout that a promise depends on: a test that fails because of it judges the machine. */
const MAX_HALT_MS = 1_500;
const MAX_PAUSE_MS = 10_000;

/**
 * Overloads the machine of a test run (test/harness/stress.js): uses up a processor, and halts one of the servers
 * briefly from time to time.
 *
 * @returns a function that stops it and lets every server continue
 */
export function startStress({ mongod, temporal }: ThrowawayServers): () => Promise<void> {
  const burner = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  endWithUs(burner);
  const stop = new AbortController();
  const upTo = (ms: number): Promise<void> =>
    pass(Math.random() * ms, undefined, { signal: stop.signal }).catch(() => undefined);
  const halt = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await upTo(MAX_PAUSE_MS);
      const { pid } = Math.random() < 0.5 ? mongod : temporal;
      process.kill(pid, 'SIGSTOP');
      await upTo(MAX_HALT_MS);
      process.kill(pid, 'SIGCONT');
    }
  };
  const halting = halt();
  return async () => {
    stop.abort();
    burner.kill('SIGKILL');
    await halting;
  };
}
