import fc from 'fast-check';
import { patchedRelease } from '../../src/platform/mongo-version';

it.each([
  ['4.2.24', '4.4.30'],
  ['4.4.29', '4.4.30'],
  ['5.0.31', '5.0.32'],
  ['6.0.5', '6.0.27'],
  ['6.0.26', '6.0.27'],
  // A line that ended before the hole was known.
  ['6.3.2', '7.0.28'],
  ['7.0.27', '7.0.28'],
  ['8.0.16', '8.0.17'],
  ['8.0.4-rc1', '8.0.17'],
  ['8.1.0', '8.2.3'],
  ['8.2.2', '8.2.3'],
])('MongoDB %s needs %s', (version, release) => {
  expect(patchedRelease(version)).toBe(release);
});

it.each(['4.4.30', '5.0.32', '6.0.27', '7.0.28', '7.0.31', '8.0.17', '8.2.3', '8.2.10', '8.3.0', '9.0.0', '10.1.2'])(
  'MongoDB %s needs no patch',
  (version) => {
    expect(patchedRelease(version)).toBeUndefined();
  },
);

it('a recommended release needs no patch itself, and only a version can need one', () => {
  const part = fc.nat({ max: 40 });
  fc.assert(
    fc.property(fc.tuple(part, part, part), (parts) => {
      const release = patchedRelease(parts.join('.'));
      if (release !== undefined) expect(patchedRelease(release)).toBeUndefined();
    }),
  );
  for (const text of ['', 'latest', '8', '8.0']) expect(patchedRelease(text)).toBeUndefined();
});
