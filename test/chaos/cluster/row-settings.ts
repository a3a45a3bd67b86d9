import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Certificate } from '../../sender/certificates';

/** Eight attempts in half a minute instead of 26 h 35 min. */
const SCHEDULE = '0s,1s,2s,3s,4s,5s,5s,10s';

/** Receivers are in here, and everything else on loopback is as forbidden as it is in production. */
const ALLOWED_CIDR = '127.10.0.0/16';

const TIERS = [
  { id: 'chaos', name: 'Chaos', monthlyQuota: null, perMinute: 100_000_000 },
  { id: 'narrow', name: 'Narrow', monthlyQuota: null, perMinute: 40 },
];

/** The settings by which rows of every testbed differ from production. @param folder gets the authority's certificate */
export async function rowSettings(parts: { folder: string; authority: Certificate; receiverTimeoutMs: number }) {
  const caFile = join(parts.folder, 'ca.pem');
  await writeFile(caFile, parts.authority.cert);
  return {
    RETRY_SCHEDULE: SCHEDULE,
    DELIVERY_TIMEOUT: `${parts.receiverTimeoutMs}ms`,
    DELIVERY_ALLOW_HTTP: '1',
    DELIVERY_ALLOW_CIDRS: ALLOWED_CIDR,
    DELIVERY_ALLOW_PORTS: '1-65535',
    DELIVERY_CA_FILE: caFile,
    TIERS: JSON.stringify(TIERS),
    LOG_LEVEL: 'warn',
  };
}
