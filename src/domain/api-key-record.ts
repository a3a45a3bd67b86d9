import type { Product } from './api-key';
import type { Scope } from './scopes';

/** An API key. The key itself is not stored: only its SHA-256. */
export interface ApiKey {
  readonly _id: string;
  /** SHA-256 of the full key, hexadecimal. 128 random bits need no slow hash. */
  readonly hash: string;
  /** `svc_live_weh_…4f2a`. */
  readonly display: string;
  readonly product: Product;
  readonly label: string;
  readonly account_id: string;
  /** If absent, the key has all scopes of its product; use `scopesOf`. */
  readonly scopes?: readonly Scope[];
  readonly created_at: Date;
  /** Id of the user who created it, or the operating system's user at the command line; absent if that is unknown. */
  readonly created_by?: string;
  /** The key is refused from this time on, by the database's clock; if absent, it never expires. */
  readonly expires_at?: Date;
  readonly last_used_at: Date | null;
  /** The client's address of that use; absent before the first. */
  readonly last_used_address?: string;
  /** Authenticated calls; absent before the first. If a process dies, the last seconds of its count are lost. */
  readonly calls?: number;
  readonly revoked_at: Date | null;
}
