import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { sleep } from '../platform/sleep';

/** The end of `listen`, for a reason that its user can mend. Printed without a stack. */
export class ListenError extends Error {}

/** An event of the stream: enough to make its delivery. */
export interface StreamedEvent {
  readonly id: number;
  readonly type: string;
  readonly timestamp: number;
  /** The body of the delivery, as text. */
  readonly body: string;
}

export interface EventStreamOptions {
  /** Address of the API. */
  readonly url: string;
  readonly key: string;
  /** Patterns, with commas between them. */
  readonly events: string;
  readonly signal: AbortSignal;
  /** Called with what happens to the connection. */
  readonly onNotice: (text: string) => void;
  /** Called when events can arrive: none that is accepted from now on is missed. */
  readonly onOpen: () => void;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** Statuses after which a retry would get the same answer. */
const FINAL = new Set([400, 401, 403, 404]);

/**
 * An account's events, over as many connections as needed: each resumes where the last one ended, after a wait that
 * doubles up to 30 s.
 *
 * @throws ListenError when the API refuses permanently, with its message
 */
export async function* followEvents(options: EventStreamOptions): AsyncGenerator<StreamedEvent, void> {
  let lastEventId: string | undefined;
  let waitMs = FIRST_WAIT_MS;
  while (!options.signal.aborted) {
    try {
      for await (const message of connect(options, lastEventId)) {
        waitMs = FIRST_WAIT_MS;
        const isFirst = lastEventId === undefined;
        lastEventId = message.id ?? lastEventId;
        if (message.event === 'end') throw new ListenError(endingOf(message));
        if (message.event === 'gap') options.onNotice('events that came while disconnected may be missing');
        if (message.event === 'position' && isFirst) options.onOpen();
        if (message.event === 'event') yield JSON.parse(message.data) as StreamedEvent;
      }
    } catch (error) {
      if (error instanceof ListenError) throw error;
      if (options.signal.aborted) return;
      options.onNotice(`${reasonOf(error)}; trying again in ${(waitMs / 1_000).toFixed(1)} s`);
    }
    // So that the listeners of a restarted server don't all reconnect at once.
    await sleep(waitMs * (0.5 + Math.random() / 2), options.signal);
    waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
  }
}

async function* connect(
  { url, key, events, signal }: EventStreamOptions,
  lastEventId: string | undefined,
): AsyncGenerator<EventSourceMessage, void> {
  const answer = await fetch(`${url}/api/v1/webhooks/listen?events=${encodeURIComponent(events)}`, {
    headers: { Authorization: `Bearer ${key}`, ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) },
    signal,
  });
  if (!answer.ok || !answer.body) throw await refusal(answer);
  if (!isOf(answer, 'text/event-stream')) throw notEverpost(url);
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  const decoder = new TextDecoder();
  for await (const chunk of answer.body) {
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    yield* messages.splice(0);
  }
}

/** `The API key was revoked.` */
function endingOf({ data }: EventSourceMessage): string {
  const { reason } = JSON.parse(data) as { reason: string };
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** Whether an answer has a media type. */
export function isOf(answer: Response, type: string): boolean {
  return answer.headers.get('Content-Type')?.startsWith(type) ?? false;
}

/** The error for an answer that Everpost did not give. */
export function notEverpost(url: string): ListenError {
  return new ListenError(`${url} does not answer as Everpost does: is it the address of the API?`);
}

/** Why the API refuses a call: a ListenError if it would refuse it again. */
export async function refusal(answer: Response): Promise<Error> {
  const { error } = (await answer.json().catch(() => ({}))) as { error?: string };
  const text = error ?? `the API answered ${answer.status}`;
  return FINAL.has(answer.status) ? new ListenError(text) : new Error(text);
}

/** Why a call to the API failed: `no connection (ECONNREFUSED)`, if the system said so. */
export function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string } }).cause?.code;
  const text = error instanceof Error ? error.message : String(error);
  return cause === undefined ? text : `no connection (${cause})`;
}
