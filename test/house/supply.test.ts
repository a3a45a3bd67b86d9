import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '..', '..');
const WORKFLOWS = join(ROOT, '.github', 'workflows');

/** Runs a script of package.json. */
function run(script: string, env: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: ROOT, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile('npm', ['run', '--silent', script], options, (_, stdout, stderr) =>
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
    return await run('audit', {
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_fetch_retries: '0',
    });
  } finally {
    registry.closeAllConnections();
    registry.close();
  }
}

describe('the audit of dependencies', () => {
  it('warns and passes where the registry has no audit endpoint', async () => {
    const { code, stdout } = await auditAt((_request, response) => response.writeHead(405).end());

    expect(stdout).toContain('NOT AUDITED');
    expect(code).toBe(0);
  }, 60_000);

  it('fails when a shipped package has a serious known vulnerability', async () => {
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
    const { code, stdout } = await auditAt((request, response) => {
      if (!request.url?.includes('advisories')) return response.writeHead(404).end();
      return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ koa }));
    });

    expect(stdout).toMatch(/^koa .*\nSeverity: critical$/m);
    expect(code).toBe(1);
  }, 60_000);

  it('passes when there is none', async () => {
    const { code, stdout } = await auditAt((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
    );

    expect(stdout).toContain('found 0 vulnerabilities');
    expect(code).toBe(0);
  }, 60_000);
});

/** A package as the lock file has it. */
interface Locked {
  readonly link?: true;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: true;
}

describe('the lock file', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

  it('has a SHA-512 for every package, those for other platforms too', () => {
    expect(installed.length).toBeGreaterThan(500);
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });

  it.each(['@temporalio/testing', 'mongodb-memory-server-core', 'node-sqlite3-wasm', 'selfsigned'])(
    "lists %s for development only: `npm ci --omit=dev` and the image don't have it",
    (name) => expect(packages[`node_modules/${name}`]!.dev).toBe(true),
  );

  it('works with any registry, because it names none', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

it('the bill of materials lists every package with its version, and marks those for development', async () => {
  const { code, stdout } = await run('sbom');
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

describe('what runs code of others', () => {
  /** They only prepare what they run without: a native part from source, or a slower copy for other platforms. */
  const NEEDLESS_SCRIPTS = ['node_modules/@parcel/watcher', 'node_modules/@swc/core'];

  it.each(['', 'docs-site'])('no package of %j runs a script when it is installed', (folder) => {
    expect(readFileSync(join(ROOT, folder, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
  });

  it('no package needs its script; one that gets a script needs a look', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { hasInstallScript?: true }>;
    };
    const withScript = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(withScript.map(([path]) => path)).toEqual(NEEDLESS_SCRIPTS);
  });

  const { permissions, jobs } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8')) as {
    readonly permissions: object;
    readonly jobs: Readonly<Record<string, Job>>;
  };
  const named = Object.entries(jobs);

  it('a job of the release that can write runs nothing of a checkout', () => {
    const writers = named.filter(([, job]) => Object.values(job.permissions).includes('write'));
    expect(permissions).toEqual({});
    expect(writers.map(([name]) => name)).toEqual(['publish']);
    for (const [, { steps = [] }] of writers) {
      expect(steps.filter(({ uses = '' }) => /checkout|setup-node|build-push/.test(uses))).toEqual([]);
      expect(steps.filter(({ run: command = '' }) => /\b(npm|npx|node|docker build)\b/.test(command))).toEqual([]);
    }
  });

  it('a checkout of the release keeps no token', () => {
    const checkouts = named.flatMap(([, { steps = [] }]) => steps.filter(({ uses = '' }) => uses.includes('checkout')));
    expect(checkouts.length).toBeGreaterThan(1);
    for (const { with: options } of checkouts) expect(options).toMatchObject({ 'persist-credentials': false });
  });

  it.each(readdirSync(WORKFLOWS))('an action of %s is pinned by its commit, with its version beside it', (name) => {
    const lines = readFileSync(join(WORKFLOWS, name), 'utf8').split('\n');
    const uses = lines.filter((line) => /^\s*(- )?uses: (?!\.\/)/.test(line));
    expect(uses.length).toBeGreaterThan(3);
    expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });
});

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  /** None, if it plays another workflow. */
  readonly steps?: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[];
}
