import fc from 'fast-check';
import { countListed, countValues, scanJson } from '../../src/domain/raw-json';

/** A JSON value as text, with the depth of its nesting. */
interface Text {
  readonly text: string;
  readonly depth: number;
}

const space = fc.array(fc.constantFrom(' ', '\n', '\r', '\t'), { maxLength: 3 }).map((parts) => parts.join(''));

/** Strings in all spellings: plain, any script, structural characters inside, every kind of escape, lone surrogates. */
const stringText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 3 }).map((text) => JSON.stringify(text).slice(1, -1)),
      fc.constantFrom('\\"', '\\\\', '\\/', '\\b', '\\n', '\\u0064', '\\u0000', '\\ud83d\\ude00', '\\ud800', '\\u005C'),
      fc.constantFrom('{', '}', '[', ']', ',', ':', '/', "'", '\u2028', '😀', 'é', '\ufeff', 'data'),
    ),
    { maxLength: 6 },
  )
  .map((parts) => `"${parts.join('')}"`);

const numberText = fc.oneof(
  fc.constantFrom('0', '-0', '1.0', '1E400', '-1e-400', '12345678901234567890', '0.10', '1e+2', '9007199254740993'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);

const scalar = fc
  .oneof(stringText, numberText, fc.constantFrom('true', 'false', 'null'))
  .map((text): Text => ({ text, depth: 0 }));

interface Item extends Text {
  readonly raw: string;
}

/** A value with white space around it. */
const itemOf = (values: fc.Arbitrary<Text>): fc.Arbitrary<Item> =>
  fc.tuple(space, values, space).map(([a, { text, depth }, b]) => ({ raw: text, text: `${a}${text}${b}`, depth }));
const memberOf = (values: fc.Arbitrary<Text>): fc.Arbitrary<Item & { name: string }> =>
  fc
    .tuple(space, stringText, space, itemOf(values))
    .map(([a, name, b, item]) => ({ ...item, name, text: `${a}${name}${b}:${item.text}` }));

const { value } = fc.letrec<{ value: Text; object: Text; array: Text }>((tie) => ({
  value: fc.oneof({ maxDepth: 4, depthSize: 'small' }, scalar, tie('object'), tie('array')),
  array: fc.array(itemOf(tie('value')), { maxLength: 4 }).map((items) => nest('[', items, ']')),
  object: fc.array(memberOf(tie('value')), { maxLength: 4 }).map((members) => nest('{', members, '}')),
}));

function nest(open: string, items: readonly Text[], close: string): Text {
  const depth = 1 + Math.max(0, ...items.map((item) => item.depth));
  return { text: open + items.map(({ text }) => text).join(',') + close, depth };
}

function slices(text: string): { name: string; raw: string }[] {
  const bytes = Buffer.from(text);
  return scanJson(bytes).members.map(({ name, start, end }) => ({ name, raw: bytes.subarray(start, end).toString() }));
}

describe('the raw bytes of a JSON object', () => {
  it('each member has the exact bytes of its value, whatever its spelling and white space', () => {
    fc.assert(
      fc.property(fc.array(memberOf(value), { maxLength: 5 }), space, space, (list, before, after) => {
        const text = before + nest('{', list, '}').text + after;
        JSON.parse(text);
        expect(slices(text)).toEqual(list.map(({ name, raw }) => ({ name: JSON.parse(name), raw })));
      }),
      { numRuns: 500 },
    );
  });

  it('a duplicate member is found twice, in any spelling', () => {
    expect(slices('{"data":1,"d\\u0061ta":2,"other":{"data":3}}')).toEqual([
      { name: 'data', raw: '1' },
      { name: 'data', raw: '2' },
      { name: 'other', raw: '{"data":3}' },
    ]);
  });

  it('the depth is that of the deepest object or array', () => {
    fc.assert(
      fc.property(value, space, ({ text, depth }, gap) => {
        expect(scanJson(Buffer.from(gap + text + gap)).depth).toBe(depth);
      }),
      { numRuns: 500 },
    );
  });

  it("a text that isn't an object has no members", () => {
    fc.assert(
      fc.property(
        value.filter(({ text }) => !text.startsWith('{')),
        ({ text }) => {
          expect(scanJson(Buffer.from(text)).members).toEqual([]);
        },
      ),
    );
  });

  it('each element of a list has its exact bytes, also when the list is part of a text', () => {
    fc.assert(
      fc.property(fc.array(itemOf(value), { maxLength: 5 }), space, space, (list, before, after) => {
        const array = list.length > 0 ? nest('[', list, ']') : { text: `[${before}]`, depth: 1 };
        const bytes = Buffer.from(`{"x":[1],"events":${before}${array.text}${after}}`);
        JSON.parse(bytes.toString());
        const events = scanJson(bytes).members.at(-1)!;
        const { elements: found, depth, members: none } = scanJson(bytes, events);
        expect(found.map(({ start, end }) => bytes.subarray(start, end).toString())).toEqual(
          list.map(({ raw }) => raw),
        );
        expect(depth).toBe(array.depth);
        expect(none).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("nesting of 100,000 levels doesn't exhaust the stack", () => {
    const text = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(scanJson(Buffer.from(text)).depth).toBe(100_000);
  });

  it('a body of 256 KiB costs a few milliseconds of processor time', () => {
    const text = `{"type":"a.b","data":{"list":[${'{"n":1.0,"s":"é\\n"},'.repeat(11_000)}null]}}`;
    const bytes = Buffer.from(text);
    const before = process.cpuUsage();
    const [, data] = scanJson(bytes).members;
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(250);
    expect(bytes.subarray(data!.start, data!.end).toString()).toBe(text.slice('{"type":"a.b","data":'.length, -1));
  });
});

describe('the number of values', () => {
  const count = (parsed: unknown): number =>
    1 +
    (typeof parsed === 'object' && parsed !== null ? Object.values(parsed).reduce((sum, it) => sum + count(it), 0) : 0);

  it('is never less than the values of the text, and at most one more for each empty object or array', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (given) => {
        const text = JSON.stringify(given, null, 1);
        const counted = countValues(Buffer.from(text));
        const empty = JSON.stringify(given, (_, it: unknown) => it).match(/\{\}|\[\]/g)?.length ?? 0;
        expect(counted).toBeGreaterThanOrEqual(count(given));
        expect(counted).toBeLessThanOrEqual(count(given) + empty);
      }),
    );
  });

  it.each([
    ['', 1],
    ['"a,[{b', 1],
    ['[[[', 4],
    ['}{,"\\",{', 3],
  ])('bytes that are not JSON have one too: %j', (text, values) => {
    expect(countValues(Buffer.from(text))).toBe(values);
  });
});

describe('countListed', () => {
  it.each([
    ['1', 0],
    ['{"a":1,"b":{"c":2,"d":"[1,2,3]"}}', 0],
    ['{"a":[1,2,3],"b":1,"c":2}', 3],
    ['{"a":[],"b":[[]]}', 3],
    ['[{"a":1,"b":2},{"c":{"d":3}}]', 6],
  ])('%s has %s values inside lists', (text, values) => {
    expect(countListed(Buffer.from(text))).toBe(values);
  });
});
