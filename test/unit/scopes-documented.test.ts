import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPE_NAMES } from '../../src/domain/scopes';
import { operations } from '../support/conformance';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'keys.md'), 'utf8');

describe('docs/keys.md', () => {
  it('lists the scopes of every operation that takes a key, exactly as its route has them', () => {
    const rows = [...page.matchAll(/^\| `((?:GET|POST|PATCH|DELETE) [^`]+)` \| (.+) \|$/gm)];
    const documented = rows.map(([, operation, cell]) => `${operation}: ${cell!.replaceAll('`', '')}`);
    const served = operations
      .filter(({ path }) => path.startsWith('/api/v1/'))
      .map(({ method, path, scopes }) => `${method.toUpperCase()} ${path}: ${scopes!.join(' ') || 'none'}`);
    expect(served.length).toBeGreaterThan(20);
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  it('explains each scope', () => {
    const explained = [...page.matchAll(/^\| `([a-z]+:[a-z]+)` \| to /gm)].map(([, scope]) => scope);
    expect(explained).toEqual(SCOPE_NAMES);
  });
});
