import fc from 'fast-check';
import { printJson } from '../../dashboard/src/elements/print-json';
import { visibleText } from '../../dashboard/src/elements/visible-text';

const spaces = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 });

const stringToken = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 3 }).map((text) => JSON.stringify(text).slice(1, -1)),
      fc.constantFrom(
        '\\"',
        '\\\\',
        '\\/',
        '\\n',
        '\\u0064',
        '\\ud800',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        ' ',
        '\u202e',
        '\u2028',
      ),
    ),
    { maxLength: 6 },
  )
  .map((parts) => `"${parts.join('')}"`);
const scalarToken = fc.oneof(
  stringToken,
  fc.constantFrom('0', '-0', '1.0', '1E400', '-1e-400', '12345678901234567890', '0.10', 'true', 'false', 'null'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);

/** JSON as the list of its tokens: duplicate names, numbers that no double holds, every spelling of a string. */
const { value: tokensOfValue } = fc.letrec<{ value: string[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalarToken.map((token) => [token]),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => ['[', ...separated(items), ']']),
    fc
      .array(fc.tuple(fc.oneof(stringToken, fc.constant('"twice"')), tie('value')), { maxLength: 4 })
      .map((members) => ['{', ...separated(members.map(([name, value]) => [name, ':', ...value])), '}']),
  ),
}));

const separated = (parts: readonly string[][]): string[] =>
  parts.flatMap((part, index) => (index === 0 ? part : [',', ...part]));

/** The text without what is between its tokens, by a reader that knows only where strings end. */
function withoutSpaces(text: string): string {
  let kept = '';
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (isInString && character === '\\') kept += character + text[(at += 1)]!;
    else if (isInString || !/[ \n\r\t]/.test(character)) kept += character;
    if (character === '"') isInString = !isInString;
  }
  return kept;
}

it('changes nothing but the white space between tokens', () => {
  fc.assert(
    fc.property(tokensOfValue, fc.array(spaces, { minLength: 1, maxLength: 5 }), (tokens, gaps) => {
      const source = tokens.map((token, index) => `${gaps[index % gaps.length]}${token}`).join('') + gaps[0];
      const printed = printJson(source);
      expect(withoutSpaces(printed)).toBe(tokens.join(''));
      // The same text for each spelling of the space between.
      expect(printed).toBe(printJson(tokens.join('')));
    }),
  );
});

it('prints what JSON.stringify prints with an indentation', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(printJson(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2));
    }),
  );
});

it('prints 2 MB, with which a printer of quadratic time is not through within minutes', () => {
  const list = JSON.stringify(Array.from({ length: 40_000 }, (_, n) => ({ n, text: 'as long as this' })));
  const long = JSON.stringify({ text: '\\"'.repeat(200_000) });
  expect(withoutSpaces(printJson(list)).length).toBe(list.length);
  expect(printJson(long).length).toBe(long.length + '\n  '.length + ' '.length + '\n'.length);
});

it('prints the deepest nesting in proportion to its length', () => {
  const source = `${'['.repeat(256)}${'1,'.repeat(10_000)}1${']'.repeat(256)}`;
  expect(printJson(source).length).toBeLessThan(source.length * 35);
});

it('shows characters that turn the text around, or show nothing, as escapes', () => {
  expect(visibleText('"abc\u202edef"')).toBe(String.raw`"abc\u202edef"`);
  expect(visibleText('a\u0000b\u0085c\u2066d\u200be\ufefff\ud800')).toBe(
    String.raw`a\u0000b\u0085c\u2066d\u200be\ufefff\ud800`,
  );
  const ordinary = 'Straße\n\tعربي 👨‍👩‍👧 e\u0301';
  expect(visibleText(ordinary)).toBe(ordinary);
});
