import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MANAGEMENT_SCOPE_NAMES } from '../../src/domain/scopes';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'keys.md'), 'utf8');

describe('docs/keys.md', () => {
  it('explains each scope', () => {
    const explained = [...page.matchAll(/^\| `([a-z-]+:[a-z]+)` \| to /gm)].map(([, scope]) => scope);
    expect(explained).toEqual(MANAGEMENT_SCOPE_NAMES);
  });
});
