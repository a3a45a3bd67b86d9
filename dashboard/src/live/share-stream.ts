import { isBroken, setConnection, setServerThere, type Connection } from './connection';
import { followStream } from './follow-stream';
import { createLead } from './lead';

/** What a page wants to hear of the stream. */
export interface SharedListener {
  /** Every change from here on is told; earlier ones are unknown. */
  onReady(): void;
  /** @param data JSON that says what changed */
  onChange(data: string): void;
  /** The session is over. */
  onEnd(): void;
}

/** How the tab that has the stream is connected. */
interface LeaderState {
  readonly kind: 'state';
  readonly connection: Connection;
  readonly isServerThere: boolean;
  /** Another one for each connection that became live. */
  readonly streamId: string;
  /** The timers of a hidden tab are slow. */
  readonly isHidden: boolean;
}

/** What the tabs of a browser tell each other. */
type Message =
  | { readonly kind: 'hello' }
  | LeaderState
  | { readonly kind: 'change'; readonly data: string }
  | { readonly kind: 'end' };

/** A tab that is awake answers within milliseconds. */
const ANSWER_MS = 2_000;

/**
 * Follows the stream of changes together with the browser's other tabs: one tab has the stream, and tells the others. A
 * browser opens only six connections to a server, and a stream in each tab would use them up.
 *
 * @param accountId only tabs that show the same account share a stream
 * @returns a function that ends it
 */
export function shareStream(accountId: string, listener: SharedListener): () => void {
  // Tabs with an earlier version of the page tell it in another way.
  const name = `everpost-live-2 ${accountId}`;
  const channel = new BroadcastChannel(name);
  /** The last answer of the leader. */
  let known: LeaderState | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const leave = (): void => {
    lead.end();
    channel.close();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', ask);
    setConnection({ state: 'connecting', heardAt: Date.now() });
    setServerThere(true);
  };
  const receive = (message: Message): void => {
    if (message.kind === 'hello' && lead.isOurs()) channel.postMessage(leading.state());
    if (message.kind === 'state') adopt(message);
    if (message.kind === 'change') listener.onChange(message.data);
    if (message.kind === 'end') {
      leave();
      listener.onEnd();
    }
  };
  const adopt = (state: LeaderState): void => {
    const isNew = state.connection.state === 'live' && state.streamId !== known?.streamId;
    const breaksOff = isBroken(state.connection.state) && !isBroken(known?.connection.state);
    known = state;
    setConnection(state.connection);
    setServerThere(state.isServerThere);
    if (isNew) listener.onReady();
    if (breaksOff) ask();
  };
  const tell = (message: Message): void => {
    channel.postMessage(message);
    receive(message);
  };
  const leading = createLeading(tell);
  const lead = createLead(name, leading.start);
  /** Asks the leader how it is connected. A visible tab takes over from one that sleeps, or that is slow to reconnect. */
  function ask(): void {
    if (document.hidden || lead.isOurs()) return;
    clearTimeout(timer);
    const before = known;
    channel.postMessage({ kind: 'hello' } satisfies Message);
    timer = setTimeout(() => {
      const isAsleep = known === before;
      const isSlow = known?.connection.state !== 'live' && known?.isHidden;
      if (!lead.isOurs() && (isAsleep || isSlow)) lead.take();
    }, ANSWER_MS);
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data));
  document.addEventListener('visibilitychange', ask);
  ask();
  return leave;
}

/** What the leading tab does: it follows the stream, and tells all tabs. */
function createLeading(tell: (message: Message) => void) {
  let told: Omit<LeaderState, 'kind' | 'isHidden'>;
  const state = (): LeaderState => ({ kind: 'state', ...told, isHidden: document.hidden });
  return {
    state,
    start(): () => void {
      told = { connection: { state: 'connecting', heardAt: Date.now() }, isServerThere: true, streamId: '' };
      return followStream({
        onConnection(connection, isServerThere) {
          told = { connection, isServerThere, streamId: connection.state === 'live' ? crypto.randomUUID() : '' };
          tell(state());
        },
        onChange: (data) => tell({ kind: 'change', data }),
        onEnd: () => tell({ kind: 'end' }),
      });
    },
  };
}
