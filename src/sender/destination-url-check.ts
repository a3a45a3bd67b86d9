import type { AddressPolicy } from '../config';
import { parseDestinationUrl } from '../domain/destination-url';
import { InvalidRequestError, UnprocessableError } from '../domain/errors';
import { createAddressGuard } from './address-guard';

/**
 * Checks the URL of a destination as far as possible without DNS: addresses of names are checked when a delivery
 * connects.
 *
 * @returns the URL to store: the one that deliveries request, however it was spelled
 * @throws InvalidRequestError when it is not an absolute URL (400)
 * @throws UnprocessableError when it can't be used because of its scheme, credentials, fragment, port or host (422)
 */
export function checkDestinationUrl(raw: string, policy: AddressPolicy): string {
  const parsed = parseDestinationUrl(raw, policy);
  if (!parsed.ok) {
    const details = [{ path: 'url', message: parsed.message }];
    if (parsed.kind === 'malformed') throw new InvalidRequestError(parsed.message, parsed.code, details);
    throw new UnprocessableError(parsed.message, parsed.code, details);
  }
  const refusal = createAddressGuard(policy).judgeUrl(parsed.url);
  if (refusal) throw new UnprocessableError(refusal.message, refusal.code, [{ path: 'url', message: refusal.message }]);
  return parsed.url.href;
}
