import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { createAccountKey, DATA_KEY_BYTES } from '../../src/payloads/account-key';

const newKey = () => createAccountKey(randomBytes(DATA_KEY_BYTES));
const DATA = Buffer.from('{"email":"ada@example.com"}');

it('any bytes open again, in their place', () => {
  const key = newKey();
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), fc.string(), (bytes, owner, part) => {
      expect(key.open(owner, part, key.seal(owner, part, bytes))).toEqual(Buffer.from(bytes));
    }),
  );
});

it('a box shows nothing of its bytes, and differs each time', () => {
  const key = newKey();
  const [one, other] = [key.seal('event:1', 'data', DATA), key.seal('event:1', 'data', DATA)];
  expect(one.equals(other)).toBe(false);
  expect(one.toString('latin1')).not.toContain('ada');
});

it.each([
  ['as that of another event', 'event:2', 'data'],
  ['as another part of its event', 'event:1', 'schema_errors'],
])("a box can't be opened %s", (_what, owner, part) => {
  const key = newKey();
  expect(() => key.open(owner, part, key.seal('event:1', 'data', DATA))).toThrow('unable to authenticate');
});

it("a box of another account can't be opened", () => {
  const box = newKey().seal('event:1', 'data', DATA);
  expect(() => newKey().open('event:1', 'data', box)).toThrow('unable to authenticate');
});

it('a changed byte is always detected', () => {
  const key = newKey();
  const box = key.seal('event:1', 'data', DATA);
  fc.assert(
    fc.property(fc.nat({ max: box.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(box);
      changed[at] = changed[at]! ^ change;
      expect(() => key.open('event:1', 'data', changed)).toThrow(/unable to authenticate|unknown version/);
    }),
  );
});

it('a search value has one token in its account, and another one elsewhere', () => {
  const [key, other] = [newKey(), newKey()];
  const token = key.searchToken('email:ada@example.com');
  expect(token).toMatch(/^[\w-]{22}$/);
  expect(key.searchToken('email:ada@example.com')).toBe(token);
  expect(key.searchToken('email:bob@example.com')).not.toBe(token);
  expect(other.searchToken('email:ada@example.com')).not.toBe(token);
  expect(key.hashToken('email:ada@example.com')).not.toContain(token);
});
