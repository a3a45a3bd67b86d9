import { readFileSync } from 'node:fs';

/** The settings that hold a password or a key. Each may be in a file instead, which `<name>_FILE` names. */
export const SECRET_SETTINGS = [
  'ENCRYPTION_KEY',
  'MONGODB_URI',
  'TEMPORAL_API_KEY',
  'DELIVERY_PROXY',
  'SMTP_URL',
  'ALERT_WEBHOOK_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

/** An environment whose secrets are filled in. */
export interface FilledEnvironment {
  readonly env: NodeJS.ProcessEnv;
  /** What is wrong, by setting. */
  readonly problems: readonly { readonly setting: string; readonly message: string }[];
}

/** A secret is a line of text. */
const MAX_BYTES = 64 * 1_024;

/**
 * Reads the files of secrets, as Docker and Kubernetes mount them. A newline at the end is not part of the secret. Errors
 * never repeat a content.
 *
 * @param env without empty values
 */
export function readSecretFiles(env: NodeJS.ProcessEnv): FilledEnvironment {
  const filled = { ...env };
  const problems = SECRET_SETTINGS.flatMap((name) => {
    const setting = `${name}_FILE`;
    const file = env[setting];
    if (file === undefined) return [];
    if (env[name] !== undefined) return [{ setting, message: `${name} is set too: keep one of them` }];
    try {
      filled[name] = readSecret(file);
      return [];
    } catch (error) {
      return [{ setting, message: `the file ${file} can't be used: ${(error as Error).message}` }];
    }
  });
  return { env: filled, problems };
}

function readSecret(file: string): string {
  const content = readFileSync(file);
  if (content.length > MAX_BYTES) throw new RangeError(`it has more than ${MAX_BYTES} bytes`);
  const secret = content
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/(\r?\n)+$/, '');
  if (secret.trim() === '') throw new RangeError('it is empty');
  if (/[\r\n]/.test(secret)) throw new RangeError('it has several lines');
  return secret;
}

/** The setting to name in a problem: the one that the operator wrote. */
export function writtenSetting(env: NodeJS.ProcessEnv, setting: string): string {
  return env[setting] === undefined && env[`${setting}_FILE`] !== undefined ? `${setting}_FILE` : setting;
}
