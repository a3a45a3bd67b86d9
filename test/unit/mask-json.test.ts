import fc from 'fast-check';
import { maskJson } from '../../src/domain/mask-json';

const ORDER =
  '{ "id": 12345678901234567890, "total" : 1.0, "2":0, "1":0,\n' +
  '  "customer": {"email": "a@b.example", "name": "Zo\\u00eb", "address": {"city":"Ulm", "zip":"89073"}},\n' +
  '  "lines": [ {"sku":"a","price":1E2}, {"sku":"b","price":2.50} , 7 ] }';

describe('exclude', () => {
  const without = (...exclude: string[]) => maskJson(ORDER, { exclude });

  it('cuts members, and keeps the bytes of all others in their order', () => {
    expect(without('customer.email', 'customer.address.zip')).toBe(
      '{"id":12345678901234567890,"total":1.0,"2":0,"1":0,"customer":{"name":"Zo\\u00eb","address":{"city":"Ulm"}},' +
        '"lines":[ {"sku":"a","price":1E2}, {"sku":"b","price":2.50} , 7 ]}',
    );
  });

  it('cuts in each element of a list, and leaves elements that are no objects', () => {
    expect(JSON.parse(without('lines.price'))).toMatchObject({ lines: [{ sku: 'a' }, { sku: 'b' }, 7] });
    expect(maskJson('[[{"a":1,"b":2}],{"a":1}]', { exclude: ['a'] })).toBe('[[{"b":2}],{}]');
  });

  it.each(['nothing', 'customer.nothing', 'customer.email.deeper', 'total.deeper', 'lines.0', ''])(
    'the path %j, which leads nowhere, changes no value',
    (path) => expect(maskJson(ORDER, { exclude: [path] }).replaceAll(/\s/g, '')).toBe(ORDER.replaceAll(/\s/g, '')),
  );

  it('a path means all that longer ones do, in any order', () => {
    const cut = without('customer');
    expect(without('customer', 'customer.email')).toBe(cut);
    expect(without('customer.email', 'customer')).toBe(cut);
    expect(cut).not.toContain('customer');
  });

  it('cuts a member however its name is written, each time it is there, and names of prototypes like others', () => {
    const text = '{"\\u0065mail":1,"email":2,"__proto__":3,"constructor":4,"say \\"email\\"":5}';
    expect(maskJson(text, { exclude: ['email', '__proto__'] })).toBe('{"constructor":4,"say \\"email\\"":5}');
  });

  it('cuts in strings nothing that looks like JSON', () => {
    const text = '{"a":"{\\"b\\":1}\\\\","b":"]}","c":[]}';
    expect(maskJson(text, { exclude: ['b'] })).toBe('{"a":"{\\"b\\":1}\\\\","c":[]}');
  });
});

describe('include', () => {
  const only = (...include: string[]) => maskJson(ORDER, { include });

  it('keeps only what is named, with its bytes', () => {
    expect(only('id', 'customer.address.city', 'lines.price')).toBe(
      '{"id":12345678901234567890,"customer":{"address":{"city":"Ulm"}},"lines":[{"price":1E2},{"price":2.50}]}',
    );
    expect(only('customer.address', 'total')).toBe(
      '{"total":1.0,"customer":{"address":{"city":"Ulm", "zip":"89073"}}}',
    );
  });

  it('of a value that a path goes on from, but which has no members, nothing is sent', () => {
    expect(maskJson('{"card":"4111","customer":null}', { include: ['card.last4', 'customer.id'] })).toBe('{}');
    expect(maskJson('"4111"', { include: ['last4'] })).toBe('null');
    expect(maskJson('["4111",{"last4":1}]', { include: ['last4'] })).toBe('[{"last4":1}]');
  });
});

/** What masks mean, by objects instead of text. */
function expected(value: unknown, paths: readonly (readonly string[])[], keeps: boolean): unknown {
  if (Array.isArray(value)) return value.map((it) => expected(it, paths, keeps)).filter((it) => it !== undefined);
  if (typeof value !== 'object' || value === null) return keeps ? undefined : value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const rest = paths.filter(([first]) => first === name).map((path) => path.slice(1));
    if (rest.some(({ length }) => length === 0)) return [name, keeps ? member : undefined];
    return [name, rest.length > 0 ? expected(member, rest, keeps) : keeps ? undefined : member];
  });
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

it('is what the same masks do with objects, for any JSON', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'é"');
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue({ maxDepth: 0 }),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(name, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  const paths = fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(tree, paths, fc.boolean(), fc.constantFrom(0, 1, 2), (value, parts, keeps, indent) => {
      const masks = { [keeps ? 'include' : 'exclude']: parts.map((path) => path.join('.')) };
      const masked: unknown = JSON.parse(maskJson(JSON.stringify(value, null, indent), masks));
      expect(masked).toEqual(JSON.parse(JSON.stringify(expected(value, parts, keeps) ?? null)));
    }),
    { numRuns: 1_000 },
  );
});
