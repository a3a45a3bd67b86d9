import { surface } from '../api/surface';
import { heartbeatOf, type OpenStream, type StreamEvents } from '../live/follow-stream';

/** Opens the stream of changes by `fetch`: a browser's own `EventSource` can't send the session's token. */
export const openStream: OpenStream = (events) => {
  const over = new AbortController();
  read(events, over.signal).catch(() => {
    if (!over.signal.aborted) events.onError();
  });
  return { close: () => over.abort() };
};

/** @throws Error when the stream breaks, or ends */
async function read(events: StreamEvents, signal: AbortSignal): Promise<never> {
  const answer = await fetch(surface().addressOf('/dashboard/api/live'), {
    headers: { Accept: 'text/event-stream', ...surface().headers() },
    signal,
  });
  if (!answer.ok || !answer.body) throw new Error(`the stream was answered with ${answer.status}`);
  events.onHeard();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error('the stream ended');
    const messages = (rest + value).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) hear(message, events);
  }
}

/** Our server writes one line of data, and no line of another kind behind the name of the event. */
function hear(message: string, events: StreamEvents): void {
  const [, kind, data = '{}'] = /^event: (\w+)\ndata: (.*)$/.exec(message) ?? [];
  events.onHeard();
  if (kind === 'ready') events.onReady(heartbeatOf(data));
  if (kind === 'change') events.onChange(data);
  if (kind === 'end') events.onEnd();
}
