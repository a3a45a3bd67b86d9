import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import type { Progress } from './messages';

/** pino's levels. */
const WARN = 40;
const ERROR = 50;
const REPEAT_AFTER_MS = 30_000;

interface LogLine {
  readonly level: number;
  readonly part?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
}

/**
 * The log of a local stack: all lines go to a file, and warnings also to the terminal in short form, each at most every
 * 30 seconds, so that the addresses printed at the start stay visible.
 */
export function createStackLog(file: string, onProgress: Progress): Writable {
  const out = createWriteStream(file, { flags: 'a', mode: 0o600 });
  const shownAt = new Map<string, number>();
  out.on('error', (error) => onProgress(`The log ${file} can't be written: ${error.message}`));

  function show(line: string) {
    const { level, msg, err, part } = JSON.parse(line) as LogLine;
    // The SDK warns about something intended: our second worker has no workflows.
    if (level < (part === 'temporal-sdk' ? ERROR : WARN)) return;
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
        // Not one of our lines; the file has it.
      }
      out.write(line, () => done());
    },
    final: (done) => void out.end(() => done()),
  });
}
