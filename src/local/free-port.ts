import { createServer } from 'node:net';

/**
 * A TCP port on 127.0.0.1 that was free a moment ago.
 * Another process can take it before it is used: callers that can, try again.
 */
export async function freePort(): Promise<number> {
  return listenOnce(0);
}

/** Whether a TCP port can be listened on now. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return listenOnce(port, host).then(
    () => true,
    () => false,
  );
}

function listenOnce(port: number, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
