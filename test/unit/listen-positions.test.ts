import { randomBytes } from 'node:crypto';
import { createPositions } from '../../src/listen/positions';
import { createSecretBox } from '../../src/platform/secret-box';

const POSITION = '826928F3A1000000172B042C0100296E5A1004.0B';
const key = randomBytes(32).toString('base64');
const positions = createPositions(createSecretBox([key]));

it('a position that a client gets tells nothing, and any process with the key reads it', () => {
  const shown = positions.show(POSITION, 'acc_one');
  expect(shown).toMatch(/^[0-9a-f]{8}~[\w-]+$/);
  for (const text of [shown, Buffer.from(shown.slice(9), 'base64url').toString('latin1')]) {
    expect(text).not.toContain(POSITION.slice(0, 8));
  }
  const other = createPositions(createSecretBox([randomBytes(32).toString('base64'), key]));
  expect(other.read(shown, 'acc_one')).toBe(POSITION);
});

it('a position of another account or another key is none, and one of an earlier version stays what it is', () => {
  const shown = positions.show(POSITION, 'acc_one');
  expect(positions.read(shown, 'acc_two')).toBe('');
  expect(createPositions(createSecretBox([randomBytes(32).toString('base64')])).read(shown, 'acc_one')).toBe('');
  expect(positions.read(POSITION, 'acc_one')).toBe(POSITION);
});
