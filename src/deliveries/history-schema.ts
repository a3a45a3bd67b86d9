import { z } from 'zod';
import { listQuery, nextCursor } from '../http/list-query';
import { attemptWithRequestView } from './schema';

const DEFAULT_LIMIT = 20;

/** Query of GET /api/v1/webhooks/deliveries/{delivery_id}/attempts. */
export const deliveryAttemptListQuery = listQuery(DEFAULT_LIMIT);

/** The answer of GET /api/v1/webhooks/deliveries/{delivery_id}/attempts. */
export const deliveryAttemptListView = z
  .object({ attempts: z.array(attemptWithRequestView), next_cursor: nextCursor })
  .meta({ id: 'DeliveryAttemptPage' });
