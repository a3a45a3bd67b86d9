import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogRow } from '../../src/domain/catalog';
import { readBuiltInCatalog } from '../../src/estimator/import-catalog';
import { catalogOf, createCatalogStore } from '../../src/estimator/catalog-store';
import { apiClient, untilStatus, type ApiAnswer } from '../support/api-client';
import { buildApi, useApi } from '../support/build-api';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { cliOf } from '../support/run-cli';
import { useTemporaryFolder } from '../support/temporary-folder';

const PATH = '/api/cost-estimator';
const { rows } = readBuiltInCatalog();

const stack = useStack({ role: 'api', env: { ESTIMATOR_PER_MINUTE: '1000000' } });
const second = useApi(stack);
const folder = useTemporaryFolder();
const { json: everpost, printed, expectRefused } = cliOf(stack);

beforeEach(() => everpost('catalog', 'reset'));

let files = 0;
async function file(content: string, extension = 'json'): Promise<string> {
  const path = join(folder(), `${(files += 1)}.${extension}`);
  await writeFile(path, content);
  return path;
}

const catalogFile = (list: readonly object[]): Promise<string> => file(JSON.stringify(list));
const repriced = (priceUsd: number, list = rows): CatalogRow[] => list.map((row) => ({ ...row, priceUsd }));

async function bothServe(
  isRight: (body: { count: number; services: { priceUsd: number }[] }) => boolean,
): Promise<void> {
  for (const url of [stack.url, second.url]) {
    await eventually(
      () => apiClient(url).get(PATH),
      ({ status, body }: ApiAnswer) => status === 200 && isRight(body),
    );
  }
}

