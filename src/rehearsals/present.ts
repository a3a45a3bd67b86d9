import type { z } from 'zod';
import type { Rehearsal } from './rehearsal-store';
import type { rehearsalView } from './schema';

/** A rehearsal with its result. */
export function presentRehearsal({ _id: id, state, result, error }: Rehearsal): z.output<typeof rehearsalView> {
  return { id, state, ...(result && { result }), ...(error !== undefined && { error }) };
}
