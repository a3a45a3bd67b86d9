/** Shown instead of a header's value that is a secret. */
export const HIDDEN = '[hidden]';

/** The parts of an event that its delivered body has around `data`. */
export interface EventAround {
  readonly id: number;
  readonly type: string;
  /** Unix seconds of the ingest: the same on every attempt. */
  readonly timestamp: number;
}

/**
 * The text of a delivered body before and after `data`, which is copied as it was sent. The sender and the dashboard
 * share it, so that the page shows the bytes that were signed.
 */
export function bodyAround({ id, type, timestamp }: EventAround): { readonly before: string; readonly after: string } {
  return { before: `{"id":${id},"type":${JSON.stringify(type)},"data":`, after: `,"timestamp":${timestamp}}` };
}
