import { IncomingMessage } from 'node:http';

/** The smallest buffer of a body. It doubles as needed. */
const FIRST_BYTES = 1_024;
const EMPTY = Buffer.alloc(0);

/** The client disconnected, or stopped sending, before the end of the body. */
export class IncompleteBodyError extends Error {}

/**
 * A request that reads its body only as far as its reader asks for it, into one buffer. The rest stays in the system's
 * buffers. Node itself reads ahead and keeps an object of 190 bytes for each chunk, so a client that sends its body byte
 * by byte would make it hold 3 MB.
 */
export class IncomingRequest extends IncomingMessage {
  #held = false;
  #isRead = false;
  #bytes = EMPTY;
  #length = 0;
  /** Tells the client to send the body; undefined once it was told, or did not ask. */
  #invite: (() => void) | undefined;
  /** Gets each chunk of the body. */
  #take: (chunk: Buffer) => void = () => undefined;

  /**
   * Reads the body until its end, or until it has more than `limit` bytes. A later call with a higher limit reads on.
   *
   * @returns the whole body; undefined if it is larger
   * @throws IncompleteBodyError when the client leaves
   */
  async receive(limit: number): Promise<Buffer | undefined> {
    if (this.#declaredBytes() > limit) {
      this.#hold();
      return undefined;
    }
    if (!this.readableEnded && this.#length <= limit) {
      this.#invite?.();
      this.#invite = undefined;
      await this.#readUpTo(limit);
    }
    return this.#length > limit ? undefined : this.#bytes.subarray(0, this.#length);
  }

  /** Has `invite` called when a reader first asks for the body, which the client holds back until then. */
  inviteBefore(invite: () => void): void {
    this.#invite = invite;
  }

  /**
   * Drops the rest of the body: after each chunk it waits for `turn`. After `limit` bytes it closes the connection.
   */
  discard(limit: number, turn: () => Promise<void>): void {
    let left = limit;
    this.#bytes = EMPTY;
    this.#take = (chunk) => {
      left -= chunk.length;
      if (left < 0) return void this.socket.destroy();
      if (this.#held) return;
      this.#hold();
      void turn().then(() => this.destroyed || this.#release());
    };
    this.#release();
  }

  /** The values of a header, one for each time it was sent. Node's `headersDistinct` holds 2 KB for each request. */
  valuesOf(name: string): string[] {
    const wanted = name.toLowerCase();
    return this.rawHeaders.filter((_, at) => at % 2 === 1 && this.rawHeaders[at - 1]!.toLowerCase() === wanted);
  }

  /** Whether the request has, or will have, a body. */
  hasBody(): boolean {
    return this.headers['transfer-encoding'] !== undefined || this.#declaredBytes() > 0;
  }

  /** Frees the memory of its headers. */
  forgetHeaders(): void {
    this.headers = {};
    this.rawHeaders = [];
  }

  /** Node calls it to read ahead. */
  override _read(size: number): void {
    if (!this.#held) super._read(size);
  }

  #declaredBytes(): number {
    return Number(this.headers['content-length'] ?? 0);
  }

  #readUpTo(limit: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => reject(new IncompleteBodyError('the body ended before it was complete'));
      if (this.destroyed) return leave();
      const stop = (): void => {
        this.off('end', stop).off('close', leave);
        resolve();
      };
      this.on('end', stop).on('close', leave);
      this.#take = (chunk) => {
        this.#keep(chunk);
        // One read of the socket may hold many chunks: those after the limit are kept too.
        if (this.#length <= limit || this.#held) return;
        this.#hold();
        stop();
      };
      this.#release();
    });
  }

  #keep(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length) {
      const size = Math.max(FIRST_BYTES, 2 * this.#bytes.length, length);
      const larger = Buffer.allocUnsafeSlow(Math.min(size, this.#declaredBytes() || size));
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  #hold(): void {
    this.#held = true;
    this.socket.pause();
  }

  #release(): void {
    this.#held = false;
    // Starts the socket, and marks the body as read: Node removes the listeners of an unread one. The socket's
    // `resume` comes later, so it must be first: a chunk that is here already may hold the socket again.
    super._read(0);
    if (this.#isRead) return;
    this.#isRead = true;
    this.on('data', (chunk: Buffer) => this.#take(chunk));
  }
}
