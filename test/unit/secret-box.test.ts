import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { createSecretBox } from '../../src/platform/secret-box';

function newKey(): string {
  return randomBytes(32).toString('base64');
}

it('any sealed text opens again', () => {
  const box = createSecretBox([newKey()]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, context) => {
      expect(box.open(box.seal(secret, context), context)).toBe(secret);
    }),
  );
});

it("a sealed text doesn't show the secret, and differs each time", () => {
  const box = createSecretBox([newKey()]);
  const [one, other] = [box.seal('whsec_secret', 'ep_1'), box.seal('whsec_secret', 'ep_1')];
  expect(one.box).not.toBe(other.box);
  expect(Buffer.from(one.box, 'base64').toString('latin1')).not.toContain('whsec_secret');
});

it("a secret can't be opened in place of another endpoint's", () => {
  const box = createSecretBox([newKey()]);
  expect(() => box.open(box.seal('whsec_secret', 'ep_1'), 'ep_2')).toThrow('unable to authenticate');
});

it('a changed byte is always detected', () => {
  const box = createSecretBox([newKey()]);
  const sealed = box.seal('whsec_secret', 'ep_1');
  const bytes = Buffer.from(sealed.box, 'base64');
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(bytes);
      changed[at] = changed[at]! ^ change;
      expect(() => box.open({ ...sealed, box: changed.toString('base64') }, 'ep_1')).toThrow('unable to authenticate');
    }),
  );
});

it('after a rotation the new key seals, and the old one still opens', () => {
  const [oldKey, key] = [newKey(), newKey()];
  const before = createSecretBox([oldKey]).seal('whsec_old', 'ep_1');
  const rotated = createSecretBox([key, oldKey]);
  expect(rotated.open(before, 'ep_1')).toBe('whsec_old');
  const after = rotated.seal('whsec_new', 'ep_1');
  expect(after.key_id).not.toBe(before.key_id);
  expect(createSecretBox([key]).open(after, 'ep_1')).toBe('whsec_new');
});

it('the log names a missing key by its id, and callers never see it', () => {
  const sealed = createSecretBox([newKey()]).seal('whsec_secret', 'ep_1');
  const missing = { code: 'encryption_key_missing', logDetail: expect.stringContaining(sealed.key_id) as string };
  const open = (): string => createSecretBox([newKey()]).open(sealed, 'ep_1');
  expect(open).toThrow(expect.objectContaining(missing));
  expect(open).not.toThrow(sealed.key_id);
});

it('without a key it refuses to seal', () => {
  expect(() => createSecretBox([])).toThrow('ENCRYPTION_KEY');
});
