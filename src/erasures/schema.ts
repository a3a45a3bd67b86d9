import { z } from 'zod';
import { SEARCH_VALUE_PATTERN } from '../domain/search-values';
import { listQuery, nextCursor } from '../http/list-query';
import { ERASURE_STATES } from './erasure-store';

/** Body of POST /api/v1/webhooks/erasures. */
export const createErasureBody = z
  .strictObject({
    data: z
      .string()
      .regex(new RegExp(SEARCH_VALUE_PATTERN), 'must be "<field>:<value>", for example "customer_id:cus_123"')
      .meta({
        description:
          'Which events: those whose `data` has this value in a search field of the account, `<field>:<value>`.',
        example: 'customer_id:cus_123',
      }),
  })
  .meta({ id: 'NewErasure' });

export const erasureListQuery = listQuery(20);

/** An erasure with its progress. */
export const erasureView = z
  .object({
    id: z.string().regex(/^ers_[0-9a-z]{26}$/),
    state: z.enum(ERASURE_STATES).meta({ id: 'ErasureState' }),
    field: z.string().meta({ description: 'The search field. Its value is not kept.', example: 'customer_id' }),
    erased: z.int().meta({ description: 'How many events it has erased so far.' }),
    created_at: z.iso.datetime().meta({ description: 'Events accepted before have been erased when it ends.' }),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Erasure' });

/** The answer of GET /api/v1/webhooks/erasures. */
export const erasureListView = z
  .object({ erasures: z.array(erasureView), next_cursor: nextCursor })
  .meta({ id: 'ErasurePage' });
