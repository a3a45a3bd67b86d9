import { ForbiddenError } from './errors';

/** The error for what an operator who looks at another account must not do there. */
export function readOnlyView(): ForbiddenError {
  return new ForbiddenError('You look at another account, which is read-only. Leave it first.', 'read_only_view');
}
