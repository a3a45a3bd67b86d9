import fc from 'fast-check';
import { InvalidRequestError } from '../../src/domain/errors';
import { compileFilter, problemsOfFilter } from '../../src/endpoints/event-filter';

const matches = (filter: unknown, data: unknown): boolean => compileFilter(filter).matches(data);

/** Each problem as `path: message`. */
const problems = (filter: unknown): string[] =>
  problemsOfFilter(filter).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('a condition on data', () => {
  const order = {
    id: 'ord_42',
    total: 120.5,
    paid: true,
    coupon: null,
    customer: { country: 'DE', tags: ['vip', 'eu'] },
    items: [
      { sku: 'a', count: 1 },
      { sku: 'b', count: 5 },
    ],
  };

  it.each<[string, unknown, boolean]>([
    ['a value', { id: 'ord_42' }, true],
    ['another value', { id: 'ord_43' }, false],
    ['another type', { total: '120.5' }, false],
    ['a path', { 'customer.country': 'DE' }, true],
    ['two conditions, one of them wrong', { paid: true, 'customer.country': 'FR' }, false],
    ['a value inside a list', { 'customer.tags': 'vip' }, true],
    ['a field of the objects in a list', { 'items.sku': 'b' }, true],
    ['an index', { 'items.0.sku': 'b' }, false],
    ['$gt', { total: { $gt: 120.5 } }, false],
    ['$gte and $lt', { total: { $gte: 120.5, $lt: 121 } }, true],
    ['$gt of another type', { id: { $gt: 1 } }, false],
    ['$ne of a missing field', { color: { $ne: 'red' } }, true],
    ['$in', { 'customer.country': { $in: ['FR', 'DE'] } }, true],
    ['$nin', { 'customer.tags': { $nin: ['eu'] } }, false],
    ['null is a missing field, too', { color: null }, true],
    ['null', { coupon: null }, true],
    ['$exists knows null from missing', { coupon: { $exists: true }, color: { $exists: false } }, true],
    ['$size', { items: { $size: 2 } }, true],
    ['$all', { 'customer.tags': { $all: ['eu', 'vip'] } }, true],
    ['$elemMatch on one and the same object', { items: { $elemMatch: { sku: 'a', count: { $gt: 2 } } } }, false],
    ['$elemMatch on values', { 'customer.tags': { $elemMatch: { $gt: 'f', $lt: 'w' } } }, true],
    ['$not', { total: { $not: { $gt: 500 } } }, true],
    ['$or', { $or: [{ total: { $gt: 500 } }, { paid: true }] }, true],
    ['$nor', { $nor: [{ total: { $gt: 500 } }, { paid: true }] }, false],
    ['$and', { $and: [{ total: { $gt: 100 } }, { total: { $lt: 110 } }] }, false],
  ])('%s', (_what, filter, expected) => {
    expect(matches(filter, order)).toBe(expected);
  });

  it('names that every JavaScript object has are names like others, and lists and strings have no length', () => {
    const data = JSON.parse('{"__proto__":{"a":1},"constructor":"x","list":[1],"text":"abc"}') as unknown;

    expect(matches({ '__proto__.a': 1, constructor: 'x' }, data)).toBe(true);
    for (const field of ['toString', 'list.length', 'text.length', 'list.constructor', 'hasOwnProperty.name'])
      expect([field, matches({ [field]: { $exists: true } }, data)]).toEqual([field, false]);
  });

  it('a position that is also a field costs no more than a walk through the data', () => {
    let data: unknown = [1];
    for (let level = 0; level < 8; level += 1) data = [{ 0: data }, { 0: data }];
    const path = Array.from({ length: 12 }, () => '0').join('.');

    expect(matches({ [path]: 'never' }, JSON.parse(JSON.stringify({ 0: data })))).toBe(false);
  });

  it.each([
    ['\u{10000}', '\ue000', true],
    ['\uffff', '\u{10000}', false],
    ['\u{1f600}x', '\u{1f600}', true],
    ['a', 'a\0', false],
  ])('texts are compared by code points: %j is greater than %j: %s', (one, other, isGreater) => {
    expect(matches({ text: { $gt: other } }, { text: one })).toBe(isGreater);
  });

  it("compares integers exactly: it refuses one that a double can't hold, and matches none in the data", () => {
    expect(problems({ id: 9_007_199_254_740_992 })).toEqual([
      'id: must lie between -9007199254740991 and 9007199254740991 to be compared exactly',
    ]);
    expect(matches({ id: 9_007_199_254_740_991 }, JSON.parse('{"id":9007199254740993}'))).toBe(false);
    expect(matches({ id: { $gt: 9_007_199_254_740_991 } }, JSON.parse('{"id":9007199254740993}'))).toBe(true);
    expect(matches({ id: { $gt: 1 } }, JSON.parse('{"id":1E400}'))).toBe(true);
  });
});

