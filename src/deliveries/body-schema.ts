import { z } from 'zod';
import { BODY_SHAPES } from '../domain/body-form';

/** What the body of a delivery is. */
export const deliveryBodyView = z
  .object({
    shape: z.enum(BODY_SHAPES),
    include: z.array(z.string()).nullable().meta({ description: 'The only members of `data` that are sent.' }),
    exclude: z.array(z.string()).nullable().meta({ description: 'The members of `data` that are not sent.' }),
    source: z.string().nullable().meta({ description: 'The `source` of a CloudEvent; null in other shapes.' }),
  })
  .meta({
    id: 'DeliveryBody',
    description: "The body of all its attempts: by the endpoint's options when the event was accepted.",
  });
