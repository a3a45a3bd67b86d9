/** Finds the ids of an account's endpoints by the caller's own ids. Those that no endpoint has are left out. */
export type FindEndpointIds = (
  accountId: string,
  externalIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** What a request has that may name endpoints. */
interface Named {
  readonly query: unknown;
  readonly params: unknown;
  readonly body: unknown;
}

type Fields = Record<string, unknown>;

const OUR_ID = /^ep_/;

/**
 * Puts our id in the place of each external id: in the fields `endpoint_id` and `endpoint_ids` of the path, the query,
 * the body and its `filter`. So what comes after knows one kind of id. An external id that no endpoint of the account has
 * stays, and is not found, as an id of ours would not be.
 */
export async function nameEndpoints(
  { query, params, body }: Named,
  findIds: (externalIds: readonly string[]) => ReturnType<FindEndpointIds>,
): Promise<void> {
  const parts = [query, params, body, (body as Fields | null | undefined)?.['filter']].filter(isObject);
  const externalIds = parts.flatMap(idsIn).filter((id) => !OUR_ID.test(id));
  if (externalIds.length === 0) return;
  const ids = await findIds([...new Set(externalIds)]);
  const ours = (id: string): string => ids.get(id) ?? id;
  for (const part of parts) {
    const { endpoint_id: one, endpoint_ids: several } = part;
    if (typeof one === 'string') part['endpoint_id'] = ours(one);
    if (Array.isArray(several)) part['endpoint_ids'] = several.map(ours);
  }
}

function isObject(part: unknown): part is Fields {
  return typeof part === 'object' && part !== null;
}

function idsIn({ endpoint_id: one, endpoint_ids: several = [] }: Fields): string[] {
  return [...(typeof one === 'string' ? [one] : []), ...(several as string[])];
}
