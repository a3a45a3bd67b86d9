import { randomBytes } from 'node:crypto';
import { createMongo } from '../../src/platform/mongo';
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
