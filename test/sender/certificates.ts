import { generate } from 'selfsigned';

/** A key and its certificate, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const DAY_MS = 86_400_000;

/** A throw-away authority. */
export async function buildAuthority(commonName = 'Test CA'): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // Valid also for a clock that is behind.
    notBeforeDate: new Date(Date.now() - 3 * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ],
  });
  return { key: made.private, cert: made.cert };
}

/** A server's certificate; without an authority it is self-signed. */
export async function buildServerCertificate(options: {
  authority?: Certificate;
  names?: readonly string[];
  addresses?: readonly string[];
  expired?: boolean;
}): Promise<Certificate> {
  const { authority, names = ['receiver.test'], addresses = ['127.0.0.1', '::1'], expired = false } = options;
  const made = await generate([{ name: 'commonName', value: 'Test receiver' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 3 * DAY_MS),
    notAfterDate: new Date(Date.now() + (expired ? -1 : 1) * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          ...addresses.map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
    ...(authority ? { ca: authority } : {}),
  });
  return { key: made.private, cert: made.cert };
}
