import { apiClient, type ApiAnswer } from './api-client';
import { buildCaller, type Caller } from './build-caller';
import type { Stack } from './build-stack';
import { eventually } from './eventually';

const ERASURES = '/api/v1/webhooks/erasures';

/** A caller whose account has the search field `customer_id`, with the calls of a management key that erases. */
export interface Eraser extends Caller {
  readonly eraseEvent: (id: number) => Promise<ApiAnswer>;
  readonly eraseAll: (data: string, headers?: Record<string, string>) => Promise<ApiAnswer>;
  /** Waits until an erasure has ended. @returns it */
  readonly untilErased: (id: string) => Promise<ApiAnswer['body']>;
}

/** @param stack has an API */
export async function buildEraser(stack: Stack): Promise<Eraser> {
  const caller = await buildCaller(stack);
  await stack.mongo.db
    .collection<{ _id: string }>('accounts')
    .updateOne({ _id: caller.accountId }, { $set: { search_fields: ['customer_id'] } });
  const { key } = await stack.managementKey({ scopes: ['data:erase'] });
  const manager = apiClient(stack.url, key);
  const account = { 'Everpost-Account': caller.accountId };
  return {
    ...caller,
    eraseEvent: (id) => manager.delete(`/api/v1/webhooks/events/${id}/data`, account),
    eraseAll: (data, headers) => manager.post(ERASURES, { data }, { ...account, ...headers }),
    untilErased: async (id) => {
      const hasEnded = ({ body }: ApiAnswer): boolean => body.state === 'completed';
      return (await eventually(() => caller.get(`${ERASURES}/${id}`), hasEnded)).body;
    },
  };
}
