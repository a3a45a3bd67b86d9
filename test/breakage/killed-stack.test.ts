import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { takeDataDir } from '../../dev/data-dir';
import { freePort } from '../../dev/free-port';
import { startMongod } from '../../dev/mongod';
import { reclaimServers } from '../../dev/stack-servers';
import { serverBinary } from '../support/server-binary';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();
const onProgress = (): void => undefined;

/** Starts a mongod as a stack does, in a process that is then killed. */
async function leaveMongodBehind(binary: string, dataDir: string): Promise<number> {
  mkdirSync(dataDir, { recursive: true });
  const port = await freePort();
  const options = `--port ${port} --bind_ip 127.0.0.1 --replSet everpost --nounixsocket`;
  const args = ['--dbpath', dataDir, ...options.split(' ')];
  const script = `
    const child = require('node:child_process').spawn(${JSON.stringify(binary)}, ${JSON.stringify(args)}, { detached: true, stdio: 'ignore' });
    child.on('spawn', () => console.log(child.pid));
    setInterval(() => {}, 1000);
  `;
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  return Number(text.toString());
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('after a kill of the stack', () => {
  it('its servers are ended and the data used again, and those of another folder live on', async () => {
    const binary = await serverBinary('mongod');
    const [ours, others] = [join(folder(), 'data'), join(folder(), 'data2')];
    const orphan = await leaveMongodBehind(binary, join(ours, 'mongodb'));
    const stranger = await leaveMongodBehind(binary, join(others, 'mongodb'));
    try {
      const lines: string[] = [];
      await reclaimServers(ours, (line) => lines.push(line));
      expect(lines).toEqual([
        `Stopping mongod (process ${orphan}), which a killed stack left behind on this data folder …`,
      ]);
      expect(isAlive(stranger)).toBe(true);

      const mongod = await startMongod({ binary, dataDir: join(ours, 'mongodb'), port: 0, onProgress });
      await mongod.stop();
    } finally {
      process.kill(stranger, 'SIGKILL');
    }
  });

  it('its data folder can be taken again', async () => {
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
