import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();
const root = join(__dirname, '..', '..');

/** A checkout with one source file: what `npm run cli` runs. */
beforeEach(() => {
  for (const name of ['bootstrap', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']) {
    cpSync(join(root, name), join(folder(), name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder(), 'node_modules'));
  mkdirSync(join(folder(), 'src'));
  writeCli("console.log('one', ...process.argv.slice(2));");
});

const writeCli = (source: string): void => writeFileSync(join(folder(), 'src', 'cli.ts'), source);
const builds = (): string[] => readdirSync(join(folder(), '.build'));

function launch(...args: string[]): ChildProcess {
  return spawn(process.execPath, [join(folder(), 'bootstrap', 'run.js'), ...args], { cwd: folder() });
}

async function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = launch(...args);
  const said = { stdout: '', stderr: '' };
  child.stdout!.on('data', (text: Buffer) => (said.stdout += text.toString()));
  child.stderr!.on('data', (text: Buffer) => (said.stderr += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

describe('every npm script', () => {
  it('builds what is missing, and leaves stdout to the command', async () => {
    expect(await run('cli', '--json', 'a b')).toEqual({ code: 0, stdout: 'one --json a b\n', stderr: 'Building …\n' });
    expect(await run('cli')).toEqual({ code: 0, stdout: 'one\n', stderr: '' });
    expect(readlinkSync(join(folder(), 'dist'))).toBe(join('.build', builds()[0]!));
  });

  it('builds once when two start at once', async () => {
    const results = await Promise.all([run('cli'), run('cli')]);
    expect(results.map(({ code, stdout }) => [code, stdout])).toEqual([
      [0, 'one\n'],
      [0, 'one\n'],
    ]);
    expect(builds()).toHaveLength(1);
  });

  it('builds anew beside the build that a running command uses', async () => {
    writeCli(
      "setInterval(() => {}, 1000); console.log('up'); process.on('SIGTERM', () => { require('./late'); process.exit(4); });",
    );
    writeFileSync(join(folder(), 'src', 'late.ts'), "console.log('late');");
    const running = launch('cli');
    let said = '';
    running.stdout!.on('data', (text: Buffer) => (said += text.toString()));
    await once(running.stdout!, 'data');
    writeCli("console.log('two');");
    expect(await run('cli')).toMatchObject({ code: 0, stdout: 'two\n' });
    // The signal reaches the command, which loads a file of its own build, and its exit code comes back.
    running.kill('SIGTERM');
    expect(await once(running, 'close')).toEqual([4, null]);
    expect(said).toBe('up\nlate\n');
  });

  it('keeps the last good build when the sources are wrong', async () => {
    await run('cli');
    const before = readlinkSync(join(folder(), 'dist'));
    writeCli("const n: number = 'text'; console.log(n);");
    const { code, stdout, stderr } = await run('cli');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/src\/cli\.ts.*error TS2322[^]*The compiler failed \(exit code \d\); the reason is above\./);
    expect(readlinkSync(join(folder(), 'dist'))).toBe(before);
    expect(builds()).toHaveLength(1);
  });

  it('builds the web page beside the server, and each only when it changed', async () => {
    mkdirSync(join(folder(), 'dashboard', 'src'), { recursive: true });
    cpSync(join(root, 'dashboard', 'vite.config.mts'), join(folder(), 'dashboard', 'vite.config.mts'));
    const writePage = (text: string): void =>
      writeFileSync(join(folder(), 'dashboard', 'src', 'main.ts'), `document.body.append('${text.repeat(500)}');`);
    writeFileSync(join(folder(), 'dashboard', 'index.html'), '<script type="module" src="/src/main.ts"></script>');
    writePage('one');
    const page = (): string => readlinkSync(join(folder(), 'dist', 'web'));
    const assets = (): string[] => readdirSync(join(folder(), 'dist', 'web', 'assets'));

    expect(await run('build')).toEqual({ code: 0, stdout: '', stderr: 'Building …\n' });
    const [server, first] = [readlinkSync(join(folder(), 'dist')), page()];
    expect(assets().map((name) => name.replace(/-[\w-]{8}\./, '.'))).toEqual([
      'index.js',
      'index.js.br',
      'index.js.gz',
    ]);
    expect(await run('build')).toMatchObject({ code: 0, stderr: '' });

    writePage('two');
    expect(await run('build')).toMatchObject({ code: 0 });
    expect([readlinkSync(join(folder(), 'dist')), page() === first]).toEqual([server, false]);
    const second = page();

    writeCli("console.log('other');");
    // A command that needs no page takes along the one that is there.
    expect(await run('cli')).toMatchObject({ code: 0, stdout: 'other\n' });
    expect([readlinkSync(join(folder(), 'dist')) === server, page()]).toEqual([false, second]);
    expect(builds()).toHaveLength(4);

    writeFileSync(join(folder(), 'dashboard', 'src', 'main.ts'), 'this is wrong');
    expect(await run('build')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The build of the web page failed'),
    });
    expect(page()).toBe(second);
  });

  it('says which commands there are', async () => {
    const { code, stderr } = await run('stat');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Usage: node bootstrap\/run\.js <start\|demo\|/);
  });

  // `exec`: npm passes signals to its shell only, which would leave us running without a parent.
  it('is in package.json under its own name', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const [name, command] of Object.entries(scripts)) expect(command).toBe(`exec node bootstrap/run.js ${name}`);
  });
});
