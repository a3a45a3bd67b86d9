import type { z } from 'zod';
import type { ErasureJob } from './erasure-store';
import type { erasureView } from './schema';

/** An erasure with its progress. */
export function presentErasure(job: ErasureJob): z.output<typeof erasureView> {
  return {
    id: job._id,
    state: job.state,
    field: job.field,
    erased: job.erased,
    created_at: job.created_at.toISOString(),
    finished_at: job.finished_at?.toISOString() ?? null,
  };
}
