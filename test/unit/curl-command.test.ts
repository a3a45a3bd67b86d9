import { execFileSync, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { curlCommand } from '../../dashboard/src/deliveries/curl-command';
import { useReceiver } from '../support/build-receiver';

// The command is run by real shells: whatever a body or a header contains, it stays one word and changes no byte.

const receiver = useReceiver();

/** Any text that JSON may contain, with what shells treat in a special way more often. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
  fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', '!', '%', '\n', '#', '*', ' ', '$(id)', '\r') }),
);
/** Values of headers are visible ASCII with spaces within (`problemsOfHeaders`). */
const anyValue = fc
  .string({ unit: 'grapheme-ascii', minLength: 1 })
  .map((text) => text.replaceAll(/[^\u0020-\u007e]/g, ''))
  .filter((text) => text !== '' && text.trim() === text);

/** What a shell hands to curl: its arguments and its input, written by a function instead of curl. */
function runIn(shell: string, command: string): { readonly words: string[]; readonly input: string } {
  const stub = String.raw`curl() { printf '%s\0' "$@"; printf 'input:'; cat; }`;
  const out = execFileSync(shell, ['-s'], { input: `${stub}\n${command}\n` }).toString('utf8');
  const words = out.split('\0');
  return { input: words.pop()!.slice('input:'.length), words };
}

it.each(['sh', 'bash'])('%s reads body and headers as they were sent', (shell) => {
  fc.assert(
    fc.property(anyText, anyValue, (text, value) => {
      const body = JSON.stringify({ data: text }) + text.replaceAll('\r', '');
      const { words, input } = runIn(
        shell,
        curlCommand({ url: 'https://example.com/a?b=[1]', headers: { 'X-Tenant': value }, body }),
      );
      expect(Buffer.from(input).equals(Buffer.from(body))).toBe(true);
      expect(words).toContain(`X-Tenant: ${value}`);
      expect(words).toContain('https://example.com/a?b=[1]');
    }),
    { numRuns: 60 },
  );
});

it('curl sends the same request again, with a body that is too long for an argument', async () => {
  // As much as an ingest takes.
  const body = JSON.stringify({ data: "it's".repeat(50_000) });
  const headers = {
    'User-Agent': 'Everpost/0.1',
    'Content-Type': 'application/json',
    'X-Webhook-Signature': 'sha256=abc',
    'X-Own': '[hidden]',
    Host: 'elsewhere.example',
    'Accept-Encoding': 'identity',
    'Content-Length': '1',
    Connection: 'close',
  };

  const command = curlCommand({ url: `${receiver.url}?a={b}`, headers, body });
  const running = promisify(execFile)('sh', ['-s']);
  running.child.stdin!.end(command);
  await running;

  const [request] = await receiver.waitFor(1);
  expect(request!.path).toBe('/hook?a={b}');
  expect(request!.body.toString()).toBe(body);
  expect(request!.headers).toEqual({
    host: `127.0.0.1:${receiver.port}`,
    'user-agent': 'Everpost/0.1',
    'content-type': 'application/json',
    'x-webhook-signature': 'sha256=abc',
    'x-own': '[hidden]',
    'accept-encoding': 'identity',
    'content-length': String(Buffer.byteLength(body)),
  });
});
