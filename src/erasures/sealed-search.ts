import type { SealedSecret, SecretBox } from '../platform/secret-box';

/** What seals the value of an erasure while it runs. */
export interface SealSearchDeps {
  readonly secretBox: Pick<SecretBox, 'seal' | 'open'>;
}

/** Seals the search value of an erasure. */
export function sealSearch({ secretBox }: SealSearchDeps, jobId: string, search: string): SealedSecret {
  return secretBox.seal(search, jobId);
}

/** The search value of an erasure. @throws UnavailableError when this process does not have its key */
export function openSearch({ secretBox }: SealSearchDeps, jobId: string, sealed: SealedSecret): string {
  return secretBox.open(sealed, jobId);
}
