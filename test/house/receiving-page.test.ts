import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeBody, signDelivery } from '../../src/sender/signature';

const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'receiving.md'), 'utf8');

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Bodies that a JSON parser, a wrong encoding or a trimmed space would change. */
const BODIES = [
  '{"order_id":"ord_42","total":19.99}',
  '{"n":12345678901234567890,"x":1.0,"b":1,"a":2,"2":0,"1":0}',
  '{ "name" : "Zoë 🎉", "same": "Zo\\u00eb" }',
].map((data) => composeBody({ id: 1001, type: 'order.created', data: Buffer.from(data), timestamp: 1_767_225_600 }));

/** A request to a receiver, and its expected answer. */
interface Question {
  readonly secret: string;
  readonly body: string;
  readonly signature: string;
  readonly genuine: boolean;
}

/** Each delivery as the sender makes it, and every way in which it could be forged. */
const QUESTIONS: readonly Question[] = BODIES.flatMap((bytes) => {
  const headers = signDelivery({
    secrets: { current: SECRET },
    body: bytes,
    eventId: 1001,
    eventType: 'order.created',
    timestampSeconds: 1_767_225_601,
  });
  const [secret, body, signature] = [SECRET, bytes.toString(), headers['X-Webhook-Signature']!];
  const hex = signature.slice('sha256='.length);
  const forged = [
    { secret, body: `${body} `, signature },
    { secret, body: body.replace('1', '2'), signature },
    { secret: `${secret}x`, body, signature },
    { secret: secret.replace('whsec_', ''), body, signature },
    { secret, body, signature: hex },
    { secret, body, signature: '' },
    { secret, body, signature: `sha256=${hex.toUpperCase()}` },
    { secret, body, signature: signature.slice(0, -1) },
    { secret, body, signature: `sha1=${hex}` },
  ];
  return [{ secret, body, signature, genuine: true }, ...forged.map((question) => ({ ...question, genuine: false }))];
});

/**
 * A language: how its receiver is run, and a program that asks it one question for each line, as base64 of three
 * values.
 */
interface Language {
  /** Name of its code blocks in the page. */
  readonly block: string;
  readonly file: string;
  readonly main: readonly [name: string, code: string];
  readonly commands: readonly (readonly string[])[];
}

const MODULES = join(__dirname, '..', '..', 'node_modules');
const TSC = join(MODULES, 'typescript', 'bin', 'tsc');
const TYPES = join(MODULES, '@types');
const FLAGS = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node'];

