import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { preciseNowMs } from './statistics';

/** Sent by the parent: what to listen with, or a wish to hear what arrived. `hanging` more ports never answer. */
type Request = { kind: 'listen'; key: string; cert: string; hanging: number } | { kind: 'arrivals' };

/** An HTTPS receiver in a process of its own, which answers 200 at once and remembers when each event arrived. */
const arrivals: [eventId: number, atMs: number][] = [];

process.on('message', (request: Request) => {
  if (request.kind === 'arrivals') {
    process.send?.({ kind: 'arrivals', arrivals });
    return;
  }
  const answering = createServer({ key: request.key, cert: request.cert }, (incoming, response) => {
    arrivals.push([Number(incoming.headers['x-webhook-id']), preciseNowMs()]);
    incoming.resume();
    incoming.on('end', () => response.writeHead(200, { 'Content-Length': '2' }).end('ok'));
  });
  const hanging = Array.from({ length: request.hanging }, () =>
    createServer({ key: request.key, cert: request.cert }, (incoming) => void incoming.resume()),
  );
  void Promise.all([answering, ...hanging].map(portOf)).then((ports) => process.send?.({ kind: 'listening', ports }));
});

function portOf(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

process.on('disconnect', () => process.exit(0));
