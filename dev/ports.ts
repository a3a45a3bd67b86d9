import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Config } from '../src/config';
import { LocalStackError, reasonOf } from './messages';

const TRIES = 3;

/** Another process took a port before the server could. */
export class PortTakenError extends LocalStackError {}

/**
 * Starts something on free ports, and again on others if another process took one first.
 *
 * @param start picks new ports each time
 * @param wasTaken whether that is why it did not start (a `PortTakenError` by default); any other failure would only
 *   repeat itself
 * @throws the start's error, if it has another cause or after the third try
 */
export async function onFreePorts<T>(
  start: () => Promise<T>,
  wasTaken = (error: unknown): boolean => error instanceof PortTakenError,
): Promise<T> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await start();
    } catch (error) {
      if (left === 1 || !wasTaken(error)) throw error;
    }
  }
}

/** A TCP port on 127.0.0.1 that was free a moment ago; another process can take it before it is used. */
export async function freePort(): Promise<number> {
  return listenOnce(0);
}

/**
 * The port, if it is free; a free one for 0.
 *
 * @throws PortTakenError naming the setting to change
 */
export async function usablePort(port: number, what: string, setting: string): Promise<number> {
  if (port === 0) return freePort();
  if (await isPortFree(port)) return port;
  throw portTaken(port, what, setting);
}

/**
 * Whether a TCP port is free now.
 *
 * @throws LocalStackError when no process could listen there, such as on an address of another machine
 */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  try {
    await listenOnce(port, host);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw new LocalStackError(
      `Port ${port} of ${host} can't be used: ${reasonOf(error)}. Choose another port, or another HOST.`,
    );
  }
}

async function listenOnce(port: number, host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  const { port: used } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return used;
}

/**
 * Checks that every port of the stack is free, before anything is started.
 *
 * @throws LocalStackError naming the setting to change
 */
export async function checkPorts(config: Config): Promise<void> {
  const wanted: [setting: string, what: string, port: number, host?: string][] = [
    ['PORT', 'the API', config.port, config.host],
    ...(config.mongodb.uri === undefined
      ? [['MONGODB_PORT', 'MongoDB', config.mongodb.port] as [string, string, number]]
      : []),
    ...(config.temporal.address === undefined
      ? ([
          ['TEMPORAL_PORT', 'Temporal', config.temporal.port],
          ['TEMPORAL_UI_PORT', "Temporal's Web UI", config.temporal.uiPort],
        ] as [string, string, number][])
      : []),
  ];
  const seen = new Map<number, string>();
  for (const [setting, what, port, host] of wanted) {
    if (port === 0) continue;
    const other = seen.get(port);
    if (other) throw new LocalStackError(`${setting} and ${other} are both ${port}. Set one of them to another port.`);
    seen.set(port, setting);
    if (!(await isPortFree(port, host))) throw portTaken(port, what, setting);
  }
}

/** One line for a port that another process uses. */
export function portTaken(port: number, what: string, setting: string): PortTakenError {
  return new PortTakenError(`Port ${port}, meant for ${what}, is taken. Set ${setting} to a free one.`);
}
