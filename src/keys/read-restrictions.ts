import { parseDurationMs } from '../domain/duration';
import { InvalidRequestError } from '../domain/errors';
import { SCOPE_NAMES, type Scope } from '../domain/scopes';

/** The last time whose year has four digits. */
const LAST_EXPIRY_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses the scopes of a new key.
 *
 * @param among the scopes that it may have
 * @returns the scopes in their usual order, each once
 * @throws InvalidRequestError for no scope or an unknown one
 */
export function readScopes(names: readonly string[], among: readonly Scope[] = SCOPE_NAMES): Scope[] {
  const unknown = names.find((name) => !among.some((scope) => scope === name));
  if (unknown !== undefined || names.length === 0) {
    const why = unknown === undefined ? 'A key needs at least one scope' : `There is no scope "${unknown}"`;
    throw new InvalidRequestError(
      `${why}. Scopes: ${among.join(', ')}. Without any the key holds all.`,
      'unknown_scope',
    );
  }
  return among.filter((scope) => names.includes(scope));
}

/**
 * Parses how long a key is valid.
 *
 * @param duration `12h`, `90d`
 * @param nowMs milliseconds since 1970
 * @returns when the key expires
 * @throws InvalidRequestError for anything else, and for zero
 */
export function readExpiry(duration: string, nowMs: number): Date {
  const at = nowMs + durationOf(duration);
  if (!(at > nowMs && at <= LAST_EXPIRY_MS)) {
    throw new InvalidRequestError(
      `A key can't expire after "${duration}". Write a number and a unit: 12h, 90d or 365d.`,
      'invalid_expiry',
    );
  }
  return new Date(at);
}

function durationOf(text: string): number {
  try {
    return parseDurationMs(text);
  } catch {
    return Number.NaN;
  }
}
