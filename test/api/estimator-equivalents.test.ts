import { apiClient, untilStatus } from '../support/api-client';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const PATH = '/api/cost-estimator/equivalents';

const stack = useStack({ role: 'api', env: { ESTIMATOR_PER_MINUTE: '100000' } });
let client: ReturnType<typeof apiClient>;

beforeAll(async () => {
  client = apiClient(stack.url);
  await untilStatus(() => client.get(PATH), 200);
});

interface Equivalents {
  readonly provider: string;
  readonly service: string;
  readonly instance: string;
  readonly others: readonly {
    readonly provider: string;
    readonly offers: readonly { readonly parts: readonly object[] }[];
    readonly reason: string;
  }[];
}

describe('GET /api/cost-estimator/equivalents', () => {
  it('says for each of the 216 entries what the others have in its place, or why they have nothing', async () => {
    const { body } = await client.get(PATH);
    const { body: catalog } = await client.get('/api/cost-estimator');
    expect([body.count, body.equivalents.length]).toEqual([216, 216]);
    for (const [at, { provider, service, instance, others }] of (body.equivalents as Equivalents[]).entries()) {
      expect(catalog.services[at]).toMatchObject({ provider, service, instance });
      expect(others.map((other) => other.provider)).toEqual(['aws', 'azure', 'gcp'].filter((it) => it !== provider));
      for (const { offers, reason } of others)
        expect([reason, /^No equivalent: ./.test(reason)]).toEqual([reason, offers.length === 0]);
    }
  });

  it('names the parts of an equivalent whose price has several', async () => {
    const { body } = await client.get(`${PATH}?provider=cloud_a&category=database`);
    const mysql = (body.equivalents as Equivalents[]).find(({ instance }) => instance === 'db.m5.large')!;
    expect(mysql.others[1]).toEqual({
      provider: 'gcp',
      offers: [
        {
          parts: [
            { service: 'Cloud SQL', instance: 'Enterprise vCPU', quantity: 2 },
            { service: 'Cloud SQL', instance: 'Enterprise memory', quantity: 8 },
          ],
        },
      ],
      reason: 'MySQL: 2 x86 vCPUs of its own, 8 GiB, in one zone without a standby; storage is another line.',
    });
    expect(body.count).toBe(8);
  });

  it('answers 304 while nothing has changed, and 400 to an unknown filter', async () => {
    const { headers } = await client.get(PATH);
    const again = await client.get(PATH, { 'If-None-Match': headers.get('ETag')! });
    expect(again.status).toBe(304);
    expect((await client.get(`${PATH}?instance=t3.medium`)).status).toBe(400);
  });

  it("counts a call with a key as its account's usage", async () => {
    const { accountId, key } = await stack.account({ tier: 'team' });
    expect((await client.get(`${PATH}/`, { 'x-api-key': key })).status).toBe(200);
    const query = { account_id: accountId, operation: 'listEquivalents' };
    await eventually(
      () => stack.mongo.db.collection('usage').countDocuments(query),
      (count) => count === 1,
    );
  });
});
