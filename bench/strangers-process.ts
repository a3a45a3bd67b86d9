import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { loadConfig } from '../src/config';
import { startRole } from '../src/processes/start-role';
import { createLogger } from '../src/platform/logger';

/** Sent by the parent. */
type Task =
  | { readonly kind: 'start'; readonly mongodbUri: string }
  | { readonly kind: 'cpu' }
  | { readonly kind: 'heap' };

/** Limits that are never reached: this measures calls that are not refused. */
const NO_LIMIT = '1000000000';

async function start(mongodbUri: string): Promise<string> {
  const config = loadConfig({
    PORT: '0',
    MONGODB_URI: mongodbUri,
    // Strangers never reach Temporal.
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ESTIMATOR_PER_MINUTE: NO_LIMIT,
    AUTH_FAILURES_PER_MINUTE: NO_LIMIT,
    LOG_LEVEL: 'error',
  });
  const role = await startRole('api', config, createLogger(config.logLevel));
  await role.indexesReady;
  return role.url!;
}

/** Nanoseconds of processor time of the main thread, which runs the event loop; other load does not count. Linux. */
function threadNanoseconds(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]);
}

/** The live memory, including buffers, after garbage collection. */
function liveBytes(): number {
  for (let pass = 0; pass < 3; pass += 1) globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

process.on('message', (task: Task) => {
  if (task.kind === 'cpu') process.send?.({ kind: 'cpu', nanoseconds: threadNanoseconds() });
  else if (task.kind === 'heap') process.send?.({ kind: 'heap', bytes: liveBytes() });
  else void start(task.mongodbUri).then((url) => process.send?.({ kind: 'listening', url }));
});
process.on('disconnect', () => process.exit(0));
