import { once } from 'node:events';
import { createServer } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from './certificate';

/** A request as it arrived. */
export interface Arrival {
  readonly atMs: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly answered: number;
}

export type DemoReceiver = Awaited<ReturnType<typeof startDemoReceiver>>;

/**
 * A receiver that fails at first, as real ones do.
 *
 * @param answers statuses in order; the last one is repeated
 */
export async function startDemoReceiver(certificate: KeyPair, answers: readonly number[]) {
  const arrivals: Arrival[] = [];
  const server = createServer(certificate, (request, response) => {
    const atMs = Date.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answered = answers[arrivals.length] ?? answers.at(-1)!;
      arrivals.push({ atMs, headers: request.headers, body: Buffer.concat(chunks), answered });
      response
        .writeHead(answered, { 'Content-Type': 'text/plain' })
        .end(answered < 300 ? 'thank you\n' : 'try again\n');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `https://${target}/webhooks`,
    /** `127.0.0.1:<port>`, for the address policy. */
    target,
    arrivals: arrivals as readonly Arrival[],
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
