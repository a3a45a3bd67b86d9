import { closeSync, openSync, readSync } from 'node:fs';

/** How a path of a healthy receiver answers. */
export interface Behaviour {
  readonly status: number;
  readonly delayMs: number;
  /** This many requests for each event get a 503 first. */
  readonly failFirst?: number;
  /** Share of requests that get a 503, by a hash of the event and the count. */
  readonly failShare?: number;
  /** Redirects there, with a redirect status. */
  readonly location?: string;
  /** Verifies the signature. */
  readonly secret?: string;
}

/** The messages to a receiver process. */
export type ReceiverMessage =
  | {
      readonly kind: 'listen';
      readonly host: string;
      readonly logFile: string;
      readonly key: string;
      readonly cert: string;
    }
  | { readonly kind: 'behave'; readonly path: string; readonly behaviour: Behaviour };

interface LineOf<Kind extends string> {
  readonly kind: Kind;
  readonly at: number;
  /** Of the request, in its process. */
  readonly number: number;
  readonly path: string;
  /** Of the event. */
  readonly id: number;
}

/** `in`: a request came. `out`: it was answered. `cut`: its connection was gone before. */
export type LogLine =
  | (LineOf<'in'> & { readonly serial: number; readonly genuine: boolean })
  | (LineOf<'out'> & { readonly status: number })
  | LineOf<'cut'>;

/** One request as a receiver saw it. */
export interface Received {
  readonly path: string;
  readonly id: number;
  readonly serial: number;
  readonly genuine: boolean;
  readonly at: number;
  /** When it was answered, or when its connection was gone. */
  readonly endedAt?: number;
  /** Undefined when it was not answered. */
  readonly status?: number;
}

const CHUNK_BYTES = 1 << 20;

/** Follows a receiver's log as it grows. */
export function followLog(file: string): { read(paths: ReadonlySet<string>): Received[] } {
  const byNumber = new Map<number, { -readonly [Field in keyof Received]: Received[Field] }>();
  const byPath = new Map<string, Received[]>();
  let offset = 0;
  let rest = '';
  const add = (line: LogLine): void => {
    if (line.kind === 'in') {
      const { path, id, serial, genuine, at, number } = line;
      const request = { path, id, serial, genuine, at };
      byNumber.set(number, request);
      const known = byPath.get(path);
      if (known) known.push(request);
      else byPath.set(path, [request]);
      return;
    }
    const request = byNumber.get(line.number)!;
    request.endedAt = line.at;
    if (line.kind === 'out') request.status = line.status;
  };
  const follow = (): void => {
    const descriptor = openSync(file, 'r');
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let size = readSync(descriptor, chunk, 0, CHUNK_BYTES, offset); size > 0;) {
      offset += size;
      const lines = (rest + chunk.toString('latin1', 0, size)).split('\n');
      rest = lines.pop()!;
      for (const line of lines) add(JSON.parse(line) as LogLine);
      size = readSync(descriptor, chunk, 0, CHUNK_BYTES, offset);
    }
    closeSync(descriptor);
  };
  return {
    read(paths) {
      follow();
      return [...paths].flatMap((path) => byPath.get(path) ?? []);
    },
  };
}
