/**
 * The first release of each MongoDB line that fixes CVE-2025-14847, with which anyone can read the server's memory
 * without signing in (https://jira.mongodb.org/browse/SERVER-115508). Lines in between and older lines have no fix;
 * newer ones never had the hole.
 */
const PATCHED = [
  [4, 4, 30],
  [5, 0, 32],
  [6, 0, 27],
  [7, 0, 28],
  [8, 0, 17],
  [8, 2, 3],
] as const;

/**
 * The release that closes a known hole of a MongoDB server.
 *
 * @param version from `buildInfo`, such as `6.0.5`
 * @returns the first fixed release of its line, or of the next line with one, such as `6.0.27`; undefined if the server
 *   needs none, or if its version has another format
 */
export function patchedRelease(version: string): string | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (!match) return undefined;
  const [major, minor, patch] = match.slice(1).map(Number) as [number, number, number];
  const line = PATCHED.find((it) => it[0] > major || (it[0] === major && it[1] >= minor));
  if (!line || (line[0] === major && line[1] === minor && patch >= line[2])) return undefined;
  return line.join('.');
}
