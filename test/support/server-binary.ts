import { loadConfig } from '../../src/config';
import { findServer } from '../../dev/find-server';

/** Path of a server's program: the configured one, or the one that the product finds and caches. */
export function serverBinary(name: 'mongod' | 'temporal'): Promise<string> {
  const { cacheDir, mongodb, temporal } = loadConfig();
  const configuredPath = name === 'mongod' ? mongodb.binary : temporal.binary;
  return findServer(name, { configuredPath, cacheDir, onProgress: () => undefined });
}
