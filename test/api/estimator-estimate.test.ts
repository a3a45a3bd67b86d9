import fc from 'fast-check';
import { createCatalogIndex, entryOf } from '../../src/domain/catalog';
import { estimateCost } from '../../src/domain/cost-estimate';
import { readBuiltInCatalog } from '../../src/estimator/import-catalog';
import { estimateRequest } from '../../src/estimator/schema';
import { apiClient, untilStatus, type ApiAnswer } from '../support/api-client';
import { useStack } from '../support/build-stack';
import { centsHalfUp, fraction, product, textRows, WORKED_LINES } from '../support/estimator-exact';

const PATH = '/api/cost-estimator';
const rows = textRows();
const MEDIUM = { provider: 'aws', service: 'EC2', instance: 't3.medium', quantity: 1 };

const stack = useStack({ role: 'api', env: { ESTIMATOR_PER_MINUTE: '100000' } });
let client: ReturnType<typeof apiClient>;

beforeAll(async () => {
  client = apiClient(stack.url);
  await untilStatus(() => client.get(PATH), 200);
});

const estimate = (items: unknown): Promise<ApiAnswer> => client.post(PATH, { items });
const detailsOf = ({ body }: ApiAnswer): [string, string][] =>
  body.details.map(({ path, message }: { path: string; message: string }) => [path, message]);

describe('POST /api/cost-estimator', () => {
  it('the worked example of the rules: each line as printed, 322.77 a month, 3873.24 a year', async () => {
    const { status, body, headers } = await estimate(WORKED_LINES.map(([item]) => item));
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['totalMonthlyUsd', 'totalAnnualUsd', 'breakdown', 'generatedAt']);
    expect(body.breakdown.map((line: { monthlyUsd: number }) => line.monthlyUsd.toFixed(2))).toEqual(
      WORKED_LINES.map(([, expected]) => expected),
    );
    expect([body.totalMonthlyUsd, body.totalAnnualUsd]).toEqual([322.77, 3873.24]);
    expect(body.generatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  it('answers 100 items in the order of the request, echoed as sent', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({
      ...MEDIUM,
      provider: index % 2 ? 'CLOUD_A ' : 'aws',
      instance: index % 3 ? 't3.medium' : ' T3.MEDIUM',
      quantity: 100 - index,
      // Pasted from the catalog, or anything else.
      specs: 'x',
      '\u0000': [1],
    }));
    const { status, body } = await estimate(items);
    expect(status).toBe(200);
    expect(body.breakdown).toEqual(
      items.map(({ provider, service, instance, quantity }) => ({
        provider,
        service,
        instance,
        quantity,
        unitPrice: 0.0416,
        priceUnit: 'per hour',
        monthlyUsd: Number(centsHalfUp(product(fraction(quantity), fraction('30.368')))) / 100,
      })),
    );
    expect((await estimate([...items, MEDIUM])).status).toBe(400);
  });

  it('accepts a trailing slash', async () => {
    const { status } = await client.post(`${PATH}/`, { items: [MEDIUM] });
    expect(status).toBe(200);
  });
});

