import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PATIENCE_MS } from './eventually';
import { useFixture } from './fixture';

/** A request that a receiver got, with the exact bytes of its body. */
export interface ReceivedRequest {
  readonly at: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A receiver's answer: a status, or a function that decides (or waits). */
export type Answer = number | ((request: ReceivedRequest, count: number) => number | Promise<number>);

/** A real HTTP receiver on loopback. Its answers can be changed while it runs. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly requests: ReceivedRequest[];
  /** @param body its answer's body, or a function that makes it from a request; a short text by default */
  answerWith(answer: Answer, body?: string | ((request: ReceivedRequest) => string)): void;
  /** Resolves when it has received that many requests. */
  waitFor(count: number, timeoutMs?: number): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

export async function buildReceiver(initial: Answer = 200): Promise<Receiver> {
  let answer = initial;
  let answerBody: string | ((request: ReceivedRequest) => string) | undefined;
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = {
        at: Date.now(),
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      requests.push(received);
      for (const wake of waiting) wake();
      const decided = typeof answer === 'number' ? answer : answer(received, requests.length);
      void Promise.resolve(decided).then((status) => {
        const text = typeof answerBody === 'function' ? answerBody(received) : answerBody;
        response.writeHead(status).end(text ?? `answer ${status}`);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    requests,
    answerWith(next, body) {
      answer = next;
      answerBody = body;
    },
    waitFor: (count, timeoutMs = PATIENCE_MS) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (requests.length < count) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(requests);
        };
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`the receiver got ${requests.length} of ${count} requests in ${timeoutMs} ms`));
        }, timeoutMs);
        waiting.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Gives each test its own receiver, which answers 200 by default. */
export function useReceiver(initial?: Answer): Receiver {
  return useFixture(
    'test',
    () => buildReceiver(initial),
    (receiver) => receiver.close(),
  );
}
