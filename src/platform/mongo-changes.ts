import { Binary, type ChangeStream, type Document } from 'mongodb';
import { sleep } from './sleep';

/** Gets the changes of a change stream. */
export interface ChangeFollower<Change> {
  /**
   * Called a few times a second when every change up to now was passed on.
   *
   * @param position the stream's position, from `positionOf`
   */
  onCaughtUp(position: string): void;
  onChange(change: Change, position: string): void;
  /** Changes may be missing from now on, until the stream has caught up again. */
  onBroken(error: unknown): void;
}

const REOPEN_MS = 1_000;

/**
 * Follows a change stream until `close`, and reopens it when it breaks.
 *
 * It polls for changes instead of using events: the driver repairs a broken stream silently, and events would not show
 * the time in which it does.
 *
 * @param open its `maxAwaitTimeMS` sets how often the follower hears that nothing changed
 */
export function followChanges<Schema extends Document, Change extends Document>(
  open: () => ChangeStream<Schema, Change>,
  follower: ChangeFollower<Change>,
): { close(): Promise<void> } {
  const closing = new AbortController();
  let stream: ChangeStream<Schema, Change> | undefined;
  let isOpen = false;
  const follow = async (): Promise<void> => {
    stream = open();
    isOpen = false;
    while (!closing.signal.aborted) {
      const change = await stream.tryNext();
      isOpen = true;
      if (change) follower.onChange(change, positionOf(change['_id']));
      if (stream.bufferedCount() === 0) follower.onCaughtUp(positionOf(stream.resumeToken));
    }
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await follow().catch((error: unknown) => {
        if (!closing.signal.aborted) follower.onBroken(error);
      });
      await stream?.close().catch(() => undefined);
      await sleep(REOPEN_MS, closing.signal);
    }
  };
  const running = run();
  return {
    close: async () => {
      closing.abort();
      // If a stream is closed while it opens, the driver never learns the cursor, and MongoDB keeps it: then `run`
      // closes it a moment later.
      if (isOpen) await stream?.close().catch(() => undefined);
      await running;
    },
  };
}

/**
 * A resume token. `_typeBits` describes how numbers of the document's id are stored, and is present unless they are
 * 32-bit integers.
 */
interface ResumeToken {
  readonly _data: string;
  readonly _typeBits?: Binary;
}

/**
 * A position in a change stream, as text. Of two positions of any stream on the same deployment, the later is the
 * greater one (MongoDB, "Resume Tokens").
 *
 * @param token a change's `_id`, or a stream's `resumeToken`
 */
export function positionOf(token: unknown): string {
  const { _data: data, _typeBits: typeBits } = token as ResumeToken;
  return typeBits ? `${data}.${typeBits.toString('hex')}` : data;
}

/** The resume token of a position, to continue after it. */
export function tokenOf(position: string): ResumeToken {
  const [data = '', typeBits] = position.split('.');
  return { _data: data, ...(typeBits !== undefined && { _typeBits: Binary.createFromHexString(typeBits) }) };
}
