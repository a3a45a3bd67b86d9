import fc from 'fast-check';
import { searchValuesOf, splitSearchValue } from '../../src/domain/search-values';

const valuesOf = (fields: readonly string[], json: string): string[] => searchValuesOf(fields, Buffer.from(json));

it('an event is found by the strings, numbers and booleans of its search fields, and by nothing else in its data', () => {
  const data =
    '{"customer_id":"cus_123","total":19.90,"paid":true,"note":null,"items":["a"],"nested":{"customer_id":"x"}}';
  expect(valuesOf(['customer_id', 'total', 'paid'], data)).toEqual(['customer_id:cus_123', 'total:19.90', 'paid:true']);
  expect(valuesOf(['note', 'items', 'nested'], data)).toEqual([]);
  expect(valuesOf(['missing'], data)).toEqual([]);
  expect(valuesOf([], data)).toEqual([]);
});

it('numbers keep the digits that were sent; escapes in names and texts are decoded', () => {
  expect(valuesOf(['n'], '{ "n" : 12345678901234567890 }')).toEqual(['n:12345678901234567890']);
  expect(valuesOf(['a'], String.raw`{"\u0061":"caf\u00e9 \"x\":1"}`)).toEqual(['a:café "x":1']);
});

it('a value of 255 characters is found, a longer or an empty one is not', () => {
  expect(valuesOf(['a'], JSON.stringify({ a: 'x'.repeat(255) }))).toHaveLength(1);
  expect(valuesOf(['a'], JSON.stringify({ a: 'x'.repeat(256) }))).toEqual([]);
  expect(valuesOf(['a'], '{"a":""}')).toEqual([]);
});

it('for any data the values are those that a parser reads, the last one of a repeated field', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const value = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.integer(),
    fc.constant(null),
    fc.array(fc.string()),
    fc.object(),
  );
  const members = fc.array(fc.tuple(name, value), { maxLength: 8 });
  fc.assert(
    fc.property(members, fc.uniqueArray(name, { maxLength: 3 }), (list, fields) => {
      const json = `{${list.map(([key, it]) => `${JSON.stringify(key)}:${JSON.stringify(it)}`).join(', ')}}`;
      const parsed = Object.entries(JSON.parse(json) as Record<string, unknown>);
      const expected = parsed.flatMap(([key, it]) =>
        new Set<string>(fields).has(key) && ['string', 'number', 'boolean'].includes(typeof it) && it !== ''
          ? [`${key}:${String(it)}`]
          : [],
      );
      expect(valuesOf(fields, json).sort()).toEqual(expected.sort());
    }),
  );
});

it('a search value is split at its first colon', () => {
  expect(splitSearchValue('url:https://example.com')).toEqual({ field: 'url', value: 'https://example.com' });
});
