import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/**
 * Whether a certificate is for the host: a name is checked by Node, an address by OpenSSL. Node 22.23.3 and 24.18.1 look
 * an IPv6 address up among the names of the certificate (nodejs/node#64144).
 *
 * It is an option of the agent: with one of its own for each request, Node keeps no connection.
 *
 * @param host a name, or an address without brackets
 * @returns undefined if it is
 */
export function checkIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  if (isIP(host) === 0) return checkServerIdentity(host, certificate);
  return new X509Certificate(certificate.raw).checkIP(host) === undefined
    ? Object.assign(new Error('the certificate is for another address'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    : undefined;
}