describe('warns beside the specified fields', () => {
  const warningsOf = async (...items: object[]): Promise<[string, string, string][]> => {
    const { status, body } = await estimate(items);
    expect(status).toBe(200);
    return (body.warnings ?? []).map(({ code, path, message }: Record<string, string>) => [code, path, message]);
  };
  const LAMBDA = { provider: 'aws', service: 'Lambda', instance: 'Requests' };

  it.each<[item: object, code: string, path: string, message: string]>([
    [
      { ...MEDIUM, hours: 100 },
      'unknown_field',
      'hours',
      'is not a field of an item, and was ignored; did you mean "hoursPerMonth"?',
    ],
    [
      { provider: 'aws', service: 'S3', quantity: 1, gb_per_month: 500 },
      'unknown_field',
      'gb_per_month',
      'is not a field of an item, and was ignored; did you mean "gbPerMonth"?',
    ],
    [{ ...MEDIUM, discount: 1 }, 'unknown_field', 'discount', 'is not a field of an item, and was ignored'],
    [
      { ...MEDIUM, region: 'eu-west-1' },
      'differs_from_catalog',
      'region',
      'was ignored: the catalog has "us-east-1" for this entry, and that is what was priced',
    ],
    [
      { ...MEDIUM, gbPerMonth: 8 },
      'unused_field',
      'gbPerMonth',
      'is not used, because the price is per hour: it is multiplied by hoursPerMonth',
    ],
    [
      { ...LAMBDA, quantity: 1, hoursPerMonth: 730 },
      'unused_field',
      'hoursPerMonth',
      'is not used, because the price is per million requests: quantity alone counts million requests',
    ],
    [
      { ...LAMBDA, quantity: 10_000_000 },
      'large_quantity',
      'quantity',
      'counts million requests, so this is 10,000,000,000,000 requests a month; if you mean 10,000,000 requests, send 10',
    ],
    [
      { ...LAMBDA, quantity: 500_000 },
      'large_quantity',
      'quantity',
      'counts million requests, so this is 500,000,000,000 requests a month; if you mean 500,000 requests, send 0.5',
    ],
    [
      { ...LAMBDA, instance: 'Duration x86', quantity: 2 },
      'below_a_cent',
      'quantity',
      'counts GB-seconds a month, and this line costs less than half a cent a month, so its monthlyUsd is 0; ' +
        'check that the usage is that of a whole month',
    ],
  ])('%j', async (item, code, path, message) => {
    expect(await warningsOf(MEDIUM, item)).toEqual([[code, `items[1].${path}`, message]]);
  });

  it('says nothing about entries of the catalog, pasted with a quantity of 1 and the usage of their unit', async () => {
    const { body } = await client.get(PATH);
    const items = body.services.map((entry: { priceUnit: string }) => ({
      ...entry,
      quantity: entry.priceUnit === 'per GB-second' ? 1_000_000 : 1,
      ...(entry.priceUnit.endsWith('hour') && { hoursPerMonth: 730 }),
      ...(/^per GB(\/month)?$/.test(entry.priceUnit) && { gbPerMonth: 100 }),
    }));
    for (let at = 0; at < items.length; at += 50) {
      const answer = await estimate(items.slice(at, at + 50));
      expect(Object.keys(answer.body)).toEqual(['totalMonthlyUsd', 'totalAnnualUsd', 'breakdown', 'generatedAt']);
    }
  });

  it('gives at most 20 warnings, with long names cut', async () => {
    const fields = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`${'x'.repeat(400)}${at}`, 0]));
    const warnings = await warningsOf(...Array.from({ length: 4 }, () => ({ ...MEDIUM, ...fields })));
    expect(warnings).toHaveLength(20);
    expect(Math.max(...warnings.map(([, path]) => path.length))).toBe(201);
  });
});

