import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();
const root = join(__dirname, '..', '..');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function launch(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(program, args, { cwd: folder(), env: { ...process.env, ...env } });
}

async function outcomeOf(child: ChildProcess): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  child.stdout!.on('data', (text: Buffer) => (said.stdout += text.toString()));
  child.stderr!.on('data', (text: Buffer) => (said.stderr += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

const ready = (parts: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> =>
  outcomeOf(launch(process.execPath, ['bootstrap/ready.js', ...parts], env));
const launchCli = (...args: string[]): ChildProcess => launch('npm', ['run', '--silent', 'cli', '--', ...args]);
const cli = (...args: string[]): Promise<Ended> => outcomeOf(launchCli(...args));

const write = (path: string, text: string): void => {
  mkdirSync(join(folder(), path, '..'), { recursive: true });
  writeFileSync(join(folder(), path), text);
};
const read = (path: string): string => readFileSync(join(folder(), path), 'utf8');
const writeCli = (source: string): void => write('src/cli.ts', source);

beforeEach(() => cpSync(join(root, 'bootstrap'), join(folder(), 'bootstrap'), { recursive: true }));

describe('a script that runs a built program', () => {
  /** A checkout with one source file: what `npm run cli` runs. */
  beforeEach(() => {
    for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']) {
      cpSync(join(root, name), join(folder(), name));
    }
    symlinkSync(join(root, 'node_modules'), join(folder(), 'node_modules'));
    writeCli("console.log('one', ...process.argv.slice(2));");
  });

  it('builds what is missing, and leaves stdout to the program', async () => {
    expect(await cli('--json', 'a b')).toEqual({ code: 0, stdout: 'one --json a b\n', stderr: 'Compiling …\n' });
    expect(await cli()).toEqual({ code: 0, stdout: 'one\n', stderr: '' });
  });

  it('builds once when two start at once', async () => {
    const results = await Promise.all([cli(), cli()]);

    expect(results.map(({ code, stdout }) => [code, stdout])).toEqual([
      [0, 'one\n'],
      [0, 'one\n'],
    ]);
    expect(results.flatMap(({ stderr }) => stderr.match(/^Compiling …$/gm) ?? [])).toHaveLength(1);
  });

  it('passes on signals and the exit code, and keeps running during another build', async () => {
    writeCli(
      "setInterval(() => {}, 1000); console.log('up'); process.on('SIGTERM', () => { require('./late'); process.exit(4); });",
    );
    write('src/late.ts', "console.log('late');");
    const running = launchCli();
    let said = '';
    running.stdout!.on('data', (text: Buffer) => (said += text.toString()));
    await once(running.stdout!, 'data');
    writeCli("console.log('two');");

    expect(await cli()).toMatchObject({ code: 0, stdout: 'two\n' });
    running.kill('SIGTERM');
    expect(await once(running, 'close')).toEqual([4, null]);
    expect(said).toBe('up\nlate\n');
  });

  it("does not run when the sources don't compile, and keeps the last good build", async () => {
    await cli();
    const before = read('dist/src/cli.js');
    writeCli("const n: number = 'text'; console.log(n);");

    const { code, stdout, stderr } = await cli();

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/src\/cli\.ts.*error TS2322[^]*Compiling failed \(exit code \d\); the reason is above\./);
    expect(read('dist/src/cli.js')).toBe(before);
    expect(await cli()).toMatchObject({ code: 1, stderr: expect.stringContaining('TS2322') });
  });

  it('never runs an interrupted build', async () => {
    await cli();
    writeCli("console.log('two');");
    const builder = spawn(process.execPath, ['bootstrap/ready.js', 'server'], { cwd: folder(), detached: true });
    await once(builder.stderr, 'data');
    process.kill(-builder.pid!, 'SIGKILL');
    await once(builder, 'close');
    writeCli("console.log('one');");

    expect(await cli()).toEqual({ code: 0, stdout: 'one\n', stderr: 'Compiling …\n' });
  });

  it("builds the web page separately from the server, and keeps the last page's files for running servers", async () => {
    cpSync(join(root, 'dashboard', 'vite.config.mts'), join(folder(), 'dashboard', 'vite.config.mts'), {
      recursive: true,
    });
    const writePage = (text: string): void =>
      write('dashboard/src/main.ts', `document.body.append('${text.repeat(500)}');`);
    write('dashboard/index.html', '<script type="module" src="/src/main.ts"></script>');
    write('dashboard/docs.html', '<title>docs</title>');
    write('dashboard/guides.html', '<title>guides</title>');
    write('dashboard/portal.html', '<title>portal</title>');
    writePage('one');
    const assets = (): string[] => readdirSync(join(folder(), 'dist', 'web', 'assets'));
    const build = (): Promise<Ended> => ready(['server', 'page']);

    expect(await build()).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Compiling …\nBuilding the web page …\nBuilding the portal …\n',
    });
    const first = assets();
    expect(first.map((name) => name.replace(/-[\w-]{8}\./, '.'))).toEqual(['index.js', 'index.js.br', 'index.js.gz']);
    expect(await build()).toEqual({ code: 0, stdout: '', stderr: '' });

    writePage('two');
    expect(await build()).toMatchObject({ code: 0, stderr: 'Building the web page …\nBuilding the portal …\n' });
    expect(assets()).toEqual(expect.arrayContaining(first));
    const page = read('dist/web/index.html');
    expect(first.filter((name) => page.includes(name))).toEqual([]);

    writeCli("console.log('other');");
    expect(await build()).toMatchObject({ code: 0, stderr: 'Compiling …\n' });

    write('dashboard/src/main.ts', 'this is wrong');
    expect(await build()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Building the web page failed (exit code 1); the reason is above.'),
    });
    expect(read('dist/web/index.html')).toBe(page);
  });

  // npm passes signals to its shell only, which would leave the program running without a parent.
  it('replaces the shell', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const programs = Object.values(scripts).filter((script) =>
      /(^|&& )(exec )?(node [^&]*dist|jest|playwright)/.test(script),
    );

    expect(programs.length).toBeGreaterThan(10);
    for (const script of programs) expect(script).toMatch(/&& exec \S+/);
  });
});

