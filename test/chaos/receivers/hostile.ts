import type { Certificate } from '../../sender/certificates';

/** What receivers do that receivers must not. */
export type HostileKind =
  | 'hang'
  | 'drip-bytes'
  | 'endless-headers'
  | 'endless-body'
  | 'reset'
  | 'garbage'
  | 'wrong-tls'
  | 'expired-tls'
  | 'huge-header'
  | 'redirect-loop'
  | 'interim-flood'
  | 'compression-bomb';

export const HOSTILE_HOST = '127.10.1.1';

export type HostileMessage =
  | {
      readonly kind: 'listen';
      /** Ports of each kind. */
      readonly each: number;
      readonly certificates: Readonly<Record<'honest' | 'wrong-tls' | 'expired-tls', Certificate>>;
    }
  | { readonly kind: 'report' };

/** By kind: requests read, and how long the longest connection was open. */
export interface HostileReport {
  readonly requests: Partial<Record<HostileKind, number>>;
  readonly longestMs: Partial<Record<HostileKind, number>>;
}
