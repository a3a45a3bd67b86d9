import { z } from 'zod';
import { EXAMPLE_ID, idParam } from '../http/route';
import { rehearsalNotFound } from './rehearse';

/** The path of one rehearsal. */
export const rehearsalParams = {
  rehearsal_id: idParam(
    z
      .string()
      .regex(/^rhs_[0-9a-z]{26}$/, 'must be an id as the API shows it')
      .meta({ description: 'The `id` of the rehearsal.', example: `rhs_${EXAMPLE_ID}` }),
    rehearsalNotFound,
  ),
};
