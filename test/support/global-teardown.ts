import type { ThrowawayServers } from '../../src/local/throwaway-servers';

/** Set-up and teardown run in one process, but jest does not promise that they share modules. */
const shared = globalThis as typeof globalThis & { everpostTestServers?: ThrowawayServers };

/** Remembers what the teardown has to close. */
export function keepForTeardown(servers: ThrowawayServers): void {
  shared.everpostTestServers = servers;
}

/** Ends the servers of the run. (A default export, because jest looks for nothing else.) */
export default async function globalTeardown(): Promise<void> {
  await shared.everpostTestServers?.close();
}
