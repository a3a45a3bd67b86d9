import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../../src/platform/private-file';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();

it('replaces the file, which only its owner can read', async () => {
  const path = join(folder(), 'key');
  await writePrivateFile(path, 'old');
  await writePrivateFile(path, 'new');
  expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual(['new', 0o600]);
  expect(await readdir(folder())).toEqual(['key']);
});

it('leaves no copy of a secret behind when the file could not be written', async () => {
  const path = join(folder(), 'folder');
  await mkdir(path);
  await expect(writePrivateFile(path, 'secret')).rejects.toThrow('rename');
  expect(await readdir(folder())).toEqual(['folder']);
});
