import fc from 'fast-check';
import { API_KEY_PATTERN, formatApiKey, maskApiKey, productOfApiKey, PRODUCT_PREFIXES } from '../../src/domain/api-key';

const product = fc.constantFrom(...PRODUCT_PREFIXES);
const hex = fc
  .array(fc.constantFrom(...'0123456789abcdef'.split('')), { minLength: 32, maxLength: 32 })
  .map((it) => it.join(''));

it('a key reveals its product, and matches the published scanner pattern', () => {
  fc.assert(
    fc.property(product, hex, (prefix, digits) => {
      const key = formatApiKey(prefix, digits);
      expect(productOfApiKey(key)).toBe(prefix);
      expect(API_KEY_PATTERN.test(key)).toBe(true);
      expect(`token=${key};`).toMatch(/\bsvc_live_(weh|sec|pii|dep|rat|api)_[0-9a-f]{32}\b/);
    }),
  );
});

it('a key with any one character changed is another key or invalid', () => {
  fc.assert(
    fc.property(
      product,
      hex,
      fc.nat(),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
      (prefix, digits, at, by) => {
        const key = formatApiKey(prefix, digits);
        const where = at % key.length;
        const changed = key.slice(0, where) + by + key.slice(where + 1);
        fc.pre(changed !== key);
        const isWellFormed = /^svc_live_(weh|sec|pii|dep|rat|api)_[0-9a-f]{32}$/.test(changed);
        expect(productOfApiKey(changed) !== undefined).toBe(isWellFormed);
      },
    ),
  );
});

it('a key with something before or after it is invalid', () => {
  fc.assert(
    fc.property(product, hex, fc.string({ minLength: 1, maxLength: 3 }), (prefix, digits, more) => {
      const key = formatApiKey(prefix, digits);
      expect(productOfApiKey(key + more)).toBeUndefined();
      expect(productOfApiKey(more + key)).toBeUndefined();
    }),
  );
  expect(productOfApiKey(`${formatApiKey('weh', 'a'.repeat(32))}\n`)).toBeUndefined();
});

it('the masked key shows its last four characters only', () => {
  fc.assert(
    fc.property(product, hex, (prefix, digits) => {
      const shown = maskApiKey(formatApiKey(prefix, digits));
      expect(shown).toBe(`svc_live_${prefix}_…${digits.slice(-4)}`);
    }),
  );
});
