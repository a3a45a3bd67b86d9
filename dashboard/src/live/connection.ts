import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** Whether the page learns at once of what changes. */
export type Connection = 'connecting' | 'live' | 'reconnecting';

const listeners = new Set<() => void>();
let connection: Connection = 'connecting';

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

/** Whether the server can be asked: queries wait until it can. */
export function setServerThere(isThere: boolean): void {
  onlineManager.setOnline(isThere);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
