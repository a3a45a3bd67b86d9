import { z } from 'zod';
import { EXAMPLE_ID, idParam } from '../http/route';
import { erasureNotFound } from './erasure-jobs';

/** The path of one erasure. */
export const erasureParams = {
  erasure_id: idParam(
    z
      .string()
      .regex(/^ers_[0-9a-z]{26}$/, 'must be an id as the API shows it')
      .meta({ description: 'The `id` of the erasure.', example: `ers_${EXAMPLE_ID}` }),
    erasureNotFound,
  ),
};
