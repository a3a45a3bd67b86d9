import type { DeliveryRef } from './delivery-contract';

/** The largest share by which a delay can be longer. */
export const MAX_RETRY_JITTER = 0.5;

/**
 * The delay after a failed attempt, longer by a part of the share: deliveries that failed at one moment are not all
 * repeated at one moment. It follows from the attempt alone, so a repeated call and another process find the same one.
 *
 * @param delayMs by the schedule, in milliseconds
 * @param share 0 to `MAX_RETRY_JITTER`
 * @param number of the attempt that failed
 * @returns `delayMs` to `delayMs * (1 + share)`, in whole milliseconds
 */
export function jitteredDelay(
  delayMs: number,
  share: number,
  { eventId, endpointId, run, number }: DeliveryRef & { readonly number: number },
): number {
  return delayMs + Math.floor(delayMs * share * fractionOf(`${eventId}/${endpointId}/${run}/${number}`));
}

/** A number from 0 to less than 1, evenly spread over all texts: FNV-1a, mixed as in MurmurHash3. */
function fractionOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
