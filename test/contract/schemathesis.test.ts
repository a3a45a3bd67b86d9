import { join } from 'node:path';
import { UNLIMITED, useStack } from '../support/build-stack';
import { operations } from '../support/conformance';
import { pythonTools } from '../support/python-tools';
import { useTemporaryFolder } from '../support/temporary-folder';

/** For each operation and phase. The seed determines them: the same ones each time. */
const EXAMPLES = Number(process.env['SCHEMATHESIS_EXAMPLES'] ?? 5);
const SEED = process.env['SCHEMATHESIS_SEED'] ?? '1';
const MAX_FINDINGS_LENGTH = 20_000;

const stack = useStack({ role: 'api', env: { ...UNLIMITED, MANAGEMENT_PER_MINUTE: '1000000' } });
const folder = useTemporaryFolder();

it("schemathesis finds no problem in the live API, working from the API's document", async () => {
  const tools = await pythonTools();
  if (!tools) return;
  const { accountId } = await stack.account();
  const { key } = await stack.managementKey();
  const { code, stdout, stderr } = await tools.run(
    [
      ...['-m', 'schemathesis.cli', '--config-file', join(__dirname, 'schemathesis.toml')],
      ...['run', `${stack.url}/openapi.json`],
      // Both kinds of operations: those of the installation, and those of an account.
      ...['--header', `Authorization: Bearer ${key}`, '--header', `Everpost-Account: ${accountId}`],
      ...['--max-examples', String(EXAMPLES), '--seed', SEED],
      // One worker: in Python 3.11 two threads that parse at once break each other (SystemError, recursion depth mismatch).
      ...['--checks', 'all', '--continue-on-failure', '--workers', '1', '--suppress-health-check', 'all'],
      ...['--output-sanitize', 'true', '--warnings', 'off'],
    ],
    { cwd: folder() },
  );
  const summary = stdout.slice(stdout.indexOf('SUMMARY'));
  process.stderr.write(
    `schemathesis: ${summary
      .split('\n')
      .slice(1)
      .filter((line) => line.trim() !== '')
      .join('\n')}\n`,
  );
  if (code !== 0) throw new Error(`schemathesis ended with ${code}:\n${findingsOf(stdout)}\n${stderr.slice(-2_000)}`);
  // It was effective: it called every operation except the stream of events, with more than their examples.
  expect(stdout).toMatch(new RegExp(`Tested: ${operations.length - 1}$`, 'm'));
  expect(Number(/(\d+) generated/.exec(stdout)?.[1])).toBeGreaterThan(operations.length * EXAMPLES);
}, 600_000);

/** Its findings, first, because some readers see only the first lines of a failure. */
function findingsOf(stdout: string): string {
  const start = stdout.search(/^=+ (FAILURES|ERRORS) =+$/m);
  return start < 0 ? stdout.slice(-MAX_FINDINGS_LENGTH) : stdout.slice(start, start + MAX_FINDINGS_LENGTH);
}
