import type { Product } from './api-key';
import type { Scope } from './scopes';

/** An API key. The key itself is stored nowhere: only its SHA-256. */
export interface ApiKey {
  readonly _id: string;
  /** SHA-256 of the full key, hexadecimal. 128 random bits need no slow hash. */
  readonly hash: string;
  /** `svc_live_weh_…4f2a`. */
  readonly display: string;
  readonly product: Product;
  readonly label: string;
  readonly account_id: string;
  /** Absent holds all of its product; ask `scopesOf`. */
  readonly scopes?: readonly Scope[];
  readonly created_at: Date;
  /** From this instant of the database's clock on it is refused; absent is never. */
  readonly expires_at?: Date;
  readonly last_used_at: Date | null;
  /** Authenticated calls; absent before the first. A process that dies loses the last seconds of its count. */
  readonly calls?: number;
  readonly revoked_at: Date | null;
}
