// Listens on every address of this machine, IPv4 and IPv6. A connection to it has reached a forbidden address.

import { createServer, type AddressInfo } from 'node:net';
import { answerParent } from '../cluster/child';

const connections: string[] = [];

const server = createServer((socket) => {
  connections.push(socket.localAddress ?? 'an address that is gone');
  socket.destroy();
});

answerParent(({ kind }: { kind: 'listen' | 'connections' }) => {
  if (kind === 'connections') return { connections };
  return new Promise((resolve) => {
    server.listen(0, '::', () => resolve({ port: (server.address() as AddressInfo).port }));
  });
});
