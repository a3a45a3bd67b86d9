/** The result of an operation on several objects: how many succeeded, and why the others were refused. */
export interface BulkResult {
  readonly done: number;
  readonly refused: readonly string[];
}

/** Does the same with several objects, one after the other: a refusal doesn't stop the rest. */
export async function inTurn<Id>(ids: readonly Id[], call: (id: Id) => Promise<unknown>): Promise<BulkResult> {
  const refused: string[] = [];
  for (const id of ids) {
    await call(id).catch((error: unknown) => {
      refused.push(error instanceof Error ? error.message : String(error));
    });
  }
  return { done: ids.length - refused.length, refused };
}

/** `3 sent again.`, or with the first reason of those that were refused. */
export function describeBulk({ done, refused: [first, ...others] }: BulkResult, did: string): string {
  return first === undefined ? `${done} ${did}.` : `${done} ${did}, ${others.length + 1} refused: ${first}`;
}
