import { z } from 'zod';
import { EXAMPLE_ID, idParam } from '../http/route';
import { replayNotFound } from './replay-jobs';

/** The path of one replay. */
export const replayParams = {
  job_id: idParam(
    z
      .string()
      .regex(/^rpl_[0-9a-z]{26}$/, 'must be an id as the API shows it')
      .meta({ description: 'The `job_id` of the replay.', example: `rpl_${EXAMPLE_ID}` }),
    replayNotFound,
  ),
};
