import { latency, remainingTime } from '../elements/time';
import { shareOf } from '../elements/with-unit';

const MINUTE_MS = 60_000;

/** A time from acceptance to delivery: `87 ms`, `4.2 s`, `26 h 05 min`. A dash for none. */
export function timeToDelivered(ms: number | undefined): string {
  if (ms === undefined) return '–';
  return ms < MINUTE_MS ? latency(ms) : remainingTime(ms);
}

/** A share of the deliveries that ended: `99.6 %`; a dash while none has. */
export function deliveredShare({ delivered, failed }: { readonly delivered: number; readonly failed: number }): string {
  return shareOf(delivered, delivered + failed);
}