describe('an invalid filter is refused with the reason and the place', () => {
  const operators = '$all, $elemMatch, $eq, $exists, $gt, $gte, $in, $lt, $lte, $ne, $nin, $not, $size';

  it.each<[unknown, string[]]>([
    [{}, [': must hold at least one condition']],
    [[], [': must be an object']],
    ['total > 1', [': must be an object']],
    [null, [': must be an object']],
    [{ $where: 'while(true){}' }, ['$where: is not an operator here; use $and, $or, $nor, or the path to a field']],
    [{ id: { $regex: '(a+)+$' } }, [`id.$regex: is not an operator here; use one of ${operators}`]],
    [{ id: { $where: '1' } }, [`id.$where: is not an operator here; use one of ${operators}`]],
    [{ id: { $expr: {} } }, [`id.$expr: is not an operator here; use one of ${operators}`]],
    [
      { customer: { country: 'DE' } },
      ['customer.country: is not an operator; write the path to a field inside with dots: "customer.country"'],
    ],
    [{ id: ['a'] }, ['id: must be a string, a number, true, false or null']],
    [{ id: { $in: 'a' } }, ['id.$in: must be a list with at least one entry']],
    [{ id: { $in: [] } }, ['id.$in: must be a list with at least one entry']],
    [{ id: { $in: [{ a: 1 }] } }, ['id.$in.0: must be a string, a number, true, false or null']],
    [{ id: { $exists: 1 } }, ['id.$exists: must be true or false']],
    [{ id: { $size: 1.5 } }, ['id.$size: must be a whole number from 0']],
    [{ id: { $gt: null } }, ['id.$gt: must be a number or a string']],
    [{ id: {} }, ['id: must hold at least one condition']],
    [{ id: { $not: 1 } }, ['id.$not: must be an object of operators']],
    [{ id: { $elemMatch: 1 } }, ['id.$elemMatch: must be an object of operators or of conditions']],
    [{ $or: {} }, ['$or: must be a list with at least one entry']],
    [{ $or: [1, {}] }, ['$or.0: must be an object', '$or.1: must hold at least one condition']],
    [{ 'a..b': 1 }, ['a..b: must be the path to a field: names with dots between them']],
    [{ '': 1 }, [': must be the path to a field: names with dots between them']],
    [{ ['a.'.repeat(16) + 'b']: 1 }, [`${'a.'.repeat(16)}b: must have at most 16 parts between dots`]],
  ])('%j', (filter, expected) => {
    expect(problems(filter)).toEqual(expected);
    expect(() => compileFilter(filter)).toThrow(InvalidRequestError);
  });

  it('refuses a filter that is too long or has too many values', () => {
    expect(problems({ id: 'x'.repeat(4_096) })).toEqual([': must have at most 4096 bytes as JSON']);
    const numbers = Array.from({ length: 101 }, (_, index) => index);
    expect(problems({ id: { $in: numbers } })).toEqual([': must compare with at most 100 values']);
    expect(problems({ id: { $in: numbers.slice(1) } })).toEqual([]);
  });

  it('refuses nesting beyond 16 levels', () => {
    const nested = (levels: number): unknown => (levels === 0 ? { a: 1 } : { $and: [nested(levels - 1)] });
    expect(problems(nested(7))).toEqual([]);
    expect(problems(nested(8)).join()).toMatch(/must be nested at most 16 levels deep$/);
    expect(problems(nested(200)).join()).toMatch(/must be nested at most 16 levels deep$/);
  });
});

describe('hostile filters and data', () => {
  const number = fc.double({ noNaN: true, min: -9e15, max: 9e15 });
  const scalar = fc.oneof(fc.string(), number, fc.boolean(), fc.constant(null));
  const scalars = fc.array(scalar, { minLength: 1, maxLength: 4 });
  const names = ['a', 'b', 'a.b', 'a.0', 'length', 'a.length', 'toJSON', 'name', 'map', 'a.at'];
  const field = fc.oneof(fc.constantFrom(...names), fc.string());
  const operators = fc.oneof(
    fc.record({ $gt: fc.oneof(fc.string(), fc.integer()) }),
    fc.record({ $in: scalars }),
    fc.record({ $nin: scalars }),
    fc.record({ $all: scalars }),
    fc.record({ $exists: fc.boolean() }),
    fc.record({ $size: fc.nat(4) }),
    fc.record({ $ne: scalar }),
    fc.record({ $not: fc.record({ $lte: fc.integer() }) }),
    fc.record({ $elemMatch: fc.dictionary(fc.constantFrom('a', 'b', 'toString'), scalar, { minKeys: 1, maxKeys: 2 }) }),
  );
  const fields = fc.dictionary(field, fc.oneof(scalar, operators), { minKeys: 1, maxKeys: 4 });
  const filter = fc.oneof(fields, fc.record({ $or: fc.array(fields, { minLength: 1, maxLength: 3 }) }));
  const hostileName = fc.constantFrom(
    ...['a', 'b', '0', 'length', '__proto__', 'constructor', 'toString', 'toJSON', 'hasOwnProperty'],
  );
  const data = fc.letrec((tie) => ({
    any: fc.oneof(scalar, tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 4 }),
    object: fc.dictionary(hostileName, tie('any'), { maxKeys: 4 }),
  })).object;

  it('never throw, never change the data, and give the same result each time', () => {
    fc.assert(
      fc.property(filter, data, (wanted, value) => {
        if (problemsOfFilter(wanted).length > 0) return;
        const text = JSON.stringify(value);
        const sent: unknown = JSON.parse(text);
        const compiled = compileFilter(JSON.parse(JSON.stringify(wanted)));
        const first = compiled.matches(sent);
        expect(typeof first).toBe('boolean');
        expect(compiled.matches(sent)).toBe(first);
        expect(JSON.stringify(sent)).toBe(text);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('get errors in sentences for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        for (const { message } of problemsOfFilter(value)) expect(message).toMatch(/^(must|is not) /);
      }),
      { numRuns: 1_000 },
    );
  });
});