describe('everpost catalog', () => {
  it('show prints the catalog in force', async () => {
    expect(await everpost('catalog', 'show')).toEqual({
      source: 'built-in',
      version: 2,
      rows: 216,
      revision: readBuiltInCatalog().revision,
      changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  it('import replaces the catalog in every process; reset restores the built-in prices', async () => {
    const path = await catalogFile(repriced(7, rows.slice(0, 10)));
    expect(await everpost('catalog', 'import', path)).toEqual({
      source: 'imported',
      rows: 10,
      added: 0,
      removed: 206,
      changed: 10,
      new_defaults: 0,
    });
    await bothServe(({ count, services }) => count === 10 && services.every(({ priceUsd }) => priceUsd === 7));
    const item = { provider: 'aws', service: 'EC2', quantity: 1, hoursPerMonth: 1 };
    const { body } = await apiClient(second.url).post(PATH, { items: [item] });
    expect(body.totalMonthlyUsd).toBe(7);
    expect(await everpost('catalog', 'show')).toMatchObject({ source: 'imported', version: null, rows: 10 });

    expect(await everpost('catalog', 'reset')).toMatchObject({
      source: 'built-in',
      rows: 216,
      added: 206,
      changed: 10,
    });
    await bothServe(({ count, services }) => count === 216 && services[0]?.priceUsd === 0.0416);
  });

  it('imports a CSV file, and the answer of GET', async () => {
    const csv =
      'provider,category,service,instance,specs,priceUnit,priceUsd,region\naws,cache,X,y,"a, b",per hour,1e-9,here\n';
    await expectRefused('invalid_catalog', 'catalog', 'import', await file(csv, 'csv'));
    await everpost('catalog', 'import', await file(csv.replace('1e-9', '0.000000001'), 'csv'));
    await bothServe(({ count }) => count === 1);
    const { text } = await apiClient(stack.url).get(PATH);
    expect(text).toContain('"priceUsd":0.000000001,');
    await everpost('catalog', 'import', await file(text));
    expect((await apiClient(stack.url).get(PATH)).text).toBe(text);
  });

  it('--dry-run prints each change and makes none', async () => {
    const changed = [{ ...rows[1]!, instance: 't3.nano' }, { ...rows[0]!, priceUsd: 0.05 }, ...rows.slice(2)];
    const path = await catalogFile(changed);
    expect(await printed('catalog', 'import', path, '--dry-run')).toBe(
      [
        'change   provider  service  instance   what',
        'added    aws       EC2      t3.nano    0.0104 per hour',
        'changed  aws       EC2      t3.medium  priceUsd: 0.0416 → 0.05',
        'removed  aws       EC2      t3.micro   0.0104 per hour',
        'default  aws       EC2      t3.nano    was t3.medium',
      ].join('\n'),
    );
    expect(await everpost('catalog', 'reset', '--dry-run')).toEqual([]);
    expect(await everpost('catalog', 'show')).toMatchObject({ source: 'built-in' });
  });

  it('one wrong row, and nothing changes', async () => {
    const path = await catalogFile([...repriced(7), { ...rows[0], instance: 'other', priceUsd: -1 }]);
    await expect(everpost('catalog', 'import', path)).rejects.toMatchObject({
      code: 'invalid_catalog',
      message: "The catalog can't be used; nothing was changed.\nrow 217: priceUsd must not be negative",
    });
    await expect(everpost('catalog', 'import', join(folder(), 'none'))).rejects.toThrow(
      /^The file can't be read: ENOENT/,
    );
    expect(await everpost('catalog', 'show')).toMatchObject({ source: 'built-in', rows: 216 });
  });
});

describe('restarts and upgrades', () => {
  const catalogs = () => createCatalogStore(stack.mongo.db);
  const inForce = async () => (await catalogs().read())!;
  const version = (number: number, priceUsd = number) =>
    catalogOf(repriced(priceUsd), { source: 'built-in', version: number });

  it('a newer built-in catalog replaces an older one, never the reverse', async () => {
    await catalogs().seed(version(3));
    await catalogs().seed(version(2));
    expect((await inForce()).origin).toEqual({ source: 'built-in', version: 3 });
    await bothServe(({ services }) => services.every(({ priceUsd }) => priceUsd === 3));
    // Changed rows under the same version: a developer is editing the file.
    await catalogs().seed(version(3, 4));
    expect((await inForce()).rows[0]!.priceUsd).toBe(4);
  });

  it("an operator's prices survive both", async () => {
    await everpost('catalog', 'import', await catalogFile(repriced(7)));
    const before = await inForce();
    const third = await buildApi(stack.config);
    const { body } = await untilStatus(() => apiClient(third.url).get(PATH), 200);
    await third.close();
    expect(body.services[0].priceUsd).toBe(7);
    await catalogs().seed(version(9));
    expect(await inForce()).toEqual(before);
  });

  it('processes that start at the same moment agree on the catalog', async () => {
    await stack.mongo.db.collection('catalogs').deleteMany({});
    await Promise.all(Array.from({ length: 10 }, (_, index) => catalogs().seed(version(1 + (index % 5)))));
    expect((await inForce()).origin).toEqual({ source: 'built-in', version: 5 });
  });

  it('a database that was emptied gets the built-in catalog again without a restart', async () => {
    await stack.mongo.db.collection('catalogs').deleteMany({});
    const stored = await eventually(
      () => catalogs().read(),
      (catalog) => catalog !== null,
    );
    expect(stored?.rows).toEqual(rows);
  });
});

it('no reader ever sees half a catalog, in the list or in an estimate', async () => {
  // In each catalog all prices are the same, so one of another is seen at once.
  const list = rows.slice(0, 100);
  const prices = [1, 2, 3];
  const items = list.map(({ provider, service, instance }) => ({
    provider,
    service,
    instance,
    quantity: 1,
    hoursPerMonth: 1,
    gbPerMonth: 1,
  }));
  await catalogFileInForce(repriced(1, list));
  await bothServe(({ services }) => services[0]?.priceUsd === 1);

  let isDone = false;
  const seen = new Set<number>();
  const reader = async (url: string): Promise<number> => {
    const client = apiClient(url, undefined, { conformance: false });
    let reads = 0;
    while (!isDone) {
      const [{ body: catalog }, { body: estimate }] = await Promise.all([
        client.get(PATH),
        client.post(PATH, { items }),
      ]);
      const priceOf = (entries: Record<string, number>[], name: string): number => {
        const found = new Set(entries.map((entry) => entry[name]!));
        expect([entries.length, found.size]).toEqual([100, 1]);
        return [...found][0]!;
      };
      seen.add(priceOf(catalog.services, 'priceUsd'));
      const price = priceOf(estimate.breakdown, 'unitPrice');
      expect(estimate.totalMonthlyUsd).toBe(100 * price);
      reads += 1;
    }
    return reads;
  };
  const readers = [stack.url, stack.url, second.url, second.url].map(reader);
  for (const price of prices) {
    await catalogFileInForce(repriced(price, list));
    await bothServe(({ services }) => services[0]?.priceUsd === price);
  }
  isDone = true;
  const reads = (await Promise.all(readers)).reduce((a, b) => a + b);
  expect([...seen].toSorted((a, b) => a - b)).toEqual(prices);
  expect(reads).toBeGreaterThan(20);
});

async function catalogFileInForce(list: readonly CatalogRow[]): Promise<void> {
  await everpost('catalog', 'import', await catalogFile(list));
}

describe('everpost usage', () => {
  it("prints an account's calls, newest day first", async () => {
    const { accountId, key, keyId } = await stack.account({ product: 'rat' });
    for (let count = 0; count < 3; count += 1) await apiClient(stack.url).get(PATH, { 'X-Api-Key': key });
    const day = new Date().toISOString().slice(0, 10);
    const expected = [{ day, key_id: keyId, product: 'rat', operation: 'getCatalog', calls: 3, refused: 0 }];
    const used = await eventually(
      () => everpost<{ calls: number }[]>('usage', accountId),
      // Calls are noted some at a time.
      ([first]) => first?.calls === 3,
    );
    expect(used).toEqual(expected);
    expect(await printed('usage', accountId, '--days', '1')).toMatch(
      new RegExp(`^day +key_id +product +operation +calls +refused\n${day} +${keyId} +rat +getCatalog +3 +0$`),
    );
  });

  it('refuses unknown accounts and bad days', async () => {
    const { accountId } = await stack.account();
    expect(await everpost('usage', accountId)).toEqual([]);
    await expectRefused('account_not_found', 'usage', 'acc_x');
    for (const days of ['0', '401', 'x', '1.5'])
      await expectRefused('invalid_days', 'usage', accountId, '--days', days);
  });
});
