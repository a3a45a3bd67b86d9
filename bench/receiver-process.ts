import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { preciseNowMs } from './statistics';
import { CANNON } from './cannon';

/**
 * Sent by the parent: what to listen with, or a request for what arrived or how much was answered 200. `hanging` more
 * ports never answer. For the share `failing` of the events, the first request to a path gets 500. Paths below `CANNON`
 * always get 500.
 */
type Request =
  | { kind: 'listen'; key: string; cert: string; hanging: number; failing: number }
  | { kind: 'arrivals' }
  | { kind: 'answered' };

/** When each delivery arrived first, as `<event id><path>`, and which ones were answered 200. */
const arrivals = new Map<string, number>();
const answered = new Set<string>();

process.on('message', (request: Request) => {
  if (request.kind === 'arrivals') {
    process.send?.({ kind: 'arrivals', arrivals: [...arrivals] });
    return;
  }
  if (request.kind === 'answered') {
    process.send?.({ kind: 'answered', answered: answered.size });
    return;
  }
  const failEvery = request.failing === 0 ? Infinity : Math.round(1 / request.failing);
  const answering = createServer({ key: request.key, cert: request.cert }, (incoming, response) => {
    const eventId = Number(incoming.headers['x-webhook-id']);
    const delivery = `${eventId}${incoming.url}`;
    const isFirst = !arrivals.has(delivery);
    if (isFirst) arrivals.set(delivery, preciseNowMs());
    const fails = (isFirst && eventId % failEvery === 0) || incoming.url!.startsWith(CANNON);
    if (!fails) answered.add(delivery);
    incoming.resume();
    incoming.on('end', () => response.writeHead(fails ? 500 : 200, { 'Content-Length': '2' }).end('ok'));
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
