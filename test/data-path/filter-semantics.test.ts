import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { compileFilter, problemsOfFilter } from '../../src/endpoints/event-filter';
import { createMongo } from '../../src/platform/mongo';
import { testServers } from '../support/servers';

// The documentation says "MongoDB's query language", so MongoDB itself decides what is correct.

/** Texts over all of Unicode, and often the ends of its ranges: MongoDB compares bytes, JavaScript UTF-16 units. */
const text = fc.oneof(
  fc.constantFrom(
    'x',
    'y',
    '',
    'X',
    '0',
    '10',
    '9',
    'é',
    'e\u0301',
    '\0',
    'x\0',
    '\u007f',
    '\ud7ff',
    '\ue000',
    '\uffff',
  ),
  fc.constantFrom('\u{10000}', '\u{10ffff}', '\u{1f600}', '\u{1f600}x', '\ue000x', 'ß', 'ss', '\u200b', '\ufeff'),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const number = fc.oneof(
  fc.constantFrom(-1, 0, -0, 1, 1.5, 2, 5e-324, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, -(2 ** 53) + 1),
  fc.integer(),
);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', '0', '1') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('00', '-1', 'length', 'é', '\u{1f600}', ' ', 'constructor', '__proto__', '10'),
  },
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
const bound = fc.oneof(text, number);
const values = fc.array(scalar, { minLength: 1, maxLength: 3 });

const { fields } = fc.letrec<{ operators: object; fields: object }>((tie) => {
  const operator = fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    ...['$eq', '$ne'].map((key) => scalar.map((value) => ({ [key]: value }))),
    ...['$gt', '$gte', '$lt', '$lte'].map((key) => bound.map((value) => ({ [key]: value }))),
    ...['$in', '$nin', '$all'].map((key) => values.map((value) => ({ [key]: value }))),
    fc.boolean().map((value) => ({ $exists: value })),
    fc.nat(3).map((value) => ({ $size: value })),
    tie('operators').map((value) => ({ $not: value })),
    tie('operators').map((value) => ({ $elemMatch: value })),
    tie('fields').map((value) => ({ $elemMatch: value })),
  );
  return {
    operators: fc
      .array(operator, { minLength: 1, maxLength: 2 })
      .map((list) => Object.assign({}, ...(list as object[])) as object),
    fields: fc.oneof(
      { depthSize: 'small' },
      fc
        .dictionary(path, fc.oneof(scalar, tie('operators')), { minKeys: 1, maxKeys: 2, noNullPrototype: true })
        .map((it) => it as object),
      fc
        .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('fields'), { minLength: 1, maxLength: 2 }))
        .map(([group, list]) => ({ [group]: list })),
    ),
  };
});

const { data } = fc.letrec<{ any: unknown; object: object; data: object }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    scalar,
    fc.constantFrom('x', 0, 1, null, 1e300, -1e300, 2 ** 53 + 2),
    fc.array(tie('any'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(name, tie('any'), { maxKeys: 3, noNullPrototype: true }).map((it) => it as object),
  data: fc.dictionary(name, tie('any'), { maxKeys: 3, noNullPrototype: true }).map((it) => it as object),
}));

/** As it comes out of a request. */
function asSent(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}

/** Our limits are not MongoDB's. */
const isWithinLimits = (filter: object): boolean =>
  !problemsOfFilter(filter).some(({ message }) =>
    /^must (be nested at most|compare with at most|have at most)/.test(message),
  );
/** A half of a surrogate pair can't be stored by MongoDB. */
const isWellFormed = (value: object): boolean => !/\\ud[89a-f]/i.test(JSON.stringify(value));

it('filters match the same events as MongoDB does with the same query', async () => {
  const mongo = createMongo(testServers().mongodbUri);
  const collection = mongo.client
    .db(`everpost_test_${randomBytes(6).toString('hex')}`)
    .collection<{ _id: number; d: object }>('d');
  try {
    const seed = Number(process.env['FC_SEED'] ?? Date.now());
    const [documents, filters] = [data, fields].map((any) =>
      fc
        .sample(any, { numRuns: Number(process.env['FC_RUNS'] ?? 400), seed })
        .filter(isWellFormed)
        .map(asSent),
    ) as [Record<string, unknown>[], Record<string, unknown>[]];
    // The data is an object of its own, so that its fields can have any name.
    await collection.insertMany(documents.map((d, index) => ({ d, _id: index })));
    const differences: unknown[] = [];
    let matched = 0;
    for (const filter of filters.filter(isWithinLimits)) {
      const problems = problemsOfFilter(filter);
      if (problems.length > 0) throw new Error(`not a filter: ${JSON.stringify([filter, problems])}`);
      const found = await collection
        .find(withPrefix(filter), { projection: { _id: 1 } })
        .map(({ _id }) => _id)
        .toArray();
      const selected = new Set(found);
      matched += selected.size;
      const compiled = compileFilter(filter);
      for (const [index, document] of documents.entries()) {
        const ours = compiled.matches(document);
        if (ours !== selected.has(index) || ours !== compiled.judge(document).matches)
          differences.push(JSON.stringify({ filter, data: document, ours }));
      }
    }
    expect({
      seed,
      differences: differences.toSorted((a, b) => String(a).length - String(b).length).slice(0, 5),
    }).toEqual({
      seed,
      differences: [],
    });
    // Some of each: otherwise nothing would be compared.
    expect(matched / documents.length / filters.length).toBeGreaterThan(0.05);
  } finally {
    await mongo.client.db(collection.dbName).dropDatabase();
    await mongo.close();
  }
}, 300_000);

/** The same filter of documents that have the data in `d`. */
function withPrefix(filter: object): object {
  return Object.fromEntries(
    Object.entries(filter).map(([key, value]) =>
      key.startsWith('$') ? [key, (value as object[]).map(withPrefix)] : [`d.${key}`, value],
    ),
  );
}
