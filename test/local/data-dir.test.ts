import { statSync } from 'node:fs';
import { join } from 'node:path';
import { askDataDir } from '../../src/cli/data-dir';
import { takeDataDir, type DataDir } from '../../dev/data-dir';
import { LocalStackError } from '../../dev/messages';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();
const taken: DataDir[] = [];
afterEach(() => Promise.all(taken.splice(0).map((dataDir) => dataDir.release())));

async function take(path: string): Promise<DataDir> {
  const dataDir = await takeDataDir(path);
  taken.push(dataDir);
  return dataDir;
}

describe('a data folder', () => {
  it('is readable by its owner only', async () => {
    const { path } = await take(join(folder(), 'new', 'data'));
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('belongs to one stack at a time, and a second one learns where the first one is', async () => {
    const first = await take(folder());
    first.announce({
      apiUrl: 'http://127.0.0.1:1',
      temporalUiUrl: 'http://127.0.0.1:2',
      inboxUrl: 'http://127.0.0.1:3/',
    });
    const refusal = await takeDataDir(folder()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LocalStackError);
    expect((refusal as Error).message).toBe(
      `Everpost runs already on ${folder()} (process ${process.pid}): API http://127.0.0.1:1, Temporal Web UI ` +
        'http://127.0.0.1:2, inbox http://127.0.0.1:3/. Stop it first, or set EVERPOST_DATA_DIR and the ports for a second one.',
    );
  });

  it('tells other commands what runs on it', async () => {
    expect(await askDataDir(folder())).toBeUndefined();
    const dataDir = await take(folder());
    dataDir.announce({ mongodbUri: 'mongodb://127.0.0.1:4' });
    expect(await askDataDir(folder())).toMatchObject({ pid: process.pid, mongodbUri: 'mongodb://127.0.0.1:4' });
  });

  it('can be taken again after its release', async () => {
    await (await takeDataDir(folder())).release();
    await expect(take(folder())).resolves.toBeDefined();
  });

  it('goes to exactly one of several that start at once after a kill', async () => {
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => take(folder())));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is refused by name where no folder can be made', async () => {
    await expect(takeDataDir('/proc/everpost/data')).rejects.toThrow(
      /^The data folder \/proc\/everpost\/data can't be made: .*Set EVERPOST_DATA_DIR to another\.$/,
    );
  });

  it('can have a long path', async () => {
    const long = join(folder(), 'a'.repeat(60), 'b'.repeat(60));
    await take(long);
    await expect(takeDataDir(long)).rejects.toThrow(/^Everpost runs already on/);
  });
});
