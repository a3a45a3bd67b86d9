import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, writePrivateFile } from './private-file';

const FILE = 'encryption-key';

/**
 * The keys for secrets at rest: those that are configured, and behind them the one that the data folder keeps, so
 * that what it sealed can still be opened.
 *
 * @param configured from the settings; the first one seals
 */
export async function keysOfDataDir(dataDir: string, configured: readonly string[]): Promise<readonly string[]> {
  const kept = (await readIfThere(join(dataDir, FILE)))?.trim();
  return !kept || configured.includes(kept) ? configured : [...configured, kept];
}

/** The same. A folder without any key gets one of its own, readable by its owner only. */
export async function encryptionKeys(dataDir: string, configured: readonly string[]): Promise<readonly string[]> {
  const keys = await keysOfDataDir(dataDir, configured);
  if (keys.length > 0) return keys;
  const made = randomBytes(32).toString('base64');
  await writePrivateFile(join(dataDir, FILE), `${made}\n`);
  return [made];
}
