import { connect } from 'node:net';

const CONNECTIONS = 16;
const HEAD_END = '\r\n\r\n';

/**
 * Repeats the same request for a while, one at a time on each of 16 connections. It writes HTTP by hand: an HTTP client
 * costs more than the measured server, and would dominate the result.
 *
 * @returns answers a second
 * @throws Error for an answer that is not 200 with a Content-Length
 */
export async function rateOf(url: string, request: string, durationMs: number): Promise<number> {
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, () => repeat(new URL(url), request, endsAt)));
  return counts.reduce((sum, count) => sum + count) / ((performance.now() - startedAt) / 1_000);
}

/** @returns the number of answers on one connection */
function repeat({ hostname, port }: URL, request: string, endsAt: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const bytes = Buffer.from(request);
    let count = 0;
    let missing = 0;
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.setNoDelay(true);
    socket.once('connect', () => socket.write(bytes));
    socket.once('error', fail);
    socket.on('data', (chunk) => {
      if (missing > 0) {
        missing -= chunk.length;
      } else {
        // The headers are shorter than a segment, so the first chunk of an answer has all of them.
        const headLength = chunk.indexOf(HEAD_END) + HEAD_END.length;
        const head = chunk.toString('latin1', 0, headLength);
        const length = /^HTTP\/1\.1 200 [\s\S]*\r\ncontent-length: (\d+)/i.exec(head)?.[1];
        if (length === undefined) return fail(new Error(`the benchmark got ${chunk.toString('latin1', 0, 500)}`));
        missing = headLength + Number(length) - chunk.length;
      }
      if (missing > 0) return undefined;
      count += 1;
      if (performance.now() < endsAt) return socket.write(bytes);
      socket.end();
      return resolve(count);
    });
  });
}
