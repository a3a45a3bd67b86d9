import { X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { writePrivateFile } from '../src/platform/private-file';

/** A key and its certificate, both in PEM. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/**
 * An authority of this machine only: a client that trusts it trusts the certificates of this stack, and nothing else.
 */
export interface CertificateAuthority {
  /** The authority's own certificate in PEM, which clients must trust. */
  readonly certPem: string;
  /** A certificate for HTTPS on 127.0.0.1. */
  issueServerCertificate(): Promise<KeyPair>;
}

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
const SERVER_DAYS = 800;
/** A new authority is made this long before the old one expires. */
const RENEW_BEFORE_DAYS = SERVER_DAYS;

const ELLIPTIC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** Makes an authority that lives as long as this object. */
export async function createCertificateAuthority(): Promise<CertificateAuthority> {
  return authority(await generateAuthority());
}

/**
 * The authority of a data folder: made once and kept, so that clients continue to trust it. Only its owner can read its
 * key.
 */
export async function openCertificateAuthority(folder: string): Promise<CertificateAuthority> {
  const keyFile = join(folder, 'ca-key.pem');
  const certFile = join(folder, 'ca.pem');
  const kept = await readKept(keyFile, certFile);
  if (kept) return authority(kept);
  const made = await generateAuthority();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writePrivateFile(keyFile, made.key);
  await writePrivateFile(certFile, made.cert);
  return authority(made);
}

async function readKept(keyFile: string, certFile: string): Promise<KeyPair | undefined> {
  try {
    const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')]);
    const endsAt = Date.parse(new X509Certificate(cert).validTo);
    return endsAt - Date.now() > RENEW_BEFORE_DAYS * DAY_MS ? { key, cert } : undefined;
  } catch {
    // Missing, or half of a pair: a new one is made.
    return undefined;
  }
}

async function generateAuthority(): Promise<KeyPair> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'Everpost local inbox CA' }], {
    ...ELLIPTIC,
    ...validFor(AUTHORITY_DAYS),
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key, cert };
}

function authority(ca: KeyPair): CertificateAuthority {
  return {
    certPem: ca.cert,
    async issueServerCertificate() {
      const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
        ...ELLIPTIC,
        ...validFor(SERVER_DAYS),
        ca,
        extensions: [
          { name: 'basicConstraints', cA: false, critical: true },
          { name: 'keyUsage', digitalSignature: true, critical: true },
          { name: 'extKeyUsage', serverAuth: true },
          { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
        ],
      });
      return { key, cert };
    },
  };
}

/** From a day ago, so that differing clocks do no harm. */
function validFor(days: number) {
  const now = Date.now();
  return { notBeforeDate: new Date(now - DAY_MS), notAfterDate: new Date(now + days * DAY_MS) };
}
