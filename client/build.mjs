// Compiles the client for `import`, dist/esm, and for `require`, dist/cjs: npm run build -- <another folder than dist>
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const HERE = import.meta.dirname;
const target = resolve(process.argv[2] ?? join(HERE, 'dist'));
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const KINDS = {
  esm: { type: 'module', flags: [] },
  // The older module resolution, because the newer one takes the kind of the sources from package.json.
  cjs: {
    type: 'commonjs',
    flags: ['--module', 'commonjs', '--moduleResolution', 'node10', '--verbatimModuleSyntax', 'false'],
  },
};

rmSync(target, { recursive: true, force: true });
for (const [kind, { type, flags }] of Object.entries(KINDS)) {
  const folder = join(target, kind);
  const args = ['-p', join(HERE, 'tsconfig.json'), '--outDir', folder, ...flags];
  execFileSync(process.execPath, [compiler, ...args], { stdio: 'inherit' });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
}
