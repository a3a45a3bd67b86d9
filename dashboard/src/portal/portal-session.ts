import { useSyncExternalStore } from 'react';
import { ApiProblem, callApi } from '../api/call-api';
import { tabStorage } from './tab-storage';

/** The session of this tab. */
interface PortalSession {
  readonly hasEnded: boolean;
  /** Another one for each token. */
  readonly number: number;
}

interface Swapped {
  readonly token: string;
  readonly page: string;
}

const TOKEN = 'portal-token';
const CODE = 'portal-code';

let token: string | undefined;
let code: string | undefined;
let firstPage = '/endpoints';
let session: PortalSession = { hasEnded: false, number: 0 };
const listeners = new Set<() => void>();

/** Takes the code from behind the `#`, where no server and no log sees it, and removes it from the address. */
export function takeCode(): void {
  const { hash, pathname, search } = location;
  if (hash.length > 1) {
    tabStorage.set(CODE, hash.slice(1));
    history.replaceState(history.state, '', `${pathname}${search}`);
  }
  code = tabStorage.get(CODE) ?? (hash.length > 1 ? hash.slice(1) : undefined);
  token = tabStorage.get(TOKEN) ?? undefined;
}

/** Swaps the code, if there is one, before the first call. @throws ApiProblem while the server does not answer */
export async function enterSession(): Promise<void> {
  if (code !== undefined) await renewSession(code);
  else if (token === undefined) set({ ...session, hasEnded: true });
}

/** Goes on with the session of a new code. A code that is not valid ends the session. */
export async function renewSession(newCode: string): Promise<void> {
  try {
    const swapped = await callApi<Swapped>('/dashboard/api/session', { method: 'POST', body: { code: newCode } });
    ({ token, page: firstPage } = swapped);
    tabStorage.set(TOKEN, swapped.token);
    forgetCode();
    set({ hasEnded: false, number: session.number + 1 });
  } catch (error) {
    // The code stays for a reload while the server is away.
    if (!(error instanceof ApiProblem) || error.status < 400 || error.status >= 500) throw error;
    forgetCode();
    endSession();
  }
}

function forgetCode(): void {
  code = undefined;
  tabStorage.set(CODE, null);
}

/** The page to begin with, as the platform named it: a path, and maybe a query. */
export function firstPageOf(): URL {
  return new URL(firstPage, location.origin);
}

/** What calls carry. */
export function tokenHeaders(): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** Ends the session if a call with its own token was refused: the answer to an earlier token says nothing of this one. */
export function noteRefusal(status: number, sent: Readonly<Record<string, string>>): void {
  if (status === 401 && sent['Authorization'] === tokenHeaders()['Authorization']) endSession();
}

function endSession(): void {
  token = undefined;
  tabStorage.set(TOKEN, null);
  set({ ...session, hasEnded: true });
}

function set(next: PortalSession): void {
  session = next;
  for (const tell of listeners) tell();
}

/** The session of this tab, now. */
export function usePortalSession(): PortalSession {
  return useSyncExternalStore(subscribe, () => session);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