describe('refuses with a reason', () => {
  it.each<[what: string, body: unknown, status: number, code: string]>([
    ['not JSON', '{"items":', 400, 'invalid_json'],
    ['an empty body', '', 400, 'invalid_json'],
    ['items twice', '{"items":[],"\\u0069tems":[]}', 400, 'duplicate_member'],
    ['an array', [MEDIUM], 400, 'invalid_request'],
    ['null', 'null', 400, 'invalid_request'],
    ['more than 64 KiB', { items: [{ ...MEDIUM, specs: 'x'.repeat(65_536) }] }, 413, 'payload_too_large'],
    // It is refused before it is parsed, which would find that it is not JSON.
    ['more than 2,000 values', `{"items":[${'{},'.repeat(1_000)}`, 413, 'payload_too_large'],
    ['2,000 values', { items: [{ ...MEDIUM, service: 'x', tags: Array(1_992).fill(0) }] }, 422, 'unknown_service'],
    ['an unknown service', { items: [{ ...MEDIUM, service: 'x'.repeat(60_000) }] }, 422, 'unknown_service'],
    ['an unknown instance', { items: [{ ...MEDIUM, instance: 'x' }] }, 422, 'unknown_instance'],
    ['1e400', '{"items":[{"provider":"aws","service":"EC2","quantity":1e400}]}', 400, 'invalid_request'],
  ])('%s', async (_what, body, status, code) => {
    const answer = await client.post(PATH, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.text.length).toBeLessThan(2_000);
    expect(answer.text).not.toContain('monthlyUsd');
  });

  it('names every problem of the request at once; 400 if one is malformed', async () => {
    const answer = await client.post(PATH, {
      item: [],
      items: [{ ...MEDIUM, quantity: -1, hoursPerMonth: 745 }, MEDIUM, { ...MEDIUM, service: 'EC3' }, 'x'],
    });
    expect([answer.status, answer.body.code, answer.body.error]).toEqual([
      400,
      'invalid_request',
      'Nothing was priced: the items have 5 problems; see details.',
    ]);
    expect(detailsOf(answer)).toEqual([
      ['item', 'is not a known field'],
      ['items[0].quantity', 'must be a number from 0 to 1000000000'],
      ['items[0].hoursPerMonth', 'must be a number from 0 to 744'],
      ['items[2].service', 'is not a service of aws in the catalog; did you mean "EC2"?'],
      ['items[3]', 'must be an object'],
    ]);
  });

  it('422 if everything is well-formed, naming each item', async () => {
    const answer = await estimate([MEDIUM, { ...MEDIUM, service: 'Lamda' }, { ...MEDIUM, instance: 't3.medum' }]);
    expect([answer.status, answer.body.code]).toEqual([422, 'unknown_service']);
    expect(detailsOf(answer)).toEqual([
      ['items[1].service', 'is not a service of aws in the catalog; did you mean "Lambda"?'],
      ['items[2].instance', 'is not an instance of aws EC2 in the catalog; did you mean "t3.medium"?'],
    ]);
  });

  it.each<[item: object, hint: string]>([
    [{ provider: 'azure', service: 'virtual machine' }, '; did you mean "Virtual Machines"?'],
    [{ provider: 'aws', service: 'elasticache' }, '; did you mean "ElastiCache for Redis"?'],
    [{ provider: 'aws', service: 'Dynamo' }, '; did you mean "DynamoDB"?'],
    [{ provider: 'aws', service: 'Ladbma' }, '; did you mean "Lambda"?'],
    [{ provider: 'aws', service: 'Lamb data store' }, ''],
    [{ provider: 'azure', service: 'EC2' }, '; aws has it'],
    [{ provider: 'aws', service: 't3.medium' }, '; it is an instance of "EC2"'],
    [{ provider: 'gcp', service: 'Mainframe hosting' }, ''],
    [{ provider: 'gcp', service: '' }, ''],
    [
      { provider: 'aws', service: 'S3', instance: 'Premium frozen' },
      '; it has Standard, Standard-IA, Glacier Flexible Retrieval, Glacier Deep Archive, PUT requests',
    ],
  ])('the hint for %j', async (item, hint) => {
    const answer = await estimate([{ quantity: 1, ...item }]);
    expect(answer.status).toBe(422);
    expect(detailsOf(answer)[0]![1].replace(/^is not an? \w+ of [\w ]+ in the catalog/, '')).toBe(hint);
    expect(answer.body.error).toMatch(/^"items\[0\]\.\w+" is not an? .*[.?]$/);
  });
});

describe('the schema in the OpenAPI document', () => {
  const index = createCatalogIndex(readBuiltInCatalog().rows.map(entryOf));
  const known = fc.constantFrom(...rows).map(({ provider, service, instance }) => ({ provider, service, instance }));
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.double(),
    fc.constantFrom(0, -1, 744, 745, 1e9, 1e9 + 1, '5', null, undefined),
  );
  const field = fc.constantFrom('provider', 'service', 'instance', 'quantity', 'hoursPerMonth', 'gbPerMonth');
  const item = fc
    .tuple(known, fc.double({ min: 0, max: 1e3, noNaN: true }), fc.array(fc.tuple(field, anything), { maxLength: 2 }))
    .map(([names, quantity, changes]) => ({ ...names, quantity, ...Object.fromEntries(changes) }));

  it('accepts what is priced or not found, and nothing else', () => {
    let wellFormed = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 19, arbitrary: item }, anything), { maxLength: 2 }), (items) => {
        const result = estimateCost(index, items);
        // No schema can add up a total.
        const isWellFormed: boolean =
          result.ok ||
          result.problems.every(({ kind, message }) => kind !== 'invalid' || message.startsWith('must not add up'));
        wellFormed += Number(isWellFormed);
        expect(estimateRequest.safeParse({ items }).success).toBe(isWellFormed);
      }),
      { numRuns: 2_000 },
    );
    expect(wellFormed).toBeGreaterThan(200);
    expect(wellFormed).toBeLessThan(1_600);
  });
});
