import { z } from 'zod';
import { EXAMPLE_ID, idParam } from '../http/route';
import { endpointNotFound } from './find-endpoints';

/** The path of one endpoint. */
export const endpointParams = {
  endpoint_id: idParam(
    z
      .string()
      .regex(/^ep_[0-9a-z]{26}$/, 'must be an id as the API shows it')
      .meta({ description: 'The endpoint id.', example: `ep_${EXAMPLE_ID}` }),
    endpointNotFound,
  ),
};
