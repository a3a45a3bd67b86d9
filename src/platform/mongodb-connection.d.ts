/** The driver's own class of a pooled connection; see `mongo.ts` for why we use it. */
declare module 'mongodb/lib/cmap/connection' {
  export class Connection {
    readonly socket: { readonly destroyed: boolean; readonly readableEnded: boolean; readonly writableEnded: boolean };
    /** Marks the connection as broken. */
    onError(error: Error): void;
    writeCommand(command: unknown, options: unknown): Promise<void>;
  }
}
