import { z } from 'zod';
import { EXAMPLE_ID, idParam } from '../http/route';
import { deliveryNotFound } from './find-deliveries';

/** The path of one delivery. */
export const deliveryParams = {
  delivery_id: idParam(
    z
      .string()
      .regex(/^[0-9]{1,16}\.ep_[0-9a-z]{26}$/, 'must be an id as the API shows it: <event_id>.<endpoint_id>')
      .meta({ description: 'The delivery id: `<event_id>.<endpoint_id>`.', example: `1001.ep_${EXAMPLE_ID}` }),
    deliveryNotFound,
  ),
};
