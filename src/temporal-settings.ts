import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig';
import { z } from 'zod';
import { certificatesIn, ConfigError, requireReadable } from './parse-settings';

/** Temporal's switches. Its package takes any other word as false, and ignores the second one. */
const temporalSwitches = z.object({
  TEMPORAL_TLS: z.enum(['true', 'false', '1', '0']).optional(),
  TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: z
    .enum(['false', '0'], 'is not supported: TEMPORAL_TLS_SERVER_NAME can name the host in the certificate')
    .optional(),
});

/**
 * Checks the files that settings of Temporal's package name. Its own errors would name neither the setting nor, in part,
 * the file, and what is no certificate would only fail when it connects.
 */
function requireFiles(env: NodeJS.ProcessEnv): void {
  requireReadable(env, ['TEMPORAL_CONFIG_FILE']);
  requireReadable(env, ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_SERVER_CA_CERT_PATH'], certificatesIn);
  requireReadable(env, ['TEMPORAL_TLS_CLIENT_KEY_PATH'], (file) => createPrivateKey(readFileSync(file)));
}

/**
 * Temporal's standard environment configuration: TLS, API key, metadata, profile file.
 *
 * @throws ConfigError
 */
export function temporalConnection(env: NodeJS.ProcessEnv) {
  requireFiles(env);
  const { TEMPORAL_CONFIG_FILE: file } = env;
  const [problem] = temporalSwitches.safeParse(env).error?.issues ?? [];
  if (problem) throw new ConfigError(`${problem.path.join('.')}: ${problem.message}`);
  try {
    const profile = loadClientConfigProfile({
      overrideEnvVars: env as Record<string, string>,
      // Temporal's package would ignore a file that does not exist.
      ...(file !== undefined && { configSource: { data: readFileSync(file) } }),
    });
    if (!profile.tls?.clientCert !== !profile.tls?.clientKey) {
      throw new RangeError('TEMPORAL_TLS_CLIENT_CERT_PATH (or _DATA) and TEMPORAL_TLS_CLIENT_KEY_PATH need each other');
    }
    const { connectionOptions, namespace } = toClientOptions(profile);
    return { address: connectionOptions.address, namespace: namespace ?? 'default', connection: connectionOptions };
  } catch (error) {
    // Behind the first line, a parser of TOML quotes the file, which may have a key in it.
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    const where = file === undefined ? '' : ` (TEMPORAL_CONFIG_FILE is ${file})`;
    throw new ConfigError(`Temporal's settings can't be used${where}: ${reason}`);
  }
}
