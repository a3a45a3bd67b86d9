import { lacking } from '../receivers/languages';

/**
 * Says whether the Go of this machine can run a module: a Go that is too old fetches a newer one, if it can.
 *
 * @param module the folder of its go.mod
 * @param untested what stays untested without it, for the message
 * @throws Error when it can't, and `REQUIRE_GO` requires it, as on the machines of the workflows
 */
export function hasGoFor(module: string, untested: string): boolean {
  const missing = lacking('go', ['version']) ?? lacking('go', ['-C', module, 'list', '-m']);
  if (missing === undefined) return true;
  if (process.env['REQUIRE_GO']) throw new Error(`Go is needed here: ${missing}.`);
  process.stderr.write(`SKIPPED: ${missing}, so ${untested}.\n`);
  return false;
}
