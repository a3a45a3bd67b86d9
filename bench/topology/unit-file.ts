import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** What a unit of systemd starts. */
export interface Unit {
  /** The program and its arguments. */
  readonly exec: readonly [string, ...string[]];
  /** Of `Environment=` and of the files of `EnvironmentFile=`, which win. */
  readonly environment: Readonly<Record<string, string>>;
  /** The files of `LoadCredential=`, by name. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** A word, or parts of one in quotes. */
const WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;

/**
 * Reads what a unit starts.
 *
 * @param file the unit
 * @param place gives the text with the paths and ports of this machine; it gets the unit, and each file of settings
 * @param credentialsFolder what `%d` stands for
 * @throws Error when the unit has no `ExecStart=`
 */
export function readUnit(file: string, place: (text: string) => string, credentialsFolder: string): Unit {
  const text = place(readFileSync(file, 'utf8')).replaceAll('%d', credentialsFolder);
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*[#;]/.test(line))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n');
  const valuesOf = (name: string): string[] =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1).trim());
  const [program, ...rest] = valuesOf('ExecStart').flatMap(wordsOf);
  if (program === undefined) throw new Error(`${file} starts nothing`);
  const environmentFiles = valuesOf('EnvironmentFile').map((path) => parseEnv(place(readFileSync(path, 'utf8'))));
  return {
    exec: [program, ...rest],
    environment: Object.assign(
      Object.fromEntries(valuesOf('Environment').flatMap(wordsOf).map(pairAt('='))),
      ...environmentFiles,
    ) as Record<string, string>,
    credentials: Object.fromEntries(valuesOf('LoadCredential').map(pairAt(':'))),
  };
}

function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

function pairAt(separator: string): (text: string) => [string, string] {
  return (text) => [text.slice(0, text.indexOf(separator)), text.slice(text.indexOf(separator) + 1)];
}
