import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import type { Progress } from './progress';

/** pino's number for `warn`. */
const WARN = 40;
const REPEAT_AFTER_MS = 30_000;

/**
 * Where a local stack's log lines go: all into a file, and warnings in short form also to the terminal, each one
 * at most every 30 seconds, so that the addresses printed at the start stay in sight.
 */
export function createStackLog(file: string, onProgress: Progress): Writable {
  const out = createWriteStream(file, { flags: 'a', mode: 0o600 });
  const shownAt = new Map<string, number>();
  out.on('error', (error) => onProgress(`The log ${file} can't be written: ${error.message}`));

  function show(line: string) {
    const { level, msg, err } = JSON.parse(line) as { level: number; msg?: string; err?: { message?: string } };
    if (level < WARN) return;
    const text = [msg, err?.message].filter(Boolean).join(': ');
    const now = Date.now();
    if (now - (shownAt.get(text) ?? 0) < REPEAT_AFTER_MS) return;
    shownAt.set(text, now);
    onProgress(text);
  }

  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const line = chunk.toString();
      try {
        show(line);
      } catch {
        // Not one of our lines; it is in the file.
      }
      out.write(line, () => done());
    },
    final: (done) => void out.end(() => done()),
  });
}
