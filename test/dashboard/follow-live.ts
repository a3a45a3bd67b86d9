import { get, type IncomingMessage } from 'node:http';
import { eventually } from '../support/eventually';
import type { Browser } from './browser';

/** Opens a stream of live changes as EventSource does. */
export async function followLive(browser: Browser, url: string) {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  let text = '';
  let ended = false;
  const request = get(`${url}/dashboard/api/live`, { headers: { Cookie: cookie, Accept: 'text/event-stream' } });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  response.on('data', (chunk: Buffer) => (text += chunk.toString()));
  response.once('close', () => (ended = true));
  response.on('error', () => (ended = true));
  // A slow machine gets lines that say only that the server is there.
  const messages = () =>
    [...text.matchAll(/^event: (?!alive)(\w+)\ndata: (.*)\n\n/gm)].map(([, event, data]) => ({
      event: event!,
      data: JSON.parse(data!) as Record<string, (string | number)[]>,
    }));
  return {
    response,
    /** Everything that came. */
    text: () => text,
    messages,
    hasEnded: () => ended,
    ready: () =>
      eventually(
        () => messages().some(({ event }) => event === 'ready'),
        (isReady) => isReady,
      ),
    /** Ids of one kind that were reported as changed. */
    changed: (kind: string) => messages().flatMap(({ event, data }) => (event === 'change' ? (data[kind] ?? []) : [])),
    close: () => request.destroy(),
  };
}
