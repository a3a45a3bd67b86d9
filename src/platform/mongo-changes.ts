import { Binary, type ChangeStream, type Document } from 'mongodb';
import { sleep } from './sleep';

/** Is told what a change stream brings. */
export interface ChangeFollower<Change> {
  /**
   * Every change up to now was told; comes some times a second.
   *
   * @param position where the stream is, as of `positionOf`
   */
  onCaughtUp(position: string): void;
  onChange(change: Change, position: string): void;
  /** Changes may be missed from now on, until it has caught up again. */
  onBroken(error: unknown): void;
}

const REOPEN_MS = 1_000;

/**
 * Follows a change stream until `close`, and opens it anew when it breaks.
 *
 * Asks for changes again and again, and not by events: the driver mends a broken stream in silence, and events would
 * not show the time in which it does.
 *
 * @param open its `maxAwaitTimeMS` says how often the follower hears that nothing changed
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
      // Of a stream that is closed while it opens, the driver never learns the cursor, and MongoDB keeps that: then `run`
      // closes it, a moment later.
      if (isOpen) await stream?.close().catch(() => undefined);
      await running;
    },
  };
}

/** A resume token. `_typeBits` says how numbers of the document's id are stored, and is there for all but 32-bit integers. */
interface ResumeToken {
  readonly _data: string;
  readonly _typeBits?: Binary;
}

/**
 * A place in a change stream, as text. The later of two is the greater one (MongoDB, "Resume Tokens"): of any stream on
 * the same deployment.
 *
 * @param token a change's `_id`, or a stream's `resumeToken`
 */
export function positionOf(token: unknown): string {
  const { _data: data, _typeBits: typeBits } = token as ResumeToken;
  return typeBits ? `${data}.${typeBits.toString('hex')}` : data;
}

/** The resume token of a place, to go on behind it. */
export function tokenOf(position: string): ResumeToken {
  const [data = '', typeBits] = position.split('.');
  return { _data: data, ...(typeBits !== undefined && { _typeBits: Binary.createFromHexString(typeBits) }) };
}
