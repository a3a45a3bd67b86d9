import { execFile } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildServerCertificate } from '../sender/certificates';
import { installNode, makeFolder } from './installed-package';

const run = promisify(execFile);
const SOURCE = join(__dirname, '..', '..', 'src', 'sender', 'check-identity.ts');

let folder: string;
beforeAll(async () => (folder = await makeFolder()));
afterAll(() => rm(folder, { recursive: true, force: true }));

// The current versions may be mended, so these are named. They run a module in TypeScript as it is.
it.each(['22.23.3', '24.18.1'])(
  'a certificate of [::1] is accepted on Node %s, whose own check finds no IPv6 address (nodejs/node#64144)',
  async (version) => {
    const node = await installNode(version, join(folder, version));
    const check = join(folder, 'check-identity.mts');
    await copyFile(SOURCE, check);
    const pair = JSON.stringify(await buildServerCertificate({ addresses: ['::1'] }));
    const play = (own: string) => run(node, [join(__dirname, 'ipv6-literal.js'), own, pair]);

    expect((await play(check)).stdout).toBe('OK\n');
    await expect(play('none')).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
  },
);
