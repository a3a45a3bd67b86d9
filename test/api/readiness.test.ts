import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { createLogger } from '../../src/platform/logger';
import { createMongo } from '../../src/platform/mongo';
import { startRole } from '../../src/processes/start-role';
import { apiClient } from '../support/api-client';
import { startApi } from '../support/build-api';
import { buildAccount, useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const stack = useStack({ role: 'api' });
const LISTS = ['endpoints', 'events', 'deliveries', 'replays', 'deliveries?state=failed', 'events?status=failed'];

it('on a new database a process becomes ready only when every operation can answer', async () => {
  const uri = new URL(stack.config.mongodb.uri!);
  uri.pathname = `/everpost_test_${randomBytes(6).toString('hex')}`;
  const mongo = createMongo(uri.toString());
  const { key } = await buildAccount(stack.config, mongo);
  const api = await startApi(stack.config, { mongodb: { ...stack.config.mongodb, uri: uri.toString() } });
  const seen = new Set<string>();
  try {
    const client = apiClient(api.url, key);
    await eventually(
      async () => {
        const { status, body } = await client.get('/readyz');
        seen.add(`${status} ${body.status}`);
        return status;
      },
      (status) => status === 200,
    );

    const paths = ['/api/cost-estimator', ...LISTS.map((list) => `/api/v1/webhooks/${list}`)];
    const answers = await Promise.all(paths.map((path) => client.get(path)));

    expect(answers.map(({ status, body }, index) => [paths[index], status, body.code])).toEqual(
      paths.map((path) => [path, 200, undefined]),
    );
    expect(seen).toContain('503 starting');
  } finally {
    await api.close();
    await mongo.db.dropDatabase();
    await mongo.close();
  }
});

describe('a worker, on the port of its metrics', () => {
  /** Its answers, and its log. */
  async function startWorkerWith(changes: { mongodb?: string; temporal?: string }) {
    const { mongodb, temporal } = stack.config;
    const lines: string[] = [];
    const log = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const config = {
      ...stack.config,
      mongodb: { ...mongodb, uri: changes.mongodb ?? mongodb.uri! },
      temporal: { ...temporal, address: changes.temporal ?? temporal.address! },
    };
    const role = await startRole('worker', config, createLogger('info', log));
    const url = new URL(role.metricsUrl!).origin;
    return {
      ask: async (path: string) => {
        const answer = await fetch(`${url}${path}`);
        return [answer.status, (await answer.json()) as object];
      },
      metrics: async () => (await fetch(`${url}/metrics`)).text(),
      log: () => lines.join(''),
      close: () => role.close(),
    };
  }

  it('is ready once it polls, and exports what it reaches', async () => {
    const worker = await startWorkerWith({});
    try {
      const ready = await eventually(
        () => worker.ask('/readyz'),
        ([status]) => status === 200,
      );
      const metrics = await worker.metrics();

      expect(ready).toEqual([200, { status: 'ok', mongodb: 'up', temporal: 'up' }]);
      expect(metrics).toMatch(/^everpost_mongodb_up 1$/m);
      expect(metrics).toMatch(/^everpost_temporal_up 1$/m);
      expect(metrics).toMatch(/^everpost_build_info\{version="[\d.]+",process_role="worker"\} 1$/m);
      expect(metrics).toMatch(/^everpost_due_events 0$/m);
      expect(metrics).toMatch(/^everpost_oldest_due_delivery_seconds 0$/m);
    } finally {
      await worker.close();
    }
  });

  it('is alive but not ready while MongoDB and Temporal are dead, and the log names both addresses', async () => {
    const dead = 'mongodb://someone:hunter2@127.0.0.1:1/x?serverSelectionTimeoutMS=200';
    const worker = await startWorkerWith({ mongodb: dead, temporal: '127.0.0.1:1' });
    try {
      await eventually(worker.log, (text) => /MongoDB at/.test(text) && /Temporal at/.test(text));
      const metrics = await worker.metrics();

      expect(await worker.ask('/healthz')).toEqual([200, { status: 'ok' }]);
      expect(await worker.ask('/readyz')).toEqual([503, { status: 'unavailable', mongodb: 'down', temporal: 'down' }]);
      expect(worker.log()).toContain('"MongoDB at 127.0.0.1:1 does not answer; retrying"');
      expect(worker.log()).toContain('"Temporal at 127.0.0.1:1 does not answer; retrying"');
      expect(worker.log()).not.toContain('hunter2');
      expect(metrics).toMatch(/^everpost_mongodb_up 0$/m);
      expect(metrics).toMatch(/^everpost_temporal_up 0$/m);
      // Unknown is not zero.
      expect(metrics).not.toMatch(/^everpost_(due_events|oldest_due_delivery_seconds) /m);
    } finally {
      await worker.close();
    }
  });

  it('is not ready while only Temporal is dead', async () => {
    const worker = await startWorkerWith({ temporal: '127.0.0.1:1' });
    try {
      const answer = await eventually(
        () => worker.ask('/readyz'),
        ([, body]) => (body as { mongodb?: string }).mongodb === 'up',
      );
      expect(answer).toEqual([503, { status: 'unavailable', mongodb: 'up', temporal: 'down' }]);
    } finally {
      await worker.close();
    }
  });
});
