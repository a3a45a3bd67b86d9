import type { SecretBox } from '../platform/secret-box';

const SEALED = /^([0-9a-f]{8})~([\w-]+)$/;
/** No stream has it, so a client that sends what can't be opened learns of a gap. */
const NO_POSITION = '';

export type Positions = ReturnType<typeof createPositions>;

/**
 * Seals the positions that clients get. MongoDB's has the count of all its writes in the second: in the clear, every
 * listener could follow the volume of the installation.
 */
export function createPositions(secretBox: Pick<SecretBox, 'seal' | 'open'>) {
  const contextOf = (accountId: string): string => `listen/${accountId}`;
  return {
    /** A position as the account's client gets it. */
    show(position: string, accountId: string): string {
      const { key_id: keyId, box } = secretBox.seal(position, contextOf(accountId));
      return `${keyId}~${Buffer.from(box, 'base64').toString('base64url')}`;
    },
    /** The position that a client sent. Earlier versions gave them out in the clear. */
    read(shown: string, accountId: string): string {
      const [, keyId, box] = SEALED.exec(shown) ?? [];
      if (keyId === undefined || box === undefined) return shown;
      try {
        return secretBox.open({ key_id: keyId, box }, contextOf(accountId));
      } catch {
        return NO_POSITION;
      }
    },
  };
}
