import { ForbiddenError } from '../domain/errors';
import { scopesOf, type Scope } from '../domain/scopes';
import type { ApiKey } from '../domain/api-key-record';

/** @throws ForbiddenError that names what is missing, unless the key holds all of these scopes */
export function requireScopes(key: ApiKey, scopes: readonly Scope[]): void {
  const held = scopesOf(key);
  const missing = scopes.filter((scope) => !held.includes(scope));
  if (missing.length === 0) return;
  throw new ForbiddenError(
    `This key lacks the scope${missing.length > 1 ? 's' : ''} ${missing.join(' and ')}. ` +
      'The scopes of a key never change: use a key that was created with what this call needs.',
    'missing_scope',
  );
}
