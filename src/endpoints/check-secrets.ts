import { UnprocessableError } from '../domain/errors';
import type { SecretBox } from '../platform/secret-box';
import { allHolders, problemOf, type HolderDeps } from './sealed-holders';

/** What is sealed with one key. */
export interface KeyState {
  readonly keyId: string;
  /** How many endpoints have a value that is sealed with it. */
  readonly endpoints: number;
  /** The data keys of how many accounts are sealed with it. */
  readonly accounts: number;
  /** Whether it is in `ENCRYPTION_KEY` here. */
  readonly isHere: boolean;
}

/**
 * Opens every sealed value, and changes nothing: before a key is removed, and after a backup was restored.
 *
 * @returns each key of `ENCRYPTION_KEY` here, in order, then each other one that something is sealed with
 * @throws UnprocessableError `sealed_values_unopened` if something can't be opened here; it names the keys
 */
export async function checkSecrets(deps: HolderDeps & { readonly secretBox: SecretBox }): Promise<KeyState[]> {
  const { secretBox } = deps;
  const counts = new Map(secretBox.keyIds.map((keyId) => [keyId, { endpoint: 0, account: 0 }]));
  let damaged = 0;
  for await (const holder of allHolders(deps)) {
    for (const keyId of new Set(holder.values.map(({ sealed }) => sealed.key_id))) {
      const count = counts.get(keyId) ?? { endpoint: 0, account: 0 };
      counts.set(keyId, count);
      count[holder.kind] += 1;
    }
    damaged += holder.values.filter((value) => problemOf(secretBox, value) === 'damaged').length;
  }
  const states = [...counts].map(([keyId, { endpoint: endpoints, account: accounts }]): KeyState => {
    return { keyId, endpoints, accounts, isHere: secretBox.keyIds.includes(keyId) };
  });
  if (damaged > 0 || states.some(({ isHere }) => !isHere)) throw unopened(states, damaged);
  return states;
}

function unopened(states: readonly KeyState[], damaged: number): UnprocessableError {
  const lines = states.map(
    ({ keyId, endpoints, accounts, isHere }) =>
      `  ${keyId}: ${endpoints} endpoints, ${accounts} accounts; ${isHere ? 'in ENCRYPTION_KEY' : 'NOT in ENCRYPTION_KEY: add it behind the others'}`,
  );
  return new UnprocessableError(
    [
      "Some sealed values can't be opened, so no key may be retired. Values are sealed with these keys:",
      ...lines,
      ...(damaged > 0 ? [`  ${damaged} values were damaged: their keys are there and do not open them.`] : []),
    ].join('\n'),
    'sealed_values_unopened',
  );
}
