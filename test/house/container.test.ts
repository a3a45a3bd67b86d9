import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { useTemporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '..', '..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

interface Service {
  readonly image?: string;
  readonly user?: string;
  readonly privileged?: boolean;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly volumes?: readonly string[];
}

const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const ours = Object.entries(services).filter(([, { image }]) => image?.startsWith('everpost:'));

/** Instructions of the image that runs: what follows the last FROM. */
const runtime = read('Dockerfile')
  .split(/^FROM /m)
  .at(-1)!;

it('both stages start from one image, pinned by digest, with a Node version that the product supports', () => {
  const dockerfile = read('Dockerfile');
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  const [, major] = /^ARG NODE_IMAGE=node:(\d+)[\d.]*-[a-z]+-slim@sha256:[0-9a-f]{64}$/m.exec(dockerfile)!;
  const [, least] = /^>=(\d+)/.exec(engines.node)!;

  expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map((match) => match[1])).toEqual([
    '${NODE_IMAGE}',
    '${NODE_IMAGE}',
  ]);
  // The first argument, before any stage: an argument of a stage is not there for the next FROM.
  expect(dockerfile.indexOf('ARG NODE_IMAGE')).toBeLessThan(dockerfile.indexOf('\nFROM '));
  expect(Number(major)).toBeGreaterThanOrEqual(Number(least));
  // Releases with odd numbers get no long-term support.
  expect(Number(major) % 2).toBe(0);
});

it('the image runs as an unprivileged numeric user, so that an orchestrator can check it', () => {
  const users = [...runtime.matchAll(/^USER (.+)$/gm)].map((match) => match[1]!);
  expect(users).toHaveLength(1);
  const [uid, gid] = users[0]!.split(':').map(Number);
  expect(uid).toBeGreaterThan(0);
  expect(gid).toBeGreaterThan(0);
  // Whatever is copied stays root's: the process can't change its own code.
  expect(runtime).not.toMatch(/--chown|chmod|chown/);
});

// The command is one of the image, which runs Linux.
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux("Temporal's native part", () => {
  const folder = useTemporaryFolder();

  it('is in the image for its own platform only, and loads', () => {
    const [, command] = /^RUN (find \S+core-bridge\S+ (?:.*\\\n)*.*)$/m.exec(read('Dockerfile'))!;
    const bridge = join('node_modules', '@temporalio', 'core-bridge');
    mkdirSync(join(folder(), 'node_modules', '@temporalio'), { recursive: true });
    cpSync(join(ROOT, bridge), join(folder(), bridge), {
      recursive: true,
      filter: (path) => !path.includes('/sdk-core/'),
    });
    for (const needed of [join('@temporalio', 'common'), '@grpc']) {
      symlinkSync(join(ROOT, 'node_modules', needed), join(folder(), 'node_modules', needed));
    }

    execFileSync('/bin/sh', ['-ec', command!], { cwd: folder() });

    const arch = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
    expect(readdirSync(join(folder(), bridge, 'releases'))).toEqual([`${arch}-unknown-linux-gnu`]);
    expect(readdirSync(join(folder(), bridge))).not.toContain('sdk-core');
  });
});

it('the image needs no writable path: the roles keep their state in MongoDB and Temporal', () => {
  expect(runtime).not.toMatch(/^VOLUME /m);
  expect(ours.map(([name]) => name).sort()).toEqual(['api', 'worker']);
  for (const [name, { volumes = [] }] of ours) expect([name, volumes]).toEqual([name, []]);
});

it.each(ours)(
  '%s runs with a read-only root and without capabilities, and can gain no privileges',
  (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] });
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(service.cap_add).toBeUndefined();
    expect(service.privileged).toBeUndefined();
    expect(service.user).toBeUndefined();
  },
);

it('no service of the stack is privileged', () => {
  for (const [name, { privileged }] of Object.entries(services)) expect([name, privileged]).toEqual([name, undefined]);
});
