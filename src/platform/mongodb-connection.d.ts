/** The driver's own class of a pooled connection; see `mongo.ts` for why we look at it. */
declare module 'mongodb/lib/cmap/connection' {
  export class Connection {
    readonly socket: { readonly destroyed: boolean; readonly readableEnded: boolean; readonly writableEnded: boolean };
    /** Gives the connection up. */
    onError(error: Error): void;
    writeCommand(command: unknown, options: unknown): Promise<void>;
  }
}
