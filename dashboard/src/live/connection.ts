import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/**
 * Whether the page learns at once of what changes. `reconnecting`: the connection broke; `silent`: it is open, and the
 * server says nothing; `offline`: the browser has no network.
 */
export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'silent' | 'offline';

/** How the page is connected. */
export interface Connection {
  readonly state: ConnectionState;
  /** When the server was last heard, in Unix milliseconds. */
  readonly heardAt: number;
}

const listeners = new Set<() => void>();
let connection: Connection = { state: 'connecting', heardAt: Date.now() };

// Queries wait while the server is away, instead of failing, and go on by themselves. Only the stream knows: the server
// may be on the machine of a browser that calls itself offline.
onlineManager.setEventListener(() => undefined);

/** Tells the header. */
export function setConnection(next: Connection): void {
  connection = next;
  for (const tell of listeners) tell();
}

/** How the page is connected now. */
export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => connection);
}

/** Whether the connection is lost, and made again. */
export function isBroken(state: ConnectionState | undefined): boolean {
  return state === 'reconnecting' || state === 'silent' || state === 'offline';
}

/** Whether the server can be asked: queries wait until it can. */
export function setServerThere(isThere: boolean): void {
  onlineManager.setOnline(isThere);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
