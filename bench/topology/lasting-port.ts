import { randomInt } from 'node:crypto';
import { isPortFree } from '../../dev/ports';

/** Below the ports that Linux gives to outgoing connections: one of those may have it when its process is killed. */
const PORTS = { from: 20_000, to: 32_000 };

/** A free TCP port of 127.0.0.1 that a process still finds free after a restart. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isPortFree(port)) return port;
  }
}
