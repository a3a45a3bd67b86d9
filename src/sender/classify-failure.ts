import type { AttemptErrorCode } from '../domain/delivery-state';
import { formatDuration } from '../domain/duration';

/** The phase that an exchange had reached. */
export type Phase = 'proxy' | 'tunnel' | 'lookup' | 'connect' | 'tls' | 'answer';

/** What is known about an exchange that failed. */
export interface FailureContext {
  readonly host: string;
  readonly phase: Phase;
  readonly timeoutMs: number;
}

/** A failure in words for the owner of the destination. */
export interface ClassifiedFailure {
  readonly errorCode: AttemptErrorCode;
  readonly error: string;
}

/** The address guard refused: nothing was sent. */
export class BlockedAddressError extends Error {}

/** The receiver violated HTTP in a way that Node's parser accepts. */
export class ProtocolError extends Error {}

/** The attempt timed out. */
export class DeadlineError extends Error {}

/** The egress proxy did not connect to the receiver: its policy forbids it, or it found no way. */
export class TunnelRefusedError extends Error {
  readonly statusCode: number | undefined;

  /** @param statusCode its answer; undefined if it hung up */
  constructor(statusCode?: number) {
    super(statusCode === undefined ? 'it closed the connection' : `it answered ${statusCode}`);
    this.statusCode = statusCode;
  }
}

/** A name without an address; `code` is that of c-ares. */
export class NameLookupError extends Error {
  readonly code: string;

  constructor(name: string, code: string) {
    super(`look-up of ${name}: ${code}`);
    this.code = code;
  }
}

/**
 * Our side could not make the attempt (no file descriptors, no memory, no egress proxy). That is not the receiver's
 * answer, so it is thrown instead of returned, and uses up none of the eight attempts.
 */
export class LocalFaultError extends Error {}

const LOCAL_FAULTS = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);
const RESETS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL', 'EACCES', 'EPERM']);

const DNS_WORDS: Record<string, string> = {
  ENOTFOUND: 'it does not exist or has no address',
  ETIMEOUT: 'its name servers did not answer in time',
  ECANCELLED: 'its name servers did not answer in time',
  ESERVFAIL: 'its name servers reported a failure',
  EREFUSED: 'its name servers refused to answer',
  ECONNREFUSED: 'no name server could be reached',
};

/** OpenSSL's and Node's codes for certificates (Node docs, "X509 certificate error codes"). */
const CERTIFICATE_WORDS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  CERT_UNTRUSTED: 'its certificate is not trusted',
  CERT_REJECTED: 'its certificate is not trusted',
  CERT_SIGNATURE_FAILURE: 'the signature of its certificate is wrong',
  CERT_CHAIN_TOO_LONG: 'its certificate chain is too long',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_FORMAT: 'the names in its certificate are malformed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  HOSTNAME_MISMATCH: 'its certificate is for another host name',
  INVALID_CA: 'its certificate was issued by a certificate that may not issue any',
  INVALID_PURPOSE: 'its certificate is not meant for servers',
  PATH_LENGTH_EXCEEDED: 'its certificate chain is too long',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate was issued by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate was issued by an unknown authority, or an intermediate one is missing',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate was issued by an unknown authority, or an intermediate one is missing',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate was issued by an unknown authority, or an intermediate one is missing',
};

const NOT_TLS = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_HTTP_REQUEST']);
const OLD_TLS = new Set([
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_VERSION_TOO_LOW',
  'ERR_SSL_WRONG_SSL_VERSION',
]);

const FORBIDDEN = 403;
const SMOKESCREEN_REFUSES = 407;

const LATE_WORDS: Record<Exclude<Phase, 'proxy'>, string> = {
  tunnel: 'the egress proxy was still connecting to the receiver',
  lookup: 'its name was still being looked up',
  connect: 'the connection was not established',
  tls: 'the TLS handshake was not finished',
  answer: 'the receiver was connected and sent no complete status',
};

/**
 * Describes what went wrong with an exchange, without addresses or internals.
 *
 * @throws LocalFaultError when the cause is this machine and not the receiver
 */
