import { z } from 'zod';
import { ENDPOINT_NAME } from '../domain/external-id';
import { EXAMPLE_ID, idParam } from '../http/route';
import { endpointNotFound } from './find-endpoints';

/** The path of one endpoint. */
export const endpointParams = {
  endpoint_id: idParam(
    z
      .string()
      .regex(ENDPOINT_NAME, 'must be the id or the external_id of an endpoint')
      .meta({ description: 'The `id` of the endpoint, or its `external_id`.', example: `ep_${EXAMPLE_ID}` }),
    endpointNotFound,
  ),
};
