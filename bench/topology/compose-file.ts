import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What the topology reads of docker-compose.yml. */
interface ComposeFile {
  readonly services: Readonly<Record<string, { readonly environment?: Readonly<Record<string, string>> }>>;
}

/** `${NAME}`, `${NAME:-value}` and `${NAME:?message}`. */
const VARIABLE = /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g;

/**
 * Reads the environments that Compose gives to its services.
 *
 * @param file docker-compose.yml
 * @param dotEnv what the operator's `.env` has
 * @returns a function from the name of a service to its environment
 */
export function readComposeFile(file: string, dotEnv: Readonly<Record<string, string>>) {
  const { services } = parse(readFileSync(file, 'utf8'), { merge: true }) as ComposeFile;
  const filled = (text: string): string =>
    text.replace(VARIABLE, (_, name: string, way: string | undefined, rest: string) => {
      const value = dotEnv[name];
      if (value === undefined && way === '?') throw new Error(`${name}: ${rest}`);
      return value ?? (way === '-' ? rest : '');
    });
  return (service: string): Record<string, string> => {
    const { environment } = services[service] ?? {};
    if (!environment) throw new Error(`${file} has no environment of ${service}`);
    return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]));
  };
}