export function classifyFailure(error: unknown, context: FailureContext): ClassifiedFailure {
  if (error instanceof BlockedAddressError) return { errorCode: 'blocked_address', error: error.message };
  if (error instanceof ProtocolError) return { errorCode: 'protocol_error', error: error.message };
  if (error instanceof LocalFaultError) throw error;
  if (error instanceof TunnelRefusedError) return classifyRefusal(error);
  if (error instanceof DeadlineError) return classifyLateness(context);
  if (error instanceof NameLookupError) {
    const reason = DNS_WORDS[error.code] ?? `the look-up failed (${error.code})`;
    return { errorCode: 'dns_error', error: `The name ${context.host} could not be resolved: ${reason}.` };
  }
  const codes = codesOf(error);
  if (codes.some((code) => LOCAL_FAULTS.has(code)))
    throw new LocalFaultError(`no resources for a connection: ${codes.join()}`);
  return classifyTls(codes) ?? classifyHttp(codes) ?? classifyConnection(codes, context);
}

function classifyRefusal({ statusCode, message }: TunnelRefusedError): ClassifiedFailure {
  return statusCode === FORBIDDEN || statusCode === SMOKESCREEN_REFUSES
    ? { errorCode: 'blocked_address', error: `The egress proxy refuses this destination (${statusCode}).` }
    : {
        errorCode: 'proxy_error',
        error: `The egress proxy did not connect to the receiver: ${message}.`,
      };
}

function classifyLateness({ phase, timeoutMs }: FailureContext): ClassifiedFailure {
  if (phase === 'proxy') throw new LocalFaultError("the egress proxy (DELIVERY_PROXY) can't be used: no connection");
  return { errorCode: 'timeout', error: `No answer within ${formatDuration(timeoutMs)}: ${LATE_WORDS[phase]}.` };
}

/** Whether the connection was cut, as opposed to refused, silent or garbled. */
export function isReset(error: unknown): boolean {
  return codesOf(error).some((code) => RESETS.has(code));
}

function classifyTls(codes: readonly string[]): ClassifiedFailure | undefined {
  const certificate = codes.find((code) => code in CERTIFICATE_WORDS);
  if (certificate) return tlsError(`${CERTIFICATE_WORDS[certificate]} (${certificate})`);
  if (codes.some((code) => NOT_TLS.has(code))) return tlsError('it does not speak TLS on this port');
  if (codes.some((code) => OLD_TLS.has(code))) return tlsError('it does not offer TLS 1.2 or newer');
  const other = codes.find(
    (code) => code === 'EPROTO' || /^(ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_)/.test(code),
  );
  return other ? tlsError(`the TLS handshake failed (${other})`) : undefined;
}

function tlsError(reason: string): ClassifiedFailure {
  return { errorCode: 'tls_error', error: `No secure connection to the receiver: ${reason}.` };
}

function classifyHttp(codes: readonly string[]): ClassifiedFailure | undefined {
  if (codes.includes('HPE_HEADER_OVERFLOW')) {
    return { errorCode: 'protocol_error', error: 'The headers of the answer are larger than 16 KiB.' };
  }
  const code = codes.find((candidate) => candidate.startsWith('HPE_') || candidate.startsWith('ERR_HTTP_'));
  return code ? { errorCode: 'protocol_error', error: `The answer is not valid HTTP/1.1 (${code}).` } : undefined;
}

function classifyConnection(codes: readonly string[], { phase }: FailureContext): ClassifiedFailure {
  if (codes.includes('ECONNREFUSED')) {
    return {
      errorCode: 'connection_refused',
      error: 'The receiver refused the connection: nothing listens on this port.',
    };
  }
  if (codes.some((code) => RESETS.has(code))) {
    const when = phase === 'tls' ? 'during the TLS handshake' : 'before it answered';
    return { errorCode: 'connection_reset', error: `The receiver closed the connection ${when}.` };
  }
  // The kernel's own connect timeout comes before ours only on unusual systems.
  if (codes.includes('ETIMEDOUT'))
    return { errorCode: 'timeout', error: 'The connection was not established in time.' };
  if (codes.some((code) => UNREACHABLE.has(code))) {
    return { errorCode: 'connection_refused', error: 'The address of the receiver can not be reached from here.' };
  }
  return { errorCode: 'protocol_error', error: `The exchange failed (${codes[0] ?? 'no code'}).` };
}

/** The codes of an error; a connection tried at several addresses fails with an AggregateError. */
function codesOf(error: unknown): string[] {
  const { code, errors, message } = (error ?? {}) as { code?: unknown; errors?: unknown; message?: unknown };
  const own = typeof code === 'string' ? [code] : [];
  // While writing, OpenSSL's reason is not in the code (EPROTO) but in the text: "…:error:0A00010B:SSL routines:f:reason:…".
  const reason = /:SSL routines:[^:]*:([^:]+):/.exec(String(message))?.[1];
  if (code === 'EPROTO' && reason) own.unshift(`ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`);
  return Array.isArray(errors) ? [...own, ...errors.flatMap(codesOf)] : own;
}
