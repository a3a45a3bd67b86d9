import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { compileFilter, problemsOfFilter } from '../../src/endpoints/event-filter';
import { createMongo } from '../../src/platform/mongo';
import { testServers } from '../support/servers';

// The documentation says "MongoDB's query language", so MongoDB itself decides what is correct.

const scalar = fc.oneof(
  fc.constantFrom('x', 'y', ''),
  fc.constantFrom(-1, 0, 1, 1.5, 2),
  fc.boolean(),
  fc.constant(null),
);
const name = fc.constantFrom('a', 'b', 'c');
// Fields that hold lists of plain values have no path that leads on through them: `null` there is not MongoDB's.
const path = fc.oneof(
  name,
  fc.tuple(fc.constantFrom('a', 'b'), name).map((parts) => parts.join('.')),
);
const bound = fc.oneof(fc.constantFrom('x', 'y'), fc.constantFrom(-1, 0, 1.5));
const values = fc.array(scalar, { minLength: 1, maxLength: 3 });
const operator = fc.oneof(
  ...['$eq', '$ne'].map((key) => scalar.map((value) => ({ [key]: value }))),
  ...['$gt', '$gte', '$lt', '$lte'].map((key) => bound.map((value) => ({ [key]: value }))),
  ...['$in', '$nin', '$all'].map((key) => values.map((value) => ({ [key]: value }))),
  fc.boolean().map((value) => ({ $exists: value })),
  fc.nat(3).map((value) => ({ $size: value })),
  bound.map((value) => ({ $not: { $gt: value } })),
  fc
    .dictionary(name, fc.oneof(bound, fc.record({ $gte: bound })), { minKeys: 1, maxKeys: 2 })
    .map((value) => ({ $elemMatch: value })),
);
const operators = fc
  .array(operator, { minLength: 1, maxLength: 2 })
  .map((list) => Object.assign({}, ...list) as object);
const fields = fc.dictionary(path, fc.oneof(scalar, operators), { minKeys: 1, maxKeys: 2 });
const groups = fc.constantFrom('$and', '$or', '$nor');
const filters = fc.oneof(
  fields,
  fc.tuple(groups, fc.array(fields, { minLength: 1, maxLength: 3 })).map(([group, list]) => ({ [group]: list })),
);
const flat = fc.dictionary(name, scalar, { maxKeys: 3 });
// Lists right inside lists are left out: they are looked into here, and by MongoDB only in some places.
const nested = fc.oneof(scalar, flat, fc.array(flat, { maxLength: 3 }));
const events = fc.record(
  { a: nested, b: nested, c: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })) },
  { requiredKeys: [] },
);

/** As it comes out of a request. */
function asSent(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}

it('filters match the same events as MongoDB does with the same query', async () => {
  const mongo = createMongo(testServers().mongodbUri);
  const collection = mongo.client
    .db(`everpost_test_${randomBytes(6).toString('hex')}`)
    .collection<{ _id: number }>('d');
  try {
    const seed = Number(process.env['FC_SEED'] ?? Date.now());
    const documents = fc.sample(events, { numRuns: 400, seed }).map(asSent);
    await collection.insertMany(documents.map((data, index) => ({ ...data, _id: index })));
    const differences: unknown[] = [];
    for (const filter of fc.sample(filters, { numRuns: 400, seed }).map(asSent)) {
      if (problemsOfFilter(filter).length > 0) throw new Error(`not a filter: ${JSON.stringify(filter)}`);
      const found = await collection
        .find(filter, { projection: { _id: 1 } })
        .map(({ _id }) => _id)
        .toArray();
      const selected = new Set(found);
      const compiled = compileFilter(filter);
      for (const [index, data] of documents.entries()) {
        const ours = compiled.matches(data);
        if (ours !== selected.has(index)) differences.push({ filter, data, ours });
      }
    }
    expect({
      seed,
      differences: differences.slice(0, 10).map((it) => JSON.stringify(it)),
      n: differences.length,
    }).toEqual({ seed, differences: [], n: 0 });
  } finally {
    await collection.db.dropDatabase();
    await mongo.close();
  }
});
