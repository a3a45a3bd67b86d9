import type { AttemptErrorCode } from '../../../src/domain/delivery-state';
import type { FailureKind } from '../../../src/domain/failure-causes';

const REDIRECT = 'Redirects are not followed: change the URL to the address that the receiver redirects to.';
const CREDENTIALS =
  'The receiver does not accept the request: compare its signing secret and credentials with those of this endpoint.';

const BY_STATUS: Readonly<Record<number, string>> = {
  301: REDIRECT,
  302: REDIRECT,
  303: REDIRECT,
  307: REDIRECT,
  308: REDIRECT,
  401: CREDENTIALS,
  403: CREDENTIALS,
  404: 'The receiver does not know this path: check the URL.',
  405: 'The receiver does not take POST at this path: check the URL.',
  410: 'The receiver is gone: change the URL, or remove the endpoint.',
  413: 'The receiver refuses bodies of this size: raise its limit.',
  429: 'The receiver takes fewer requests: set a rate in the delivery settings.',
};

const BY_CODE: Readonly<Record<AttemptErrorCode, string>> = {
  http_status: 'The receiver refuses the request: its log says why.',
  timeout: 'Let the receiver answer 2xx first and work afterwards.',
  dns_error: 'The name has no address: check the URL and its DNS records.',
  connection_refused: 'Nothing listens at this address: check the port, and that the receiver runs.',
  connection_reset: 'The receiver closes the connection: check its proxy, and its limits for idle connections.',
  tls_error: 'Renew or complete the certificate of the receiver: TLS is always verified.',
  blocked_address: 'The name leads to an address that is not public: use a public one.',
  proxy_error: 'The proxy on the way out fails, before your receiver: tell those who send the events.',
  protocol_error: 'The receiver does not answer in HTTP: check the port and the protocol of the URL.',
};

/** What to do about a cause of failures, in a sentence. */
export function adviceFor({ code, statusCode }: FailureKind): string {
  if (statusCode === null) return BY_CODE[code];
  const isServerError = statusCode >= 500;
  return BY_STATUS[statusCode] ?? (isServerError ? 'The receiver fails: its log says why.' : BY_CODE.http_status);
}