describe('a fresh clone', () => {
  /** One package, which needs no registry. */
  const writePackages = (version: string): void => {
    const dependencies = { part: 'file:part' };
    write('part/package.json', JSON.stringify({ name: 'part', version }));
    write('package.json', JSON.stringify({ name: 'whole', version: '1.0.0', dependencies }));
    const packages = {
      '': { name: 'whole', version: '1.0.0', dependencies },
      'node_modules/part': { resolved: 'part', link: true },
      part: { version },
    };
    write('package-lock.json', JSON.stringify({ name: 'whole', version: '1.0.0', lockfileVersion: 3, packages }));
  };
  beforeEach(() => writePackages('1.0.0'));

  it('installs its dependencies, and again only when package-lock.json changes', async () => {
    const installs = { code: 0, stdout: '', stderr: expect.stringMatching(/^Installing the dependencies …\n/) };

    expect(await ready([])).toEqual(installs);
    expect(existsSync(join(folder(), 'node_modules', 'part', 'package.json'))).toBe(true);
    expect(await ready([])).toEqual({ ...installs, stderr: '' });

    writePackages('2.0.0');
    expect(await ready([])).toEqual(installs);
    expect(await ready([])).toEqual({ ...installs, stderr: '' });
  });

  it('says which port of npm start is taken before it installs anything', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => void taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const free = { PORT: '0', MONGODB_PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0' };
    const start = (env: NodeJS.ProcessEnv): Promise<Ended> =>
      ready(['ports'], { ...free, EVERPOST_DATA_DIR: 'data', MONGODB_URI: '', TEMPORAL_ADDRESS: '', ...env });
    try {
      for (const [setting, what] of [
        ['PORT', 'the API'],
        ['MONGODB_PORT', 'MongoDB'],
        ['TEMPORAL_PORT', 'Temporal'],
        ['TEMPORAL_UI_PORT', "Temporal's Web UI"],
      ] as const) {
        const said = `Port ${port}, meant for ${what}, is taken. Set ${setting} to a free one.\n`;
        expect(await start({ [setting]: String(port) })).toEqual({ code: 1, stdout: '', stderr: said });
      }
      expect(existsSync(join(folder(), 'node_modules'))).toBe(false);

      // A server elsewhere needs no port here, and .env counts like the environment.
      expect(await start({ MONGODB_PORT: String(port), MONGODB_URI: 'mongodb://db/' })).toMatchObject({ code: 0 });
      write('.env', `MONGODB_PORT=${port}\n`);
      const { MONGODB_PORT: _, ...others } = free;
      const unset = { ...others, MONGODB_PORT: undefined };
      expect(await start(unset)).toMatchObject({ code: 1, stderr: expect.stringContaining('MONGODB_PORT') });

      // With a data folder, our own servers may use the ports: the stack checks them.
      mkdirSync(join(folder(), 'data'));
      expect(await start({ PORT: String(port) })).toEqual({ code: 0, stdout: '', stderr: '' });
    } finally {
      taken.close();
    }
  });

  it('checks every port that npm start uses', () => {
    const { port, mongodb, temporal } = loadConfig({});
    const usual = [...read('bootstrap/ports.js').matchAll(/usual: ([\d_]+)/g)].map((match) => match[1]!);

    expect(usual.map((text) => Number(text.replace('_', '')))).toEqual([
      port,
      mongodb.port,
      temporal.port,
      temporal.uiPort,
    ]);
  });
});
