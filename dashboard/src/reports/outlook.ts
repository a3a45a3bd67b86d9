import type { Usage } from '../api/answers';
import { utcDay } from '../elements/written-time';

/** What becomes of the quota at this month's pace, in a sentence; undefined if there is too little to say. */
export function outlookInWords({ outlook, runs_out_at: at, resets_at: resetsAt }: Usage['quota']): string | undefined {
  if (outlook === 'used_up') return `The quota is used up: calls get 429 until ${utcDay(resetsAt)}.`;
  if (outlook === 'runs_out' && at) return `At this month's pace the quota is used up on ${utcDay(at)}.`;
  return outlook === 'enough' ? 'Enough until the month ends.' : undefined;
}
