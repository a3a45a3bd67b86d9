import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isGenuine } from '../../docs/receivers/verify';
import { composeBody, signDelivery } from '../../src/sender/signature';

const RECEIVERS = join(__dirname, '..', '..', 'docs', 'receivers');

interface Vector {
  readonly about: string;
  readonly secret: string;
  /** `data` as the caller sent it. */
  readonly event: { readonly id: number; readonly type: string; readonly data: string; readonly timestamp: number };
  readonly attempt_timestamp: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const { vectors } = JSON.parse(readFileSync(join(RECEIVERS, 'vectors.json'), 'utf8')) as { vectors: readonly Vector[] };

/** What a receiver is asked, and what it must answer. */
interface Question {
  readonly secret: string;
  readonly body: string;
  readonly signature: string;
  readonly genuine: boolean;
}

/** Each vector as it is, and every way in which it could be forged. */
const QUESTIONS: readonly Question[] = vectors.flatMap(({ secret, body, headers }) => {
  const signature = headers['X-Webhook-Signature']!;
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

/** A language: how its receiver is run, and a program that asks it one question a line, as base64 of three values. */
interface Language {
  readonly file: string;
  readonly main: readonly [name: string, code: string];
  readonly commands: readonly (readonly string[])[];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  Python: {
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

describe('the test vectors', () => {
  it.each(vectors)('are what the sender makes: $about', ({ secret, event, attempt_timestamp, body, headers }) => {
    const composed = composeBody({ ...event, data: Buffer.from(event.data) });
    const signed = signDelivery({
      secrets: { current: secret },
      body: composed,
      eventId: event.id,
      eventType: event.type,
      timestampSeconds: attempt_timestamp,
    });
    expect(composed.toString()).toBe(body);
    expect(signed).toEqual(headers);
  });
});

describe('the receivers of the documentation', () => {
  it('verify in TypeScript', () => {
    const answers = QUESTIONS.map(({ secret, body, signature }) => isGenuine(secret, Buffer.from(body), signature));
    expect(answers).toEqual(QUESTIONS.map(({ genuine }) => genuine));
    expect(isGenuine('s', Buffer.alloc(0), undefined)).toBe(false);
  });

  const entries = Object.entries(LANGUAGES).map(([name, language]) => ({ name, ...language }));
  const runnable = entries.filter(({ commands }) => commands.every(([program]) => isThere(program!)));
  const missing = entries.filter((entry) => !runnable.includes(entry));

  // Shown as skipped, so that nobody takes it for proven.
  if (missing.length > 0) it.skip.each(missing)('verify in $name, which is not installed here', () => undefined);

  it.each(runnable)(
    'verify in $name',
    ({ file, main, commands }) => {
      const folder = mkdtempSync(join(tmpdir(), 'everpost-receiver-'));
      try {
        cpSync(join(RECEIVERS, file), join(folder, file));
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

  it('stand in docs/receiving.md as they are', () => {
    const page = readFileSync(join(RECEIVERS, '..', 'receiving.md'), 'utf8');
    const absent = ['verify.ts', ...Object.values(LANGUAGES).map(({ file }) => file)].filter(
      (file) => !page.includes(`\n${readFileSync(join(RECEIVERS, file), 'utf8')}\`\`\``),
    );
    expect(absent).toEqual([]);
  });
});
