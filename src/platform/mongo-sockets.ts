import { MongoNetworkError } from 'mongodb';
import type { Connection } from 'mongodb/lib/cmap/connection';
import type { Logger } from './logger';

const DRIVER_FILE = 'mongodb/lib/cmap/connection';
/** The driver's classes that are mended: one in a process. */
const mended = new WeakSet<Connection>();
let isTold = false;

/**
 * Works around mongodb 7.9 (ADR 18). When MongoDB goes away, a pooled connection's socket may have ended without having
 * emitted `close` yet. The driver writes to such a socket and waits for a `drain` that never comes: the operation, and
 * every call that waits for it, hangs forever (or it fails with Node's own EPIPE, which the driver does not retry). When
 * told that the connection is broken, the driver takes another one.
 *
 * Does it once in a process. A driver whose inside has changed is used as it is, and a line in the log says so.
 *
 * @returns whether the driver is mended
 */
export function mendDeadSockets(logger?: Pick<Logger, 'warn'>, load: (file: string) => unknown = require): boolean {
  const writes = prototypeIn(load);
  if (!writes) {
    // Said once; a later logger may be the first.
    if (!isTold && logger) {
      logger.warn(
        'this version of the MongoDB driver can not be mended: a call may hang when MongoDB goes away (ADR 18)',
      );
      isTold = true;
    }
    return false;
  }
  if (mended.has(writes)) return true;
  mended.add(writes);
  const { writeCommand } = writes;
  writes.writeCommand = async function writeToLiveSocket(this: Connection, command, options) {
    const { destroyed, readableEnded, writableEnded } = this.socket;
    if (destroyed || readableEnded || writableEnded) {
      const error = new MongoNetworkError('the connection has ended');
      this.onError(error);
      throw error;
    }
    return writeCommand.call(this, command, options);
  };
  return true;
}

/** The driver's class, if it still has what the work-around changes. */
function prototypeIn(load: (file: string) => unknown): Connection | undefined {
  try {
    const { prototype } = (load(DRIVER_FILE) as { Connection: { prototype: Connection } }).Connection;
    const has = typeof prototype.writeCommand === 'function' && typeof prototype.onError === 'function';
    return has ? prototype : undefined;
  } catch {
    return undefined;
  }
}
