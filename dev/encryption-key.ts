import { randomBytes } from 'node:crypto';
import { keyFileOf, keysOfDataDir } from '../src/cli/data-dir';
import { writePrivateFile } from '../src/platform/private-file';

/** Keys for secrets at rest (`keysOfDataDir`). A folder without any key gets one of its own, readable by its owner only. */
export async function encryptionKeys(dataDir: string, configured: readonly string[]): Promise<readonly string[]> {
  const keys = await keysOfDataDir(dataDir, configured);
  if (keys.length > 0) return keys;
  const made = randomBytes(32).toString('base64');
  await writePrivateFile(keyFileOf(dataDir), `${made}\n`);
  return [made];
}
