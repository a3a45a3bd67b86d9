import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** Runs a script of bootstrap/. */
function run(script: string, args: readonly string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: ROOT, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, [join(ROOT, 'bootstrap', script), ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

interface Component {
  readonly 'bom-ref': string;
}

/** The audit against a registry that answers so. */
async function auditAt(answer: RequestListener) {
  const registry = createServer(answer);
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const { port } = registry.address() as AddressInfo;
  try {
    return await run('audit.js', [], {
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_fetch_retries: '0',
    });
  } finally {
    registry.closeAllConnections();
    registry.close();
  }
}

describe('the audit of dependencies', () => {
  it('says loudly that nothing is known where the registry has no audit endpoint, and does not fail', async () => {
    const { code, stderr } = await auditAt((_request, response) => response.writeHead(405).end());

    expect(stderr).toContain('NOT AUDITED');
    expect(code).toBe(0);
  }, 60_000);

  it('fails when the registry knows of a serious vulnerability in what is shipped', async () => {
    const koa = [
      {
        id: 1,
        url: 'https://advisories.example/1',
        title: 'It can be taken over',
        severity: 'critical',
        vulnerable_versions: '*',
        cwe: [],
        cvss: { score: 10, vectorString: null },
      },
    ];
    const { code, stderr } = await auditAt((request, response) => {
      if (!request.url?.includes('advisories')) return response.writeHead(404).end();
      return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ koa }));
    });

    expect(stderr).toContain('critical: koa');
    expect(code).toBe(1);
  }, 60_000);

  it('passes when it knows of none', async () => {
    const { code, stderr } = await auditAt((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
    );

    expect(stderr).toContain('0 critical');
    expect(code).toBe(0);
  }, 60_000);
});

it('the bill of materials names every package, with its version, and which ones only make the product', async () => {
  const { code, stdout } = await run('run.js', ['sbom']);
  const bill = JSON.parse(stdout) as { bomFormat: string; components: Component[] };
  const listed = new Map(bill.components.map((component) => [component['bom-ref'], component]));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const references = (names: Record<string, string>): string[] =>
    Object.entries(names).map(([name, version]) => `${name}@${version}`);
  const shipped = references(dependencies).map((reference) => JSON.stringify(listed.get(reference)));

  expect(code).toBe(0);
  expect(bill.bomFormat).toBe('CycloneDX');
  expect(references({ ...dependencies, ...devDependencies }).filter((name) => !listed.has(name))).toEqual([]);
  expect(shipped.filter((component) => component.includes('package:development'))).toEqual([]);
}, 60_000);
