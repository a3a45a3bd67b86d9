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

const DAY_MS = 86_400_000;
const VALID_DAYS = 3_650;
/** A new one is made this long before the old one expires: a stack may run for a long time. */
const RENEW_BEFORE_DAYS = 800;

/**
 * Makes a certificate for HTTPS on 127.0.0.1, signed by itself: a client that trusts it trusts this stack, and nothing
 * else.
 */
export async function makeCertificate(): Promise<KeyPair> {
  const now = Date.now();
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'Everpost local inbox' }], {
    ...{ keyType: 'ec', curve: 'P-256', algorithm: 'sha256' },
    // From a day ago, so that differing clocks do no harm.
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: new Date(now + VALID_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  return { key, cert };
}

/**
 * The certificate of a data folder: made once and kept, so that clients continue to trust it. Only its owner can read
 * its key.
 */
export async function openCertificate(folder: string): Promise<KeyPair> {
  const keyFile = join(folder, 'key.pem');
  const certFile = join(folder, 'certificate.pem');
  const kept = await readKept(keyFile, certFile);
  if (kept) return kept;
  const made = await makeCertificate();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writePrivateFile(keyFile, made.key);
  await writePrivateFile(certFile, made.cert);
  return made;
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
