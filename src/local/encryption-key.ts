import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, writePrivateFile } from './private-file';

/**
 * The keys for secrets at rest: those that are configured, and behind them the one that the data folder keeps, so
 * that what it sealed can still be opened. A folder without configured keys gets one of its own, readable by its
 * owner only.
 *
 * @param configured from the settings, newest first
 */
export async function encryptionKeys(dataDir: string, configured: readonly string[]): Promise<readonly string[]> {
  const file = join(dataDir, 'encryption-key');
  const kept = (await readIfThere(file))?.trim();
  if (kept) return configured.includes(kept) ? configured : [...configured, kept];
  if (configured.length > 0) return configured;
  const made = randomBytes(32).toString('base64');
  await writePrivateFile(file, `${made}\n`);
  return [made];
}
