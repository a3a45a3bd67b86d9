import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A connection to a MongoDB that can be cut, so that MongoDB is down for one process. */
export interface MongoProxy {
  /** The same database as the given address, through the proxy. */
  readonly uri: string;
  /** Cuts every connection and refuses new ones. */
  cut(): void;
  /** Lets connections through again. */
  mend(): void;
  close(): Promise<void>;
}

export async function buildMongoProxy(uri: string): Promise<MongoProxy> {
  const target = new URL(uri);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxied = new URL(uri);
  proxied.hostname = '127.0.0.1';
  proxied.port = String((server.address() as AddressInfo).port);
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    uri: proxied.toString(),
    cut() {
      isCut = true;
      cutAll();
    },
    mend: () => void (isCut = false),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cutAll();
      }),
  };
}
