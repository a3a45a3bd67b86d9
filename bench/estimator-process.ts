import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import Koa from 'koa';
import { loadConfig } from '../src/config';
import { startRole } from '../src/processes/start-role';
import { createLogger } from '../src/platform/logger';

/** Sent by the parent. */
type Task =
  | { readonly kind: 'everpost'; readonly mongodbUri: string }
  | { readonly kind: 'bare'; readonly catalog: string; readonly estimate: string }
  | { readonly kind: 'cpu' };

/** The API as in production, with a limit that is never reached. Its log goes to standard output. */
async function startEverpost(mongodbUri: string): Promise<string> {
  const config = loadConfig({
    PORT: '0',
    MONGODB_URI: mongodbUri,
    // The estimator needs no Temporal.
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ESTIMATOR_PER_MINUTE: '1000000000',
  });
  const role = await startRole('api', config, createLogger(config.logLevel));
  return role.url!;
}

/** Koa and nothing else: the same bytes as Everpost's answers, made once. The POST reads its body. */
async function startBare(catalog: string, estimate: string): Promise<string> {
  const answers = { GET: Buffer.from(catalog), POST: Buffer.from(estimate) };
  const app = new Koa();
  app.use(async (ctx) => {
    if (ctx.method === 'POST') await buffer(ctx.req);
    ctx.type = 'application/json';
    ctx.body = ctx.method === 'POST' ? answers.POST : answers.GET;
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

process.on('message', (task: Task) => {
  if (task.kind === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.({ kind: 'cpu', microseconds: user + system });
    return;
  }
  const started = task.kind === 'bare' ? startBare(task.catalog, task.estimate) : startEverpost(task.mongodbUri);
  void started.then((url) => process.send?.({ kind: 'listening', url }));
});
process.on('disconnect', () => process.exit(0));
