import { apiClient, untilStatus } from '../support/api-client';
import { useStack } from '../support/build-stack';
import { readBuiltInCatalog } from '../../src/estimator/import-catalog';

const PATH = '/api/cost-estimator/sources';

const stack = useStack({ role: 'api', env: { ESTIMATOR_PER_MINUTE: '100000' } });
let client: ReturnType<typeof apiClient>;

beforeAll(async () => {
  client = apiClient(stack.url);
  await untilStatus(() => client.get(PATH), 200);
});

describe('GET /api/cost-estimator/sources', () => {
  it('says for each of the 216 entries where its price comes from, in the order of the catalog', async () => {
    const { body } = await client.get(PATH);
    const { body: catalog } = await client.get('/api/cost-estimator');
    expect([body.count, body.sources.length]).toEqual([216, 216]);
    for (const [at, row] of readBuiltInCatalog().rows.entries()) {
      const { provider, service, instance, source, sourceDate, note, grade } = row;
      expect(body.sources[at]).toEqual({ provider, service, instance, source, sourceDate, note, grade });
      expect(catalog.services[at]).toMatchObject({ provider, service, instance });
    }
  });

  it('takes the filters of the catalog, and refuses others', async () => {
    const { body } = await client.get(`${PATH}?provider=cloud_b&category=cdn`);
    expect(body.count).toBe(4);
    expect(new Set(body.sources.map(({ service }: { service: string }) => service))).toEqual(new Set(['Front Door']));
    expect((await client.get(`${PATH}?service=EC2`)).status).toBe(400);
  });

  it('answers 304 while nothing has changed', async () => {
    const { headers } = await client.get(PATH);
    const again = await client.get(PATH, { 'If-None-Match': headers.get('ETag')! });
    expect(again.status).toBe(304);
  });
});
