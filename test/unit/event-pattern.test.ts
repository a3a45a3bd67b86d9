import fc from 'fast-check';
import {
  MAX_EVENT_TYPE_LENGTH,
  isEventPattern,
  isEventType,
  isOperationalType,
  matchesEventType,
} from '../../src/domain/event-pattern';

const ALPHABET = 'abzAZ019_-:/'.split('');
const segment = fc.array(fc.constantFrom(...ALPHABET), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
const segments = fc.array(segment, { minLength: 1, maxLength: 4 });
/** Few and short names, so that patterns and types meet often. */
const near = fc.array(fc.constantFrom('order', 'orders', 'created', 'o'), { minLength: 1, maxLength: 4 });

/** The rule, implemented in another way: segment by segment. */
function selects(pattern: string, type: string): boolean {
  if (pattern === '*') return true;
  const wanted = pattern.split('.');
  const given = type.split('.');
  if (wanted.at(-1) !== '*') return wanted.length === given.length && wanted.every((part, at) => part === given[at]);
  const prefix = wanted.slice(0, -1);
  return given.length > prefix.length && prefix.every((part, at) => part === given[at]);
}

describe('patterns', () => {
  it('match by segments', () => {
    const pattern = fc.oneof(
      near.map((parts) => parts.join('.')),
      near.map((parts) => `${parts.join('.')}.*`),
      fc.constant('*'),
    );
    fc.assert(
      fc.property(pattern, near, (text, parts) => {
        const type = parts.join('.');
        expect(matchesEventType(text, type)).toBe(selects(text, type));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['order.created', true],
    ['order.item.added', true],
    ['order', false],
    ['orders.created', false],
    ['preorder.created', false],
    ['Order.created', false],
  ])('`order.*` matches types that begin with `order.`: %s, %s', (type, expected) => {
    expect(matchesEventType('order.*', type)).toBe(expected);
  });

  it('every type matches itself, `*` and every prefix of it with `.*`', () => {
    fc.assert(
      fc.property(segments, (parts) => {
        const type = parts.join('.');
        expect(matchesEventType(type, type)).toBe(true);
        expect(matchesEventType('*', type)).toBe(true);
        for (let length = 1; length < parts.length; length += 1) {
          expect(matchesEventType(`${parts.slice(0, length).join('.')}.*`, type)).toBe(true);
        }
        expect(matchesEventType(`${type}.*`, type)).toBe(false);
      }),
    );
  });
});

describe("Everpost's own types", () => {
  it.each([
    ['everpost.*', true],
    ['everpost.delivery.*', true],
    ['everpost.delivery.failed', true],
    ['*', false],
    ['everpost', false],
    ['everpost.endpoint.*', false],
    ['delivery.*', false],
  ])('only a pattern that begins with everpost. matches them: %s, %s', (pattern, expected) => {
    expect(matchesEventType(pattern, 'everpost.delivery.failed')).toBe(expected);
  });

  it('types that only look similar belong to callers', () => {
    for (const type of ['everpost', 'everposts.delivery', 'my.everpost.delivery']) {
      expect(isOperationalType(type)).toBe(false);
      expect(matchesEventType('*', type)).toBe(true);
    }
  });
});

describe('valid types and patterns', () => {
  it('dotted names are valid types, and valid patterns with `.*` at the end', () => {
    fc.assert(
      fc.property(segments, (parts) => {
        const type = parts.join('.');
        expect(isEventType(type)).toBe(true);
        expect(isEventPattern(type)).toBe(true);
        expect(isEventPattern(`${type}.*`)).toBe(true);
        expect(isEventType(`${type}.*`)).toBe(false);
      }),
    );
  });

  it('a name with any other character is neither', () => {
    const strange = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => /[^A-Za-z0-9_.*:/-]/.test(text));
    fc.assert(
      fc.property(strange, (text) => {
        expect(isEventType(text)).toBe(false);
        expect(isEventPattern(text)).toBe(false);
      }),
    );
  });

  it.each(['', '.', '.a', 'a.', 'a..b', '*.a', 'a.*.b', '**', 'a*', '*.*', '.*', 'a b', 'a\n', 'é', 'order.*.*'])(
    '%j is neither',
    (text) => {
      expect(isEventType(text)).toBe(false);
      expect(isEventPattern(text)).toBe(false);
    },
  );

  it('a type has at most 128 characters, because it is sent in a header', () => {
    expect(isEventType('a'.repeat(MAX_EVENT_TYPE_LENGTH))).toBe(true);
    expect(isEventType('a'.repeat(MAX_EVENT_TYPE_LENGTH + 1))).toBe(false);
    expect(isEventPattern(`${'a'.repeat(MAX_EVENT_TYPE_LENGTH + 1)}.*`)).toBe(false);
  });
});
