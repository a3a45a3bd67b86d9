import { UnprocessableError } from '../domain/errors';
import type { SealedSecret, SecretBox } from '../platform/secret-box';
import { allHolders, problemOf, type HeldValue, type Holder, type HolderDeps } from './sealed-holders';

/** A key, and the number of values sealed with it. */
export interface KeyUse {
  readonly keyId: string;
  /** Values that were sealed with it and are now sealed with the first key. */
  readonly resealed: number;
  /** Values that are sealed with it now. */
  readonly values: number;
}

interface ResealDeps extends HolderDeps {
  readonly secretBox: SecretBox;
}

/**
 * Seals every value with the first key, so that the others can be removed. Safe beside processes that read and write,
 * and safe to stop and run again: each document is changed in one write, unless another writer changed it meanwhile.
 * Payloads are sealed with the data keys of accounts, so none of them is written again.
 *
 * @returns each key of the box, in order; one without values is no longer needed
 * @throws UnprocessableError when a value can't be opened, after all others are sealed again: then no key may be
 *   removed
 */
export async function resealSecrets(deps: ResealDeps): Promise<KeyUse[]> {
  const resealed = createTally();
  for await (const holder of allHolders(deps)) {
    for (const keyId of await resealHolder(deps.secretBox, holder)) resealed.add(keyId);
  }
  return countKeys(deps, resealed);
}

/**
 * Counts the values sealed with each key, and tries whether they open. Changes nothing.
 *
 * @returns each key of the box, in order
 * @throws UnprocessableError when a value can't be opened
 */
export async function countKeys(deps: ResealDeps, resealed = createTally()): Promise<KeyUse[]> {
  const { secretBox } = deps;
  const values = createTally();
  const missing = createTally();
  const damaged: string[] = [];
  for await (const holder of allHolders(deps)) {
    for (const value of holder.values) {
      values.add(value.sealed.key_id);
      const problem = problemOf(secretBox, value);
      if (problem === 'missing') missing.add(value.sealed.key_id);
      if (problem === 'damaged') damaged.push(`${value.place} of ${holder.id}`);
    }
  }
  if (missing.size > 0 || damaged.length > 0) throw unopened(resealed.sum(), missing.counts(), damaged);
  return secretBox.keyIds.map((keyId) => ({ keyId, resealed: resealed.of(keyId), values: values.of(keyId) }));
}

/** @returns the ids of the keys whose values were replaced, one for each value */
async function resealHolder(secretBox: SecretBox, holder: Holder): Promise<readonly string[]> {
  for (let current: Holder | null = holder; current; current = await current.again()) {
    const [first] = secretBox.keyIds;
    const stale = current.values.filter(
      (value) => value.sealed.key_id !== first && problemOf(secretBox, value) === undefined,
    );
    if (stale.length === 0) return [];
    const anew = stale.map(({ place, sealed: value, context }): [HeldValue['place'], SealedSecret] => [
      place,
      secretBox.seal(secretBox.open(value, context), context),
    ]);
    if (await current.replace(new Map(anew))) return stale.map(({ sealed: value }) => value.key_id);
  }
  return [];
}

/** The most damaged values that the error names. */
const MAX_NAMED = 10;

function unopened(
  resealed: number,
  missing: readonly (readonly [string, number])[],
  damaged: readonly string[],
): UnprocessableError {
  const lines = [
    `Some sealed values can't be opened, so no key may be retired. Values that were sealed again: ${resealed}.`,
    ...missing.map(
      ([keyId, count]) => `  ${count} with the key ${keyId}, which is not in ENCRYPTION_KEY: add it behind the others.`,
    ),
    ...damaged.slice(0, MAX_NAMED).map((what) => `  ${what}: its key is there and does not open it; it was damaged.`),
    ...(damaged.length > MAX_NAMED ? [`  and ${damaged.length - MAX_NAMED} more that were damaged.`] : []),
  ];
  return new UnprocessableError(lines.join('\n'), 'sealed_values_unopened');
}

/** Counts by key. */
function createTally() {
  const counts = new Map<string, number>();
  return {
    add: (keyId: string) => void counts.set(keyId, (counts.get(keyId) ?? 0) + 1),
    of: (keyId: string) => counts.get(keyId) ?? 0,
    sum: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    counts: () => [...counts],
    get size() {
      return counts.size;
    },
  };
}
