import { parseDestinationUrl } from '../../src/domain/destination-url';
import { PLAIN_TEXT, printable } from '../../src/domain/plain-text';

const HIDDEN = [
  '\u0000',
  '\u0007',
  '\u001b[31m',
  '\r',
  '\u007f',
  '\u009b31m',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
] as const;
const PLAIN = ['', 'Bestellung №7', 'line one\n\tline two', 'مرحبا', 'שלום', '👩‍👩‍👧', 'a\u200eb'] as const;

it.each(HIDDEN)('%j is no plain text, and is printed as an escape', (hidden) => {
  const text = `before${hidden}after`;
  expect(PLAIN_TEXT.test(text)).toBe(false);
  expect(PLAIN_TEXT.test(printable(text))).toBe(true);
  expect(JSON.parse(`"${printable(text)}"`)).toBe(text);
});

it.each(PLAIN)('%j is plain text, and is printed as it is', (text) => {
  expect(PLAIN_TEXT.test(text)).toBe(true);
  expect(printable(text)).toBe(text);
});

it('JSON means the same when it is printed', () => {
  const value = { label: HIDDEN.join('x'), more: PLAIN.join('y') };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});

it('a URL that turns the direction of text is refused', () => {
  expect(parseDestinationUrl('https://example.com/\u202emoc.live', { allowHttp: false })).toMatchObject({
    ok: false,
    kind: 'malformed',
    message: expect.stringContaining('U+202E; percent-encode them'),
  });
});
