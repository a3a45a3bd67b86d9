import type { ClientRequest } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { hostnameOf } from './address-guard';
import type { Phase } from './classify-failure';
import type { Marks } from './timings';

/**
 * Tracks the progress of a request; `facts` returns it.
 *
 * @param onBytes called with all bytes that arrive, before Node's parser gets them, until `ignoreBytes`
 */
export function createProgress(
  { url, isTunnelled }: { readonly url: URL; readonly isTunnelled: boolean },
  onBytes: (bytes: Buffer) => void,
) {
  const whenConnected: Phase = url.protocol === 'https:' ? 'tls' : 'answer';
  const firstDirect: Phase = isIP(hostnameOf(url)) ? 'connect' : 'lookup';
  let phase: Phase = isTunnelled ? 'proxy' : firstDirect;
  let reused = false;
  let socket: Socket | undefined;
  let bytesBefore = 0;
  let remoteAddress: string | null = null;
  const marks: Marks = {};
  const end = (part: 'lookup' | 'connect' | 'tls', next: Phase): void => {
    marks[part] = performance.now();
    phase = next;
  };

  const watchConnecting = (assigned: Socket): void => {
    let tried: string | null = null;
    assigned.on('connectionAttempt', (address: string) => (tried = address));
    assigned.once('connect', () => {
      end('connect', whenConnected);
      // The kernel forgets the peer of a connection that was reset at once.
      remoteAddress = assigned.remoteAddress ?? tried;
    });
  };

  return {
    noteProxy: (): void => void (phase = 'tunnel'),
    noteLookup: (): void => end('lookup', 'connect'),
    watch(req: ClientRequest): void {
      req.once('socket', (assigned) => {
        socket = assigned;
        reused = req.reusedSocket;
        bytesBefore = assigned.bytesRead;
        assigned.prependListener('data', onBytes);
        // Behind a tunnel only the proxy knows the receiver's address.
        if (!isTunnelled) remoteAddress = assigned.remoteAddress ?? null;
        if (reused) {
          phase = 'answer';
          return;
        }
        assigned.once('secureConnect', () => end('tls', 'answer'));
        if (isTunnelled) end('connect', whenConnected);
        else watchConnecting(assigned);
      });
    },
    ignoreBytes: (): void => void socket?.off('data', onBytes),
    facts: () => ({
      phase,
      marks,
      remoteAddress,
      staleConnection: reused && socket !== undefined && socket.bytesRead === bytesBefore,
    }),
  };
}
