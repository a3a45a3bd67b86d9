import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productVersion } from '../../src/platform/product-version';

describe('the version of the product', () => {
  const folder = mkdtempSync(join(tmpdir(), 'everpost-version-'));
  const code = join(folder, 'dist', 'src');
  mkdirSync(code, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('a build without a package.json above it does not start, and says why', () => {
    expect(() => productVersion(code)).toThrow(`There is no package.json above ${code}. Keep it beside the build.`);
  });

  it('is that of the nearest package.json above the code', () => {
    writeFileSync(join(folder, 'package.json'), '{"version":"4.5.6"}');
    expect(productVersion(code)).toBe('4.5.6');
  });
});