const LANGUAGES: Readonly<Record<string, Language>> = {
  TypeScript: {
    block: 'ts',
    file: 'verify.mts',
    main: [
      'main.mjs',
      `import { readFileSync } from 'node:fs';
import { isGenuine } from './verify.mjs';
for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
  const [secret, body, signature] = line.split(' ').map((part) => Buffer.from(part, 'base64'));
  console.log(isGenuine(secret.toString(), body, signature.toString()));
}
if (isGenuine('s', Buffer.alloc(0), undefined)) process.exit(1);
`,
    ],
    commands: [
      [process.execPath, TSC, ...FLAGS, '--typeRoots', TYPES, 'verify.mts'],
      [process.execPath, 'main.mjs'],
    ],
  },
  Python: {
    block: 'python',
    file: 'verify.py',
    main: [
      'main.py',
      `import base64, sys
from verify import is_genuine
for line in sys.stdin:
    secret, body, signature = (base64.b64decode(part) for part in line.rstrip("\\n").split(" "))
    print(str(is_genuine(secret.decode(), body, signature.decode())).lower())
assert not is_genuine("s", b"", None)
`,
    ],
    commands: [['python3', 'main.py']],
  },
  Go: {
    block: 'go',
    file: 'verify.go',
    main: [
      'main.go',
      `package main
import ("bufio"; "encoding/base64"; "fmt"; "os"; "strings")
func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var values [3][]byte
		for index, part := range strings.Split(lines.Text(), " ") { values[index], _ = base64.StdEncoding.DecodeString(part) }
		fmt.Println(IsGenuine(string(values[0]), values[1], string(values[2])))
	}
}
`,
    ],
    commands: [['go', 'run', 'main.go', 'verify.go']],
  },
  Ruby: {
    block: 'ruby',
    file: 'verify.rb',
    main: [
      'main.rb',
      `require 'base64'
require_relative 'verify'
STDIN.each_line do |line|
  secret, body, signature = line.chomp.split(' ', -1).map { |part| Base64.decode64(part) }
  puts genuine?(secret, body, signature)
end
raise if genuine?('s', '', nil)
`,
    ],
    commands: [['ruby', 'main.rb']],
  },
  PHP: {
    block: 'php',
    file: 'verify.php',
    main: [
      'main.php',
      `<?php
require 'verify.php';
foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $line) {
    [$secret, $body, $signature] = array_map('base64_decode', explode(' ', $line));
    echo is_genuine($secret, $body, $signature) ? 'true' : 'false', "\\n";
}
if (is_genuine('s', '', null)) exit(1);
`,
    ],
    commands: [['php', 'main.php']],
  },
  Java: {
    block: 'java',
    file: 'Verify.java',
    main: [
      'Main.java',
      `import java.util.*; import java.io.*;
public class Main { public static void main(String[] a) throws Exception {
  BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
  for (String line; (line = lines.readLine()) != null; ) {
    String[] parts = line.split(" ", -1); Base64.Decoder d = Base64.getDecoder();
    System.out.println(Verify.isGenuine(new String(d.decode(parts[0]), "UTF-8"), d.decode(parts[1]), new String(d.decode(parts[2]), "UTF-8")));
  }
  if (Verify.isGenuine("s", new byte[0], null)) System.exit(1);
} }
`,
    ],
    commands: [
      ['javac', 'Main.java', 'Verify.java'],
      ['java', 'Main'],
    ],
  },
};

function isThere(program: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'command -v "$0"', program]).status === 0;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** The page's first code block of a language. */
function codeOf(block: string): string {
  return new RegExp(`^\`\`\`${block}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1] ?? '';
}

describe('the code in docs/receiving.md', () => {
  const entries = Object.entries(LANGUAGES).map(([name, language]) => ({ name, ...language }));
  const runnable = entries.filter(({ commands }) => commands.every(([program]) => isThere(program!)));
  const missing = entries.filter((entry) => !runnable.includes(entry));

  // Shown as skipped, so that no reader takes it for proven.
  // oxlint-disable-next-line jest/no-disabled-tests, jest/expect-expect
  if (missing.length > 0) it.skip.each(missing)('verifies in $name, which is not installed here', () => undefined);

  it.each(runnable)(
    'verifies in $name',
    ({ block, file, main, commands }) => {
      const folder = mkdtempSync(join(tmpdir(), 'everpost-receiver-'));
      try {
        expect(codeOf(block)).not.toBe('');
        writeFileSync(join(folder, file), codeOf(block));
        writeFileSync(join(folder, main[0]), main[1]);
        const input = QUESTIONS.map(({ secret, body, signature }) =>
          [secret, body, signature].map(base64).join(' '),
        ).join('\n');
        let stdout = '';
        for (const [program, ...args] of commands) {
          const result = spawnSync(program!, args, { cwd: folder, input: `${input}\n`, encoding: 'utf8' });
          expect([result.status, result.stderr]).toEqual([0, '']);
          ({ stdout } = result);
        }
        expect(stdout.trim().split('\n')).toEqual(QUESTIONS.map(({ genuine }) => String(genuine)));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    60_000,
  );
});

it('no page tells receivers to deduplicate by a header that no signature covers', () => {
  const root = join(__dirname, '..', '..');
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  for (const page of [...pages, 'README.md', 'SECURITY.md', join('client', 'README.md')]) {
    const text = readFileSync(join(root, page), 'utf8').replace(/\s+/g, ' ');
    expect([page, /deduplicat\w+\*{0,2} by (\[)?`X-Webhook-ID`/i.exec(text)?.[0]]).toEqual([page, undefined]);
  }
});
