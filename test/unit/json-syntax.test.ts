import fc from 'fast-check';
import { jsonErrorAt } from '../../src/domain/json-syntax';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON with one character replaced, put in, or taken out. */
const damaged = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.constantFrom(...Array.from('{}[]:,"\\0-1.e+txn \n\u0001')),
    fc.constantFrom(0, 1),
    fc.boolean(),
  )
  .map(([text, where, character, removed, isInserted]) => {
    const at = where % (text.length + 1);
    return text.slice(0, at) + (isInserted ? character : '') + text.slice(at + removed);
  });

it("finds an error in everything that isn't JSON, and in nothing else", () => {
  fc.assert(
    fc.property(damaged, (text) => {
      const at = jsonErrorAt(text);
      if (isJson(text)) expect(at).toBe(text.length);
      // What comes before the error is not wrong by itself.
      else expect(jsonErrorAt(text.slice(0, at))).toBe(at);
    }),
    { numRuns: 1_000 },
  );
});

it('finds the error of truncated JSON at its end', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, length) => {
      const cut = text.slice(0, length % (text.length + 1));
      const at = jsonErrorAt(cut);
      // A number may be cut behind its point or exponent.
      if (!/^[.eE][+-]?$/.test(cut.slice(at))) expect(at).toBe(cut.length);
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ['{a:1}', 1],
  ["{'a':1}", 1],
  ['[1 2]', 3],
  ['[1,]', 3],
  ['[01]', 2],
  ['{"a":NaN}', 5],
  ['{"a":tru}', 5],
  ['{"a":"\n"}', 6],
  ['{"a":"\\x"}', 6],
  ['{}{}', 2],
  ['{"a":1}]', 7],
  ['[}', 1],
  ['{"a":1', 6],
  ['{"a":"b', 7],
  ['{"a":tr', 7],
  ['hello', 0],
  [',', 0],
])('%j is wrong at %i', (text, at) => {
  expect(jsonErrorAt(text)).toBe(at);
});

it('handles 200,000 brackets and a string of a megabyte', () => {
  expect(jsonErrorAt('['.repeat(200_000))).toBe(200_000);
  expect(jsonErrorAt(`["${'x'.repeat(1_000_000)}${'\\n'.repeat(100_000)}",]`)).toBe(1_200_004);
});
