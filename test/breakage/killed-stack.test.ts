import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { takeDataDir } from '../../dev/data-dir';
import { eventually } from '../support/eventually';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();
const DEV = join(__dirname, '..', '..', 'dev');
const LOADER = join(__dirname, '..', 'harness', 'load-typescript');

/** Runs a script that prints JSON once, and kills it when it has. @returns what it printed */
async function killAfter<T>(script: string): Promise<T> {
  const parent = spawn(process.execPath, ['--require', LOADER, '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  return JSON.parse(text.toString()) as T;
}

describe('after a kill of the stack', () => {
  it('removes a temporary folder', async () => {
    const made = await killAfter<string>(`
      require(${JSON.stringify(join(DEV, 'servers.ts'))})
        .makeThrowawayFolder()
        .then((folder) => console.log(JSON.stringify(folder)));
    `);
    const isGone = await eventually(
      () => !existsSync(made),
      (gone) => gone,
    );
    expect(isGone).toBe(true);
  });

  it('its data folder can be reused', async () => {
    const socket = join(folder(), 'everpost.sock');
    const owner = spawn(process.execPath, [
      '-e',
      `require('node:net').createServer().listen(${JSON.stringify(socket)}, () => console.log('up'))`,
    ]);
    await once(owner.stdout, 'data');
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(existsSync(socket)).toBe(true);
    await (await takeDataDir(folder())).release();
  });
});
