import type { AccountName } from '../api/answers';

/** The name of an account: its own, or else the first thing it has that tells it from others. */
export function accountName({ id, external_id: externalId, name, email }: AccountName): string {
  return name ?? externalId ?? email ?? id;
}
