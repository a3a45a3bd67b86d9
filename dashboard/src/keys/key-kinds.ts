import { MANAGEMENT } from '../../../src/domain/api-key-record';
import {
  INSTALLATION_SCOPES,
  MANAGEMENT_SCOPE_NAMES,
  SCOPE_NAMES,
  SCOPES,
  type Scope,
} from '../../../src/domain/scopes';
import type { Key } from '../api/answers';

/** Keys of one kind: the pages of both kinds are the same. */
export interface KeyKind {
  /** In the page's API. */
  readonly path: string;
  readonly queryKey: string;
  /** Of the page, and of the list. */
  readonly title: string;
  readonly description: string;
  /** What to do while there are none. */
  readonly whenNone: string;
  /** What a new key may have. */
  readonly scopes: readonly Scope[];
  readonly scopeAdvice: string;
  /** Whether a key is for one product, which its creator chooses. */
  readonly hasProducts: boolean;
}

/** The keys of an account. */
export const ACCOUNT_KEYS: KeyKind = {
  path: '/dashboard/api/keys',
  queryKey: 'keys',
  title: 'API keys',
  description: 'Each key works for one product. The full key is shown once, when you create it.',
  whenNone:
    'Your programs need a key to register endpoints and send events. Create the first one, and store it with the secrets of your back end.',
  scopes: SCOPE_NAMES,
  scopeAdvice: 'A program that only sends events needs only “Send events”.',
  hasProducts: true,
};

/** The keys of the installation. */
export const MANAGEMENT_KEYS: KeyKind = {
  path: '/dashboard/api/management-keys',
  queryKey: 'management-keys',
  title: 'Management keys',
  description:
    'Keys of the installation, for your own back end: they create accounts and act for any of them. The full key is shown once, when you create it.',
  whenNone:
    'A program with a management key creates the accounts of your customers and acts for each. Create the first one, and store it with the secrets of your back end.',
  scopes: MANAGEMENT_SCOPE_NAMES,
  scopeAdvice: 'A program that only sends events needs only “Send events”, and can then do so for every account.',
  hasProducts: false,
};

/** What a scope allows, in words. */
export function scopeInWords(scope: Scope): string {
  return { ...SCOPES, ...INSTALLATION_SCOPES }[scope];
}

/** What a key may do, in words: `Send events, Read endpoints`. */
export function rightsOf({ product, scopes }: Key): string {
  const all = product === MANAGEMENT ? MANAGEMENT_SCOPE_NAMES : SCOPE_NAMES;
  // Keys of other products have no scopes.
  if (![MANAGEMENT, 'weh'].includes(product) || scopes.length === all.length) return 'All';
  return scopes.map(scopeInWords).join(', ');
}
